import { randomInt } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { gateCodeKey } from '@gatehouse/contract/gate-code';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { gateCodeChangedEmail } from '#emails/gate-code-changed.ts';
import type { MailContext } from '#features/base/mail/mail.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import { BrokenSeal } from '#crypto/vault.ts';
import { TellingRefusal } from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';

const CODES = 10_000;

/** The parts of the context that read and give codes. */
type CodeContext = Pick<Context, 'vault' | 'clock'>;

/**
 * A random code that no rental of the facility has, nor had until a year ago: a former tenant's
 * code opens nothing. Refuses with 409 where none of four digits is left.
 */
export async function newGateCode(
  ctx: CodeContext,
  db: Database,
  facilityId: string,
): Promise<string> {
  const known = new Set(
    (await readCodes(ctx, db, facilityId)).map(({ code }) => gateCodeKey(code)),
  );
  const free = Array.from({ length: CODES }, (_, number) => codeOf(number)).filter(
    (code) => !known.has(gateCodeKey(code)),
  );
  if (free.length === 0)
    throw new Refusal(409, 'All gate codes of four digits are in use at this facility. Give one.');
  return free[randomInt(free.length)]!;
}

function codeOf(number: number): string {
  return `${String(number).padStart(4, '0')}#`;
}

/**
 * Gives a rental the code that is named, or a random one, and is the only way to do so but an
 * import, which writes those of its files and asks `findConflict` too. Refuses with 422 the code
 * that the rental has, and with 409 one that conflicts. `gateCode` of the contract says what a code
 * is.
 */
export async function giveGateCode(
  ctx: CodeContext,
  trx: DatabaseTransaction,
  { ledgerId, tenantId, facilityId }: { ledgerId: string; tenantId: string; facilityId: string },
  named?: string,
): Promise<void> {
  await lockCodes(trx, facilityId);
  if (named !== undefined) {
    const key = gateCodeKey(named);
    const known = (await readCodes(ctx, trx, facilityId)).filter(
      ({ code }) => gateCodeKey(code) === key,
    );
    const present = known.find((one) => one.ledgerId === ledgerId);
    if (present !== undefined) throw telling(422, present, 'The rental has this code already.');
    const conflict = findConflict(known, { ledgerId, tenantId });
    if (conflict !== undefined)
      throw telling(
        409,
        conflict,
        isAnothers(conflict, tenantId)
          ? 'Another tenant or person of the facility has or had this code. Give another one.'
          : `Unit ${conflict.unitName} has this code and is overlocked. Give another one.`,
      );
  }
  await writeGateCode(ctx, trx, ledgerId, named ?? (await newGateCode(ctx, trx, facilityId)));
}

/** Of two codes that are given at once at a facility the second sees the first. */
export async function lockCodes(trx: DatabaseTransaction, facilityId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('gate codes ' || ${facilityId}::text, 0))`.execute(
    trx,
  );
}

/**
 * The code that a further person of a rental gets, the one that is named or a random one. Refuses
 * with 409 one that is in use at the facility, or was until a year ago: it would end with another
 * one's, or outlast it.
 */
export async function personCode(
  ctx: CodeContext,
  trx: DatabaseTransaction,
  facilityId: string,
  named?: string,
): Promise<string> {
  await lockCodes(trx, facilityId);
  if (named === undefined) return newGateCode(ctx, trx, facilityId);
  const codes = await readCodes(ctx, trx, facilityId);
  const known = codes.find(({ code }) => gateCodeKey(code) === gateCodeKey(named));
  if (known !== undefined)
    throw telling(409, known, 'Somebody at the facility has or had this code. Give another one.');
  return named;
}

/**
 * Of those that have a code, the first for which another rental may not be given it: another
 * tenant or a person, also one of a rental that ended less than a year ago, or the same tenant's
 * rental that is overlocked, because with it the gate would open again. Otherwise a tenant may have
 * one code for all rentals.
 */
export function findConflict(
  known: KnownCode[],
  { ledgerId, tenantId }: { ledgerId: string; tenantId: string },
): KnownCode | undefined {
  return (
    known.find((one) => isAnothers(one, tenantId)) ??
    known.find((one) => one.ledgerId !== ledgerId && one.isOverlocked && !one.isOver)
  );
}

/** Whether a code is of another tenant, or of a further person. */
export function isAnothers(one: KnownCode, tenantId: string): boolean {
  return one.tenantId !== tenantId || one.isPersons;
}

/** A caller that tries every code, previews included, has read those that are refused. */
function telling(
  status: 409 | 422,
  { facilityId, tenantId, ledgerId }: KnownCode,
  sentence: string,
): TellingRefusal {
  const about = { facilityId, tenantId, ledgerIds: [ledgerId] };
  return new TellingRefusal(status, sentence, { verb: 'rentals.code', about });
}

/** Writes the code of a rental in the place of the one that it has. */
export async function writeGateCode(
  { vault }: CodeContext,
  trx: DatabaseTransaction,
  ledgerId: string,
  code: string,
): Promise<void> {
  const access_code = vault.seal('gateCode', ledgerId, code);
  await trx
    .insertInto('gate_codes')
    .values({ ledger_id: ledgerId, access_code })
    .onConflict((conflict) => conflict.column('ledger_id').doUpdateSet({ access_code }))
    .execute();
}

/** A rental of the facility and its code, or that of a further person of it. */
type KnownCode = {
  ledgerId: string;
  facilityId: string;
  tenantId: string;
  unitName: string;
  isOver: boolean;
  isOverlocked: boolean;
  isPersons: boolean;
  code: string;
};

/**
 * The codes of the facility's rentals that have not ended, or ended less than a year ago. One that
 * no key opens is left out: it is no gate's either (gate-controllers/units.ts raises an alarm).
 */
export async function readCodes(
  { vault, clock }: CodeContext,
  db: Database,
  facilityId: string,
): Promise<KnownCode[]> {
  // The calendars differ by less than a day, which does not matter here.
  const today = calendarDateIn('UTC', clock.now());
  const { rows } = await sql<Omit<KnownCode, 'code'> & { sealed: string; rowId: string }>`
    SELECT c.is_persons AS "isPersons", c.row_id AS "rowId", l.id AS "ledgerId", u.facility_id AS "facilityId", l.tenant_id AS "tenantId", u.name AS "unitName",
      c.is_ended OR NOT is_current_on(l.moved_out_on, ${today}::date) AS "isOver", l.overlocked_at IS NOT NULL AS "isOverlocked",
      c.access_code AS sealed
    FROM (
      SELECT ledger_id, ledger_id AS row_id, access_code, false AS is_persons, false AS is_ended FROM gate_codes
      UNION ALL
      SELECT p.ledger_id, p.id, p.access_code, true, p.ended_at IS NOT NULL OR coalesce(p.last_on < ${today}::date, false)
      FROM authorized_persons p
      WHERE least(p.ended_at::date, p.last_on) IS NULL OR least(p.ended_at::date, p.last_on) > ${today}::date - 365
    ) c JOIN ledgers l ON l.id = c.ledger_id JOIN units u ON u.id = l.unit_id
    WHERE u.facility_id = ${facilityId} AND (l.moved_out_on IS NULL OR l.moved_out_on > ${today}::date - 365)
    ORDER BY l.id, c.is_persons, c.row_id`.execute(db);
  return rows.flatMap(({ sealed, rowId, ...rental }) => {
    try {
      const column = rental.isPersons ? 'personCode' : 'gateCode';
      return [{ ...rental, code: vault.open(column, rowId, sealed) }];
    } catch (error) {
      if (error instanceof BrokenSeal) return [];
      throw error;
    }
  });
}

/**
 * What a former tenant knows opens nothing: rentals of other tenants with the same code, as
 * an import could give it once, get another one, and their tenants a mail without it. The
 * former tenant's own further rentals keep theirs.
 */
export async function renewSharedCodes(
  ctx: MailContext,
  trx: DatabaseTransaction,
  ended: { ledgerId: string; facilityId: string },
): Promise<void> {
  const codes = await readCodes(ctx, trx, ended.facilityId);
  const own = codes.find((one) => one.ledgerId === ended.ledgerId && !one.isPersons);
  if (own === undefined) return;
  const isShared = (one: KnownCode) =>
    gateCodeKey(one.code) === gateCodeKey(own.code) &&
    one.tenantId !== own.tenantId &&
    !one.isOver &&
    !one.isPersons;
  for (const { ledgerId, tenantId, unitName } of codes.filter(isShared)) {
    await giveGateCode(ctx, trx, { ledgerId, tenantId, facilityId: ended.facilityId });
    await mailTenantOf({ ctx, trx }, ledgerId, 'security', (to) =>
      gateCodeChangedEmail({ ...to, unitName }),
    );
  }
}

/**
 * Renews what is shared with rentals of a facility that ended since its day before `date`: a
 * move-out by an import ends without a settlement, and one by staff may wait for it.
 */
export async function renewCodesOfEnded(
  ctx: Context,
  { facilityId, date }: { facilityId: string; date: string },
): Promise<void> {
  const { rows } = await sql<{ ledgerId: string }>`
    SELECT l.id AS "ledgerId" FROM ledgers l JOIN units u ON u.id = l.unit_id
    WHERE u.facility_id = ${facilityId} AND l.moved_out_on <= ${date}::date
      AND l.moved_out_on > coalesce((
        SELECT max(run_on) FROM billing_runs
        WHERE facility_id = ${facilityId} AND run_on < ${date}::date AND finished_at IS NOT NULL
      ), ${date}::date - 1)
    ORDER BY l.id`.execute(ctx.db);
  for (const { ledgerId } of rows)
    await ctx.db
      .transaction()
      .execute((trx) => renewSharedCodes(ctx, trx, { ledgerId, facilityId }));
}
