import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context.ts';
import type { Database } from '#db/database.ts';
import { countLimited, keyOf, networkOf, secondsUntil, tooMany } from '#features/limits/limits.ts';
import { accountOf } from './account.ts';

/** From this try on each waits twice as long as the one before (D21). */
const FREE_TRIES = 5;
const LONGEST_WAIT_SECONDS = 900;
/** After this many in a row only a new password helps. */
const MOST_TRIES = 100;
const KNOWN_DAYS = 30;
const BATCH = 1000;

const TOO_OFTEN = 'There were too many sign-ins from your network. Please wait a moment and try again.';
const WAIT = 'There were too many wrong passwords. Please wait a moment and try again, or choose “Forgot password”.';
const RESET = 'There were too many wrong passwords. Please choose “Forgot password” to set a new one.';

/** The account and network of a sign-in, as digests alone. */
export type Try = { account: Buffer; network: Buffer; key: Buffer; isKnownNetwork: boolean };

/**
 * Counts a sign-in before its password is checked (D21), so that concurrent ones are limited too:
 * 20 a minute and 100 an hour from a network; of an account, known or not, the fifth wrong one in a
 * row must wait, each twice as long up to 15 minutes, and after 100 only a new password helps. A
 * network that signed in to the account within 30 days has a count of its own, so that wrong
 * passwords from elsewhere do not lock the owner out (T4). Refuses with 429.
 */
export async function beginTry(
  ctx: Context,
  { username, corporationCode, ip }: { username: string; corporationCode: string; ip: string },
): Promise<Try> {
  const account = accountOf(ctx, corporationCode, username);
  const network = keyOf(ctx, 'network', networkOf(ip));
  await countLimited(
    ctx,
    ctx.db,
    [
      { name: 'sign-ins-a-minute', key: network },
      { name: 'sign-ins-an-hour', key: network },
    ],
    TOO_OFTEN,
  );
  const now = ctx.clock.now();
  const own = ownOf(ctx, account, network);
  const { rows } = await sql<{
    key: Buffer;
    isKnownNetwork: boolean;
    isMade: boolean;
    tries: number | null;
    nextAt: Date | null;
  }>`
    WITH known AS (
      SELECT ${isKnown(account, network, now)} AS is_known
    ), who AS (
      SELECT is_known, CASE WHEN is_known THEN ${own}::bytea ELSE ${account}::bytea END AS key FROM known
    ), made AS (
      INSERT INTO sign_in_tries AS t (key, account, tries, next_at)
      SELECT key, ${account}, 1, ${now}::timestamptz FROM who
      ON CONFLICT (key) DO UPDATE SET tries = t.tries + 1,
        next_at = ${now}::timestamptz + CASE WHEN t.tries + 1 < ${FREE_TRIES} THEN interval '0'
          ELSE make_interval(secs => least(power(2, least(t.tries + 1 - ${FREE_TRIES}, 30)), ${LONGEST_WAIT_SECONDS})) END
      WHERE t.next_at <= ${now}::timestamptz AND t.tries < ${MOST_TRIES}
      RETURNING key
    )
    SELECT who.key, who.is_known AS "isKnownNetwork", EXISTS (SELECT FROM made) AS "isMade", t.tries, t.next_at AS "nextAt"
    FROM who LEFT JOIN sign_in_tries t ON t.key = who.key`.execute(ctx.db);
  const { key, isKnownNetwork, isMade, tries, nextAt } = rows[0]!;
  if (isMade) return { account, network, key, isKnownNetwork };
  if ((tries ?? 0) >= MOST_TRIES) throw tooMany(RESET, LONGEST_WAIT_SECONDS);
  throw tooMany(WAIT, nextAt === null ? 1 : secondsUntil(now, nextAt));
}

/**
 * Resets the count after a right password and stores the network as known. Returns whether it is a
 * new network beside others, of which the owner is notified.
 */
export async function endTries(
  ctx: Context,
  db: Database,
  { account, network, key, isKnownNetwork }: Try,
): Promise<boolean> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ hasOthers: boolean }>`
    WITH others AS (SELECT FROM known_networks WHERE account = ${account} AND network <> ${network}
        AND last_sign_in_at > ${now}::timestamptz - make_interval(days => ${KNOWN_DAYS}) LIMIT 1
    ), forgotten AS (DELETE FROM sign_in_tries WHERE key = ${key}
    ), known AS (
      INSERT INTO known_networks (account, network, last_sign_in_at) VALUES (${account}, ${network}, ${now})
      ON CONFLICT (account, network) DO UPDATE SET last_sign_in_at = excluded.last_sign_in_at
    )
    SELECT EXISTS (SELECT FROM others) AS "hasOthers"`.execute(db);
  return !isKnownNetwork && rows[0]!.hasOthers;
}

/**
 * The key of a network's own count for an account, where it signed in to the account within 30
 * days; null where it did not.
 */
export async function findOwnCount(
  ctx: Context,
  db: Database,
  { account, network }: Pick<Try, 'account' | 'network'>,
): Promise<Buffer | null> {
  const { rows } = await sql<{
    isKnown: boolean;
  }>`SELECT ${isKnown(account, network, ctx.clock.now())} AS "isKnown"`.execute(db);
  return rows[0]!.isKnown ? ownOf(ctx, account, network) : null;
}

/** The keys of the counts of an account's known networks. */
export async function findOwnCounts(ctx: Context, db: Database, account: Buffer): Promise<Buffer[]> {
  const networks = await db.selectFrom('known_networks').select('network').where('account', '=', account).execute();
  return networks.map(({ network }) => ownOf(ctx, account, network));
}

function isKnown(account: Buffer, network: Buffer, now: Date): RawBuilder<boolean> {
  return sql`EXISTS (SELECT FROM known_networks WHERE account = ${account} AND network = ${network}
    AND last_sign_in_at > ${now}::timestamptz - make_interval(days => ${KNOWN_DAYS}))`;
}

function ownOf(ctx: Context, account: Buffer, network: Buffer): Buffer {
  return keyOf(ctx, 'account and network', account.toString('hex'), network.toString('hex'));
}

/** Resets all counts and known networks of an account after a new password. */
export async function forgetTries(ctx: Context, db: Database, corporationCode: string, email: string): Promise<void> {
  const account = accountOf(ctx, corporationCode, email);
  await sql`
    WITH forgotten AS (DELETE FROM sign_in_tries WHERE account = ${account})
    DELETE FROM known_networks WHERE account = ${account}`.execute(db);
}

/** Deletes the networks that are no longer known. */
export async function forgetOldNetworks({ db, clock }: Context): Promise<void> {
  const forgetBatch = async () => {
    const { rows } = await sql`
      DELETE FROM known_networks WHERE (account, network) IN (
        SELECT account, network FROM known_networks
        WHERE last_sign_in_at < ${clock.now()}::timestamptz - make_interval(days => ${KNOWN_DAYS})
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING 1`.execute(db);
    return rows.length;
  };
  while ((await forgetBatch()) === BATCH);
}

/** Resets all counts of an account and keeps its known networks. Returns the number of counts. */
export async function forgetWaits(ctx: Context, db: Database, corporationCode: string, email: string): Promise<number> {
  const account = accountOf(ctx, corporationCode, email);
  const gone = await db.deleteFrom('sign_in_tries').where('account', '=', account).returning('key').execute();
  return gone.length;
}

/**
 * Deletes counts without recent tries: small ones after a day, those that had to wait after a year.
 */
export async function forgetOldTries({ db, clock }: Context): Promise<void> {
  const forgetBatch = async () => {
    const { rows } = await sql`
      DELETE FROM sign_in_tries WHERE key IN (
        SELECT key FROM sign_in_tries WHERE next_at < ${clock.now()}::timestamptz - interval '1 day'
          AND (tries < ${FREE_TRIES} OR next_at < ${clock.now()}::timestamptz - interval '1 year')
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING 1`.execute(db);
    return rows.length;
  };
  while ((await forgetBatch()) === BATCH);
}
