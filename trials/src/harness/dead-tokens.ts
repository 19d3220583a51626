import { randomBytes } from 'node:crypto';
import { jsonOf } from './client.ts';
import { newToken } from '@gatehouse/server/src/http/token.ts';
import { mailsTo } from '@gatehouse/server/test/mails.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import type { NewDatabase } from './cluster.ts';
import { makeSession, PASSWORD, type Person } from './actors.ts';
import { callOf, idsOf, type Site } from './site.ts';
import { proofVault } from './world.ts';
import { addRows } from '@gatehouse/server/test/rows.ts';

/** Tokens other than a live session of a permitted user; undefined for no token. */
export type DeadTokens = Record<DeadToken, string | undefined>;
export type DeadToken =
  | 'none'
  | 'malformed'
  | 'random'
  | 'idle'
  | 'expired'
  | 'logged out'
  | 'before a reset'
  | 'of a disabled user';

/**
 * One token in each state (T1), all of sessions with A's permissions. A's live session is created
 * again.
 */
export async function makeDeadTokens(site: Site): Promise<DeadTokens> {
  const { actors, db } = site;
  const { a, here } = actors;
  const loggedOut = await makeSession(db.owner, a.userId, here);
  await site.send(callOf('logout', idsOf(a.records[0]), { token: loggedOut }));
  const beforeReset = await makeSession(db.owner, a.userId, here);
  await resetPassword(site, a, PASSWORD);
  a.token = await makeSession(db.owner, a.userId, here);
  return {
    none: undefined,
    malformed: `rvt_${randomBytes(20).toString('hex')}.${randomBytes(8).toString('hex')}`,
    random: newToken(),
    idle: await makeSession(db.owner, a.userId, here, { begunMinutes: -40, seenMinutes: -31 }),
    expired: await makeSession(db.owner, a.userId, here, { begunMinutes: -12 * 60 - 1 }),
    'logged out': loggedOut,
    'before a reset': beforeReset,
    'of a disabled user': await makeSession(db.owner, await disabledTwinOf(site), here),
  };
}

/**
 * Looks the account up, takes the code from the mail and sets a password, as a tenant who forgot
 * theirs. Answers the device token for the next sign-in.
 */
export async function resetPassword(
  site: { db: Pick<NewDatabase, 'owner'>; send: Site['send'] },
  person: Person,
  password: string,
): Promise<string> {
  const { corp: corporationCode, locationCode } = person.records[0].place;
  const ids = idsOf(person.records[0]);
  const lookup = await site.send(
    callOf('register', ids, { body: { email: person.email, locationCode, corporationCode } }),
  );
  const { token } = jsonOf(lookup) as { token: string }; // as the endpoint answers
  const code = await newestCodeTo(site.db, person.email);
  await site.send(callOf('verify', ids, { body: { token, code, corporationCode } }));
  const answer = await site.send(
    callOf('updatePassword', ids, { body: { token, password, corporationCode } }),
  );
  if (answer.status !== 200)
    throw new Error(`the password of ${person.email} was not set: ${answer.status}`);
  return (jsonOf(answer) as { device: string }).device; // as the endpoint answers
}

/** The verification code that was mailed last to an address. */
export async function newestCodeTo(
  { owner }: Pick<NewDatabase, 'owner'>,
  email: string,
): Promise<string> {
  const mails = await mailsTo({ owner, ctx: { vault: proofVault } }, email);
  const mail = mails.findLast(({ subject }) => subject === 'Your verification code');
  return /^\d{8}$/m.exec(mail!.text)![0];
}

/** A disabled sign-in for A's record. */
async function disabledTwinOf({ db, actors: { a, here } }: Site): Promise<string> {
  const { id } = await db.owner
    .insertInto('users')
    .values({
      corporation_id: here.corporationId,
      email: 'twin-of-a@example.com',
      password_hash: 'none',
      disabled_at: testClock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addRows(db.owner, 'user_tenants', {
    user_id: id,
    tenant_id: a.records[0].tenantId,
    position: 1,
  });
  return id;
}
