import { randomUUID } from 'node:crypto';
import type { Reply } from '@gatehouse/contract/endpoint';
import type { getSecondSteps } from '@gatehouse/contract/office/passkeys';
import type { OwnProof } from '@gatehouse/contract/office/session';
import {
  FRESH_MINUTES,
  MOST_PASSKEYS,
  type NewCredential,
  type Passkey,
  type passkeyOptions,
} from '@gatehouse/contract/passkeys';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { checkedFirst, type DatabaseTransaction } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { useChallenge } from '#features/people/passkeys/challenges.ts';
import {
  knownPasskey,
  notMade,
  passkeyOf,
  shownColumns,
  tooManyPasskeys,
} from '#features/people/passkeys/passkey.ts';
import { creationOptions, verifyNew } from '#features/people/passkeys/webauthn.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { findAppOf } from './app-codes.ts';
import { noteChange } from './own-changes.ts';
import { askPasskeys, getOfficeParty } from './passkey-step.ts';
import { demandProof, hasSecondStep } from './prove.ts';

/** What the second step of a member is made by; the passkeys with the newest first. */
export async function secondStepsOf(
  ctx: Context,
  { staffId }: StaffMember,
): Promise<Reply<typeof getSecondSteps>> {
  const rows = await ctx.db
    .selectFrom('staff_passkeys')
    .select(shownColumns)
    .where('staff_id', '=', staffId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return {
    hasApp: (await findAppOf(ctx.db, staffId)) !== null,
    passkeys: rows.map(passkeyOf),
    question: await askPasskeys(ctx, staffId),
  };
}

/**
 * What a browser makes a passkey by. Refuses with 403 who did not sign in just now, and as
 * `demandProof` does; with 422 also beyond ten, and where the office's address has no name.
 */
export async function staffPasskeyOptionsOf(
  ctx: Context,
  staff: StaffMember,
  proof: OwnProof,
): Promise<Reply<typeof passkeyOptions>> {
  const party = getOfficeParty(ctx);
  demandFreshSignIn(ctx, staff);
  const useProof = await demandProof(ctx, staff.staffId, proof);
  await checkedFirst(ctx.db).transaction().execute(useProof);
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
  await checkedFirst(ctx.db)
    .transaction()
    .execute(async (trx) => {
      // What was begun without a second step does not count next to one.
      if ((await hasSecondStep(trx, staff.staffId)) !== staff.hasSecondStep) throw notMade();
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
      await noteChange(ctx, trx, staff, { what: 'passkeyAdded', name }, request);
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
 * it. Returns whether a second step is left. Refuses as `demandProof` does, with 404 any other
 * passkey, and with 409 the last second step in the live profile.
 */
export async function removeStaffPasskeyOf(
  ctx: Context,
  staff: StaffMember,
  { passkeyId, proof }: { passkeyId: string; proof: OwnProof },
  request: AuditedRequest,
): Promise<boolean> {
  const useProof = await demandProof(ctx, staff.staffId, proof);
  return checkedFirst(ctx.db)
    .transaction()
    .execute(async (trx) => {
      await useProof(trx);
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
      await noteChange(ctx, trx, staff, { what: 'passkeyRemoved', name: row.name }, request);
      return isLeft;
    });
}

/**
 * A challenge that was given without a second step is none where there is one: it was given for the
 * password.
 */
function purposeOf({ staffId, hasSecondStep: isProven }: StaffMember) {
  return `add to staff ${staffId}${isProven ? '' : ' as first'}` as const;
}

function demandFreshSignIn({ clock }: Context, { begunAt }: StaffMember): void {
  if (clock.now().getTime() - begunAt.getTime() > FRESH_MINUTES * 60_000)
    throw new Refusal(
      403,
      `A passkey is added within ${FRESH_MINUTES} minutes of signing in. Please sign in again first.`,
    );
}

async function countPasskeys(trx: DatabaseTransaction, { staffId }: StaffMember): Promise<number> {
  const { count } = await trx
    .selectFrom('staff_passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow();
  return count;
}
