import { randomUUID } from 'node:crypto';
import type { Reply } from '@gatehouse/contract/endpoint';
import {
  FRESH_MINUTES,
  MOST_PASSKEYS,
  type NewCredential,
  type Passkey,
  type passkeyOptions,
} from '@gatehouse/contract/passkeys';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { checkedFirst, type Database, type DatabaseTransaction } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { lockUser } from '#features/people/session/session.ts';
import type { Caller } from '#http/guard.ts';
import { useChallenge } from './challenges.ts';
import { passkeyEmail } from './emails.ts';
import { knownPasskey, notMade, passkeyOf, shownColumns, tooManyPasskeys } from './passkey.ts';
import { creationOptions, relyingPartyOf, verifyNew } from './webauthn.ts';

/** The passkeys of the caller's sign-in, the newest first. */
export async function listPasskeysOf({ db }: Context, { userId }: Caller): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(shownColumns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(passkeyOf);
}

/**
 * What a browser makes a passkey by. Refuses with 403 who neither signed in nor confirmed just now,
 * so that a finder of an unlocked phone cannot stay; with 422 beyond ten.
 */
export async function optionsOf(
  ctx: Context,
  caller: Caller,
): Promise<Reply<typeof passkeyOptions>> {
  const party = relyingPartyOf(ctx);
  await demandFreshSession(ctx, caller);
  const user = await getUser(ctx.db, caller);
  const had = await ctx.db
    .selectFrom('passkeys')
    .select('credential_id')
    .where('user_id', '=', caller.userId)
    .execute();
  if (had.length >= MOST_PASSKEYS) throw tooManyPasskeys();
  return creationOptions(ctx, party, purposeOf(caller), {
    userId: caller.userId,
    userName: user.email,
    operatorName: user.operatorName,
    had: had.map(({ credential_id }) => credential_id),
  });
}

/**
 * Adds the passkey that a browser made by `optionsOf`, and mails that it was added, in one
 * transaction. Refuses with 422 an answer that is none to options of this user, is too old or was
 * used before, a passkey that is known, and the eleventh; with 429 many in an hour.
 */
export async function addPasskeyOf(
  ctx: Context,
  caller: Caller,
  { name, credential }: { name: string; credential: NewCredential },
  request: AuditedRequest,
): Promise<Passkey> {
  const { userId, facilityId } = caller;
  const made = await verifyNew(ctx, relyingPartyOf(ctx), purposeOf(caller), credential);
  if (made === null) throw notMade();
  return ctx.db.transaction().execute(async (trx) => {
    await countLimited(
      ctx,
      trx,
      [{ name: 'passkeys-an-hour', key: keyOf(ctx, 'passkey', userId) }],
      t('You added many passkeys. Please wait an hour and try again.'),
    );
    await lockUser(trx, userId);
    // A new password that came first has ended the session, and with it what it may add.
    await demandFreshSession({ ...ctx, db: trx }, caller);
    if (!(await useChallenge(ctx, trx, made.challenge))) throw notMade();
    const { count } = await trx
      .selectFrom('passkeys')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (count >= MOST_PASSKEYS) throw tooManyPasskeys();
    const row = {
      id: randomUUID(),
      credential_id: made.credentialId,
      name,
      created_at: ctx.clock.now(),
      last_used_at: null,
      is_synced: made.isSynced,
    };
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('passkeys')
      .values({
        ...row,
        user_id: userId,
        public_key: made.publicKey,
        counter: made.counter,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) throw knownPasskey();
    await audit(ctx, trx, request, [{ kind: 'passkey_added', userId, facilityId }]);
    await mailChange(ctx, trx, caller, 'added', name);
    return passkeyOf(row);
  });
}

/** Gives one of the caller's passkeys another name; 404 for any other. */
export async function renamePasskeyOf(
  { db }: Context,
  { userId }: Caller,
  passkeyId: string,
  name: string,
): Promise<Passkey> {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where(sql<string>`id::text`, '=', passkeyId.toLowerCase())
    .where('user_id', '=', userId)
    .returning(shownColumns)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return passkeyOf(row);
}

/**
 * Removes one of the caller's passkeys with the sessions that it keeps, and mails that it was
 * removed; 404 for any other. Other sessions that it has begun last.
 */
export async function removePasskeyOf(
  ctx: Context,
  caller: Caller,
  passkeyId: string,
  request: AuditedRequest,
): Promise<void> {
  const { userId, facilityId } = caller;
  await checkedFirst(ctx.db)
    .transaction()
    .execute(async (trx) => {
      const row = await trx
        .selectFrom('passkeys')
        .select(['id', 'name'])
        .where(sql<string>`id::text`, '=', passkeyId.toLowerCase())
        .where('user_id', '=', userId)
        .forUpdate()
        .executeTakeFirst();
      if (row === undefined) throw notFound();
      const kept = await trx
        .deleteFrom('sessions')
        .where('kept_by', '=', row.id)
        .returning('facility_id')
        .execute();
      await trx.deleteFrom('passkeys').where('id', '=', row.id).execute();
      await audit(ctx, trx, request, [
        { kind: 'passkey_removed', userId, facilityId },
        ...kept.map((session) => ({
          kind: 'session_ended' as const,
          userId,
          facilityId: session.facility_id,
        })),
      ]);
      await mailChange(ctx, trx, caller, 'removed', row.name);
    });
}

function purposeOf({ userId }: Caller) {
  return `add to ${userId}` as const;
}

async function demandFreshSession({ db, clock }: Context, { tokenHash }: Caller): Promise<void> {
  const since = new Date(clock.now().getTime() - FRESH_MINUTES * 60_000);
  const session = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.coalesce('confirmed_at', 'created_at').as('provenAt'))
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (session === undefined || session.provenAt < since)
    throw new Refusal(
      403,
      t('A passkey is added within {minutes} minutes of signing in. Please sign in again first.', {
        minutes: FRESH_MINUTES,
      }),
    );
}

/** The user with the name of the operator, of which the portal is. */
async function getUser(
  db: Database,
  { userId }: Caller,
): Promise<{ email: string; operatorName: string }> {
  return db
    .selectFrom('users')
    .innerJoin('corporations', 'corporations.id', 'users.corporation_id')
    .select(['users.email', 'corporations.name as operatorName'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** To the address that signs in, in the name of the session's facility. */
async function mailChange(
  ctx: Context,
  trx: DatabaseTransaction,
  caller: Caller,
  change: 'added' | 'removed',
  name: string,
): Promise<void> {
  const { email } = await getUser(trx, caller);
  const facility = await trx
    .selectFrom('facilities')
    .select(['name', 'phone'])
    .where('id', '=', caller.facilityId)
    .executeTakeFirstOrThrow();
  await queueMail(ctx, trx, {
    to: email,
    kind: 'security',
    tenantId: null,
    email: () => passkeyEmail(change, name, facility),
  });
}
