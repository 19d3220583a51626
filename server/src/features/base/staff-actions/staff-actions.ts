import { createHash, randomUUID } from 'node:crypto';
import type { Schema } from '@gatehouse/contract/endpoint';
import type { AuditAction } from '@gatehouse/contract/office/audit-actions';
import type { OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import {
  REASON_NEEDED,
  staffCaller,
  type StaffVerb,
  type VerbBody,
  type VerbReply,
} from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { safeParse, type $ZodType } from 'zod/v4/core';
import { audit, originColumns, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { runOrPreview } from '#db/preview.ts';
import { demandRole } from '#http/roles.ts';
import { compileValidator } from '#http/validation.ts';
import { Refusal } from '#errors/refusal.ts';
import { holdsCardNumber, scrub } from '#telemetry/scrub.ts';

/** Who asks for a staff action, why, and how. */
export type StaffCall = {
  /** The caller's own key: the same key and body answer the same again and do nothing twice. */
  key: string;
  /** The name of the member of staff, for the audit trail; 1 to 100 characters. */
  by: string;
  /** Why, in the words of `by`; may be empty, and has at most 500 characters. */
  why: string;
  /**
   * The facilities that the caller works for: what belongs to another one is not found. Null for
   * all of the operator's.
   */
  facilityIds: string[] | null;
  /** The account of the member who calls; undefined on the command line. */
  staff?: { id: string; role: OfficeRole };
  /** The member's session, for a job that checks it again; undefined on the command line. */
  session?: { tokenHash: Buffer; facilities: { id: string }[] };
  /** The request of that member; undefined on the command line. */
  origin?: AuditedRequest;
  /** Answers what would be done, to the cent, and changes nothing. */
  isPreview: boolean;
  /** Called where the answer is that of an earlier call with this key. */
  onRepeated?: () => void;
};

/** The dependencies of a verb's work. Nothing outside the database may be called here. */
export type StaffWork = {
  /** Jobs and mails that are queued with `ctx` in `trx` are dropped with it in a preview. */
  ctx: Context;
  trx: DatabaseTransaction;
  call: StaffCall;
  /** The instant of everything that is posted. */
  now: Date;
};

/** What the work of a verb comes to: its answer, and what it was about, for the audit trail. */
export type StaffResult<Reply> = {
  reply: Reply;
  about: {
    facilityId: string | null;
    tenantId?: string;
    ledgerIds?: string[];
    details?: Record<string, string>;
  };
  /** What a preview shows of other records, which is noted. */
  told?: Told | undefined;
};

/** What staff were shown of other records, and the action that notes it. */
type Told = { verb: AuditAction; about: Shown };

/**
 * A refusal that tells the caller what is kept of another record, a preview's too: noted where
 * `told` is given.
 */
export class TellingRefusal extends Refusal {
  readonly told: Told | undefined;
  constructor(status: 409 | 422, message: string, told: Told | undefined) {
    super(status, message);
    this.told = told;
  }
}

/** What staff were shown. */
export type Shown = StaffResult<unknown>['about'];

/**
 * Runs a staff verb in one transaction with its row under the caller's key and its events in the
 * audit trail: all of it or nothing. Asked again with the same key and body it answers as the first
 * time. A preview does the same work and rolls it back. What may not be done inside the
 * transaction, such as a gateway's refund, the verb does with the answer, repeatably. Throws a
 * Refusal: 403 for a field that the caller's role may not fill in, 422 for a body or caller that
 * does not fit, a reason that is missing, a card's number or
 * a key that was used for something else, 409 where another caller posts to the same ledger for too
 * long, and whatever the work refuses.
 */
export async function runStaffVerb<V extends StaffVerb>(
  ctx: Context,
  verb: V,
  call: StaffCall,
  given: unknown,
  work: (on: StaffWork, body: VerbBody<V>) => Promise<StaffResult<VerbReply<V>>>,
): Promise<VerbReply<V>> {
  const body = readBody(verb, given);
  demandRolesOfFields(call, verb, body as Record<string, unknown>);
  const clean = { ...call, ...readCaller(call) };
  if (verb.isReasonNeeded === 'everywhere' && clean.why === '')
    throw new Refusal(422, REASON_NEEDED);
  const requestHash = createHash('sha256')
    .update(JSON.stringify([verb.name, placeOf(call), body]))
    .digest();
  return inTransaction(ctx, verb, { ...clean, requestHash }, body, (on) => work(on, body));
}

/** What staff call by a verb: `runStaffVerb` of this work. */
export function workOf<V extends StaffVerb>(
  verb: V,
  work: (on: StaffWork, body: VerbBody<V>) => Promise<StaffResult<VerbReply<V>>>,
) {
  return (ctx: Context, call: StaffCall, given: unknown): Promise<VerbReply<V>> =>
    runStaffVerb(ctx, verb, call, given, work);
}

/**
 * The body of a verb, checked. Throws a Refusal with 422 for one that does not fit or holds a
 * card's number.
 */
export function readBody<V extends Pick<StaffVerb, 'body'>>(verb: V, given: unknown): VerbBody<V> {
  // What a verb's body is, its own schema says.
  const body = read(verb.body, given) as VerbBody<V>;
  refuseCardNumber(body);
  return body;
}

/**
 * Refuses with 403 a caller whose role may not do `act`, in the words that follow "may not". The
 * command line may do everything.
 */
export function demandRoleOf(
  { staff }: Pick<StaffCall, 'staff'>,
  least: OfficeRole,
  act: string,
): void {
  if (staff !== undefined) demandRole(staff.role, least, act);
}

/** Refuses with 403 a field that is filled in and needs a higher role (`FieldWords.role`). */
function demandRolesOfFields(
  call: StaffCall,
  { fields }: StaffVerb,
  body: Record<string, unknown>,
): void {
  for (const [name, { role, title }] of Object.entries(fields)) {
    const value = body[name];
    if (role !== undefined && value !== undefined && value !== false)
      demandRoleOf(call, role, `fill in “${title}”`);
  }
}

/** Refuses with 422 what staff typed if it holds a card's number, which is never kept. */
export function refuseCardNumber(given: unknown): void {
  if (holdsCardNumber(JSON.stringify(given)))
    throw new Refusal(
      422,
      'What was given holds what looks like a card number, which is never taken.',
    );
}

/** Who and why as they may be kept: less what looks like a card's or an account's number. */
function readCaller({ by, why }: Pick<StaffCall, 'by' | 'why'>): z.output<typeof staffCaller> {
  return JSON.parse(scrub(JSON.stringify(read(staffCaller, { by, why })))) as z.output<
    typeof staffCaller
  >;
}

function read<S extends Schema>(schema: S, given: unknown): z.output<S> {
  const result = compileValidator({ schema, httpPart: 'body' })(given);
  if ('error' in result) throw result.error;
  // Checked by the schema itself.
  return result.value as z.output<S>;
}

/** What a call's facilities are in the hash of its request: one is its id only. */
function placeOf({ facilityIds }: StaffCall): string | null {
  return facilityIds && facilityIds.toSorted().join();
}

type KeyedCall = StaffCall & { requestHash: Buffer };

async function inTransaction<V extends StaffVerb>(
  ctx: Context,
  verb: V,
  call: KeyedCall,
  body: VerbBody<V>,
  work: (on: StaffWork) => Promise<StaffResult<VerbReply<V>>>,
): Promise<VerbReply<V>> {
  let told: Told | undefined;
  try {
    const answer = await runOrPreview(ctx.db, call.isPreview, async (trx) => {
      const now = ctx.clock.now();
      const earlier = call.isPreview ? undefined : await claimKey(trx, verb, call, now);
      if (earlier !== undefined) {
        call.onRepeated?.();
        return earlier;
      }
      const { reply, about, ...result } = await work({ ctx, trx, call, now });
      if (call.isPreview) told = result.told;
      // A reply that its own schema refuses is a bug; better none is posted than one that cannot be
      // read.
      const checked = safeParse(verb.reply as $ZodType<VerbReply<V>>, reply);
      if (!checked.success)
        throw new Error(`${verb.name} answers another shape than it says`, {
          cause: checked.error,
        });
      if (call.isPreview) return checked.data;
      await trx
        .updateTable('staff_actions')
        .set({ answer: JSON.stringify(checked.data) })
        .where('key', '=', call.key)
        .execute();
      await note(ctx, trx, verb, call, {
        ...about,
        details: { ...valuesOf(verb, body), ...about.details },
      });
      return checked.data;
    });
    if (told !== undefined) await noteShown(ctx, told.verb, call, told.about);
    return answer;
  } catch (error) {
    // After the transaction, which takes back what it wrote.
    if (error instanceof TellingRefusal && error.told !== undefined)
      await noteShown(ctx, error.told.verb, call, error.told.about);
    if ((error as { code?: string }).code === '55P03')
      throw new Refusal(409, 'Somebody else is posting to the same rental. Please try again.');
    throw error;
  }
}

/**
 * Takes the key for this call, or answers what was answered under it. Waits for a call of the same
 * key that runs now.
 */
async function claimKey<V extends StaffVerb>(
  trx: DatabaseTransaction,
  verb: V,
  call: KeyedCall,
  now: Date,
): Promise<VerbReply<V> | undefined> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('staff_actions')
    .values({
      key: call.key,
      verb: verb.name,
      request_hash: call.requestHash,
      by_name: call.by,
      why: call.why,
      facility_id: call.facilityIds?.length === 1 ? call.facilityIds[0]! : null,
      ...originColumns(originOf(call)),
      at: now,
      answer: null,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow();
  if (Number(numInsertedOrUpdatedRows) === 1) return undefined;
  const earlier = await trx
    .selectFrom('staff_actions')
    .select(['request_hash', 'answer'])
    .where('key', '=', call.key)
    .executeTakeFirstOrThrow();
  if (!earlier.request_hash.equals(call.requestHash))
    throw new Refusal(422, 'This key was used for something else. Take a new one.');
  // Written after the same schema had checked it.
  return earlier.answer as VerbReply<V>;
}

/** The caller in the audit trail: a name and a reason, and the request of a member of staff. */
export type NotedCaller = Pick<StaffCall, 'by' | 'why' | 'origin'>;

/** Notes that staff were shown personal data: one event. */
export function noteShown(
  ctx: Context,
  verb: AuditAction,
  { origin, ...caller }: NotedCaller,
  about: Shown,
): Promise<void> {
  const call = { key: randomUUID(), ...readCaller(caller), ...(origin && { origin }) };
  return note(ctx, ctx.db, { name: verb }, call, about);
}

/**
 * The values of a body that are no typed text: sums, days, choices and ids, without those of the
 * record and the rental, which an event has in columns.
 */
function valuesOf({ fields }: StaffVerb, body: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).flatMap(([name, value]) => {
      const { type, format, enum: choices } = fields[name] ?? {};
      const isText =
        type === 'string' && choices === undefined && format !== 'date' && format !== 'uuid';
      const isKept = ['string', 'number', 'boolean'].includes(typeof value) && !isText;
      return isKept && name !== 'ledgerId' && name !== 'tenantId' ? [[name, String(value)]] : [];
    }),
  );
}

function originOf({ key, origin }: Pick<StaffCall, 'key' | 'origin'>): AuditedRequest {
  return origin ?? { ip: '', requestId: key };
}

/** One event for each ledger, or one for the tenant or facility where it was about no ledger. */
async function note(
  ctx: Context,
  db: Database,
  verb: { name: string },
  call: NotedCaller & Pick<StaffCall, 'key'>,
  { facilityId, tenantId, ledgerIds = [], details = {} }: StaffResult<unknown>['about'],
): Promise<void> {
  const { key, by, why } = call;
  const event = {
    kind: 'staff_action' as const,
    ...(facilityId !== null && { facilityId }),
    ...(tenantId !== undefined && { tenantId }),
    details: { verb: verb.name, by, why, key, ...details },
  };
  const events =
    ledgerIds.length === 0 ? [event] : ledgerIds.map((ledgerId) => ({ ...event, ledgerId }));
  await audit(ctx, db, originOf(call), events);
}

/** The facility of a call that is for one. Refuses with 422 and the message a call for several. */
export function getOneFacility({ facilityIds }: StaffCall, message: string): string {
  const [facilityId, ...others] = facilityIds ?? [];
  if (facilityId === undefined || others.length > 0) throw new Refusal(422, message);
  return facilityId;
}

/** A ledger that a verb is about. */
export type StaffLedger = {
  id: string;
  tenantId: string;
  unitId: string;
  unitName: string;
  facilityId: string;
  timeZone: string;
};

/** Those of the ledgers that are there and belong to the caller's facility. */
export async function findStaffLedgers(
  { trx, call }: StaffWork,
  ledgerIds: string[],
): Promise<StaffLedger[]> {
  const { rows } = await sql<StaffLedger>`
    SELECT l.id, l.tenant_id AS "tenantId", l.unit_id AS "unitId", u.name AS "unitName", u.facility_id AS "facilityId",
      f.time_zone AS "timeZone"
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.id = ANY(${ledgerIds}::uuid[]) AND (${call.facilityIds}::uuid[] IS NULL OR f.id = ANY(${call.facilityIds}::uuid[]))`.execute(
    trx,
  );
  return rows;
}

/**
 * The ledgers that a verb names, in the order in which it names them. Refuses with 404 one that is
 * not there or belongs to another facility than the caller's, and with 422 one that is named twice.
 */
export async function getStaffLedgers(on: StaffWork, ledgerIds: string[]): Promise<StaffLedger[]> {
  const ids = ledgerIds.map((id) => id.toLowerCase());
  if (new Set(ids).size < ids.length) throw new Refusal(422, 'A rental is named twice.');
  const found = await findStaffLedgers(on, ids);
  return ids.map((id) => {
    const row = found.find((one) => one.id === id);
    if (row === undefined) throw new Refusal(404, `There is no rental ${id}.`);
    return row;
  });
}
