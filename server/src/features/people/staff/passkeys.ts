import { randomUUID } from 'node:crypto';
import type { Reply } from '@gatehouse/contract/endpoint';
import type { getSecondSteps } from '@gatehouse/contract/office/passkeys';
import {
  FRESH_MINUTES,
  MOST_PASSKEYS,
  type NewCredential,
  type Passkey,
  type passkeyOptions,
} from '@gatehouse/contract/passkeys';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { useChallenge } from '#features/people/passkeys/challenges.ts';
import {
  knownPasskey,
  notMade,
  passkeyOf,
  shownColumns,
  tooManyPasskeys,
} from '#features/people/passkeys/passkey.ts';
import {
  creationOptions,
  relyingPartyAt,
  verifyNew,
  type RelyingParty,
} from '#features/people/passkeys/webauthn.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { staffPasskeyEmail } from './emails.ts';
import { mailMember } from './mail-member.ts';
import { demandPassword, findAppOf } from './second-step.ts';

/** What the second step of a member is made by; the passkeys with the newest first. */
export async function secondStepsOf(
  { db }: Context,
  { staffId }: StaffMember,
): Promise<Reply<typeof getSecondSteps>> {
  const rows = await db
    .selectFrom('staff_passkeys')
    .select(shownColumns)
    .where('staff_id', '=', staffId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return { hasApp: (await findAppOf(db, staffId)) !== null, passkeys: rows.map(passkeyOf) };
}

/**
 * What a browser makes a passkey by. Refuses with 403 who did not sign in just now and with 422 a
 * wrong password, because a finder of an unlocked screen must not stay; with 422 also beyond ten,
 * and where the office's address has no name; with 429 many wrong passwords.
 */
export async function staffPasskeyOptionsOf(
  ctx: Context,
  staff: StaffMember,
  password: string,
): Promise<Reply<typeof passkeyOptions>> {
  const party = getOfficeParty(ctx);
  demandFreshSignIn(ctx, staff);
  await demandPassword(ctx, staff.staffId, password);
  const { name: operatorName } = await ctx.db
    .selectFrom('corporations')
    .select('name')
    .where('code', '=', ctx.config.corporationCode)
    .executeTakeFirstOrThrow();
  const had = await ctx.db
    .selectFrom('staff_passkeys')
    .select('credential_id')
    .where('staff_id', '=', staff.staffId)
    .execute();
  if (had.length >= MOST_PASSKEYS) throw tooManyPasskeys();
  return creationOptions(ctx, party, purposeOf(staff), {
    userId: staff.staffId,
    userName: staff.email,
    operatorName,
    had: had.map(({ credential_id }) => credential_id),
  });
}

/**
 * Adds the passkey that a browser made by `staffPasskeyOptionsOf`, ends the other sessions of the
 * member and mails it, in one transaction. Refuses with 422 an answer that is none to options of
 * this member, is too old or was used before, a passkey that is known, and the eleventh; with 403
 * who did not sign in just now; with 401 where the session has ended meanwhile, as by a reset.
 */
export async function addStaffPasskeyOf(
  ctx: Context,
  staff: StaffMember,
  { name, credential }: { name: string; credential: NewCredential },
  request: AuditedRequest,
): Promise<void> {
  demandFreshSignIn(ctx, staff);
  const made = await verifyNew(ctx, getOfficeParty(ctx), purposeOf(staff), credential);
  if (made === null) throw notMade();
  await ctx.db.transaction().execute(async (trx) => {
    await lockOwn(trx, staff);
    if (!(await useChallenge(ctx, trx, made.challenge))) throw notMade();
    if ((await countPasskeys(trx, staff)) >= MOST_PASSKEYS) throw tooManyPasskeys();
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('staff_passkeys')
      .values({
        id: randomUUID(),
        staff_id: staff.staffId,
        credential_id: made.credentialId,
        public_key: made.publicKey,
        counter: made.counter,
        is_synced: made.isSynced,
        name,
        created_at: ctx.clock.now(),
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) throw knownPasskey();
    await noteChange(ctx, trx, staff, { change: 'added', name }, request);
  });
}

/** Gives one of the member's passkeys another name; 404 for any other. */
export async function renameStaffPasskeyOf(
  { db }: Context,
  { staffId }: StaffMember,
  passkeyId: string,
  name: string,
): Promise<Passkey> {
  const row = await db
    .updateTable('staff_passkeys')
    .set({ name })
    .where('id', '=', passkeyId)
    .where('staff_id', '=', staffId)
    .returning(shownColumns)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return passkeyOf(row);
}

/**
 * Removes one of the member's passkeys, ends the other sessions, which it may have begun, and mails
 * it. Returns whether a second step is left. Refuses with 404 any other passkey, and with 409 the
 * last second step in the live profile.
 */
export async function removeStaffPasskeyOf(
  ctx: Context,
  staff: StaffMember,
  passkeyId: string,
  request: AuditedRequest,
): Promise<boolean> {
  return ctx.db.transaction().execute(async (trx) => {
    await lockOwn(trx, staff);
    const row = await trx
      .deleteFrom('staff_passkeys')
      .where('id', '=', passkeyId)
      .where('staff_id', '=', staff.staffId)
      .returning('name')
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    const isLeft = await hasSecondStep(trx, staff.staffId);
    if (!isLeft && ctx.config.profile === 'live')
      throw new Refusal(
        409,
        'This is your only second step. Add another passkey or an authenticator app first.',
      );
    await noteChange(ctx, trx, staff, { change: 'removed', name: row.name }, request);
    return isLeft;
  });
}

/** Whether a member has a second step. */
export async function hasSecondStep(trx: DatabaseTransaction, staffId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`SELECT has_second_step(${staffId}) AS has`.execute(
    trx,
  );
  return rows[0]!.has;
}

/** The pages of the office as a relying party; null where its address has no name. */
export function officePartyOf({ config }: Context): RelyingParty | null {
  return config.office && relyingPartyAt(config.office.url);
}

function getOfficeParty(ctx: Context): RelyingParty {
  const party = officePartyOf(ctx);
  if (party === null) throw new Refusal(422, 'Passkeys do not work at this address of the office.');
  return party;
}

function purposeOf({ staffId }: StaffMember) {
  return `add to staff ${staffId}` as const;
}

function demandFreshSignIn({ clock }: Context, { begunAt }: StaffMember): void {
  if (clock.now().getTime() - begunAt.getTime() > FRESH_MINUTES * 60_000)
    throw new Refusal(
      403,
      `A passkey is added within ${FRESH_MINUTES} minutes of signing in. Please sign in again first.`,
    );
}

/** Locks the account of a member whose session is still there: a reset that came first ends it. */
async function lockOwn(
  trx: DatabaseTransaction,
  { staffId, tokenHash }: StaffMember,
): Promise<void> {
  await trx
    .selectFrom('staff_members')
    .select('id')
    .where('id', '=', staffId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const session = await trx
    .selectFrom('staff_sessions')
    .select('staff_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (session === undefined)
    throw new Refusal(401, 'Your session has ended. Please sign in again.');
}

async function countPasskeys(trx: DatabaseTransaction, { staffId }: StaffMember): Promise<number> {
  const { count } = await trx
    .selectFrom('staff_passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Ends the other sessions of the member, audits the change and mails it. */
async function noteChange(
  ctx: Context,
  trx: DatabaseTransaction,
  { staffId, tokenHash, name: by, email }: StaffMember,
  { change, name }: { change: 'added' | 'removed'; name: string },
  request: AuditedRequest,
): Promise<void> {
  await trx
    .deleteFrom('staff_sessions')
    .where('staff_id', '=', staffId)
    .where('token_hash', '<>', tokenHash)
    .execute();
  const details = { by, staff: staffId, change: `passkey ${change}` };
  await audit(ctx, trx, request, [{ kind: 'staff_account_changed', details }]);
  await mailMember(ctx, trx, email, staffPasskeyEmail(change, name));
}
