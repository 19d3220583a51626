import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { inBatches } from '#db/batches.ts';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import {
  countByNetwork,
  countLimited,
  networkKey,
  secondsUntil,
  tooMany,
} from '#features/base/limits/limits.ts';
import { networksOf } from '#http/network.ts';
import { accountOf } from './account.ts';
import {
  deviceKey,
  dropDevice,
  ofStaff,
  ofUsers,
  type Device,
  type DeviceOwners,
} from './devices.ts';

/** From this try on each waits twice as long as the one before. */
const FREE_TRIES = 5;
const KNOWN_DAYS = 30;

/** How the wrong passwords of an account count. */
type Policy = {
  devices: DeviceOwners;
  /** The longest wait of a device that signed in before, and of any other, in seconds. */
  longestWait: { known: number; stranger: number };
  /** After this many in a row the device ends, and any other needs a new password. */
  most: { known: number; stranger: number };
};

/** Of tenants, who choose “Forgot password” for a new one. */
export const tenantPolicy: Policy = {
  devices: ofUsers,
  longestWait: { known: 900, stranger: 900 },
  most: { known: 100, stranger: 100 },
};

/** Of staff: only an owner gives a new password, so strangers' tries never require one. */
export const staffPolicy: Policy = {
  devices: ofStaff,
  longestWait: { known: 900, stranger: 3600 },
  most: { known: 100, stranger: 2 ** 31 - 1 },
};

/** Refuses a sign-in from a network with too many. */
export function tooOften(): string {
  return t('There were too many sign-ins from your network. Please wait a moment and try again.');
}

/**
 * The account of a sign-in and the networks by which its household is known, as digests only: an
 * IPv6 one's first 64 and 56 bits, because a household may have several networks of 64.
 */
export type Try = {
  account: Buffer;
  networks: Buffer[];
  /** Of the count of wrong passwords; null where no password is asked for. */
  key: Buffer | null;
  /** Whether another one like it has to wait. */
  isLock: boolean;
  device: Device;
};

/** The account of a sign-in, known or not, the network address and the device. */
export type SignIn = { account: Buffer; ip: string; device: Device };

/**
 * Counts a sign-in before its password is checked, so that concurrent ones are limited too: 20 a
 * minute and 100 an hour from a network; of an account, known or not, the fifth wrong one in a row
 * must wait, each twice as long up to the policy's longest. A device that signed in to the account
 * has its own count and no part in those of its network and account, so that others cannot lock the
 * owner out. Any other sign-in is refused alike from every network, known or not. Refuses with 429.
 */
export async function beginTry(ctx: Context, signIn: SignIn, policy: Policy): Promise<Try> {
  const { account, ip, device } = signIn;
  const side = device.hash === null ? 'stranger' : 'known';
  const key = device.hash === null ? account : deviceKey(ctx, device.hash);
  if (device.hash === null)
    await countByNetwork(ctx, ip, ['sign-ins-a-minute', 'sign-ins-an-hour'], tooOften());
  else await countLimited(ctx, ctx.db, [{ name: 'sign-ins-a-minute', key }], tooOften());
  const now = ctx.clock.now();
  const { rows } = await sql<{
    isMade: boolean;
    isLock: boolean | null;
    tries: number | null;
    nextAt: Date | null;
  }>`
    WITH made AS (
      INSERT INTO sign_in_tries AS t (key, account, tries, next_at)
      VALUES (${key}, ${account}, 1, ${now}::timestamptz)
      ON CONFLICT (key) DO UPDATE SET tries = t.tries + 1,
        next_at = ${now}::timestamptz + CASE WHEN t.tries + 1 < ${FREE_TRIES} THEN interval '0'
          ELSE make_interval(secs => least(power(2, least(t.tries + 1 - ${FREE_TRIES}, 30)), ${policy.longestWait[side]})) END
      WHERE t.next_at <= ${now}::timestamptz AND t.tries < ${policy.most[side]}
      RETURNING next_at > ${now}::timestamptz AS "isLock"
    )
    SELECT EXISTS (SELECT FROM made) AS "isMade", (SELECT "isLock" FROM made), t.tries, t.next_at AS "nextAt"
    FROM (VALUES (1)) AS one LEFT JOIN sign_in_tries t ON t.key = ${key}`.execute(ctx.db);
  const { isMade, isLock, tries, nextAt } = rows[0]!;
  if (isMade)
    return { account, networks: householdOf(ctx, ip), key, isLock: isLock === true, device };
  if ((tries ?? 0) >= policy.most[side]) {
    if (device.hash === null)
      throw tooMany(
        t('There were too many wrong passwords. Please choose “Forgot password” to set a new one.'),
        policy.longestWait[side],
      );
    await dropDevice(ctx.db, policy.devices, device.hash);
    return beginTry(ctx, { ...signIn, device: { ...device, hash: null } }, policy);
  }
  throw tooMany(
    t(
      'There were too many wrong passwords. Please wait a moment and try again, or choose “Forgot password”.',
    ),
    nextAt === null ? 1 : secondsUntil(now, nextAt),
  );
}

/** A sign-in without a password, which cannot be guessed: it has no part in these counts. */
export function trustedTry(ctx: Context, { account, ip, device }: SignIn): Try {
  return { account, networks: householdOf(ctx, ip), key: null, isLock: false, device };
}

function householdOf(ctx: Context, ip: string): Buffer[] {
  const networks = networksOf(ip).slice(0, 2);
  return networks.map(({ network }) => networkKey(ctx, network));
}

/**
 * Resets the count after a right password and stores the networks as known. Returns whether they
 * are new along with others, of which the owner is notified.
 */
export async function endTries(
  ctx: Context,
  db: Database,
  { account, networks, key }: Try,
): Promise<boolean> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ isNew: boolean }>`
    WITH recent AS (
      SELECT network = ANY(${networks}::bytea[]) AS "isOne" FROM known_networks
      WHERE account = ${account}
        AND last_sign_in_at > ${now}::timestamptz - make_interval(days => ${KNOWN_DAYS})
    ), forgotten AS (DELETE FROM sign_in_tries WHERE key = ${key}::bytea
    ), known AS (
      INSERT INTO known_networks (account, network, last_sign_in_at)
      SELECT ${account}, network, ${now} FROM unnest(${networks}::bytea[]) AS one (network) ORDER BY network
      ON CONFLICT (account, network) DO UPDATE SET last_sign_in_at = excluded.last_sign_in_at
    )
    SELECT coalesce(bool_and(NOT "isOne"), false) AS "isNew" FROM recent`.execute(db);
  return rows[0]!.isNew;
}

/** Resets all counts and known networks of an account after a new password. */
export async function forgetTries(
  ctx: Context,
  db: Database,
  corporationCode: string,
  email: string,
): Promise<void> {
  const account = accountOf(ctx, corporationCode, email);
  await sql`
    WITH forgotten AS (DELETE FROM sign_in_tries WHERE account = ${account})
    DELETE FROM known_networks WHERE account = ${account}`.execute(db);
}

/** Deletes the networks that are no longer known. */
export async function forgetOldNetworks({ db, clock }: Context): Promise<void> {
  await inBatches(1000, async (limit) => {
    const { rows } = await sql`
      DELETE FROM known_networks WHERE (account, network) IN (
        SELECT account, network FROM known_networks
        WHERE last_sign_in_at < ${clock.now()}::timestamptz - make_interval(days => ${KNOWN_DAYS})
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING 1`.execute(db);
    return rows.length;
  });
}

/** Resets all counts of an account and keeps its known networks. Returns the number of counts. */
export async function forgetWaits(
  ctx: Context,
  db: Database,
  corporationCode: string,
  email: string,
): Promise<number> {
  const account = accountOf(ctx, corporationCode, email);
  const gone = await db
    .deleteFrom('sign_in_tries')
    .where('account', '=', account)
    .returning('key')
    .execute();
  return gone.length;
}

/**
 * Deletes counts without recent tries: small ones after a day, those that had to wait after a year.
 */
export async function forgetOldTries({ db, clock }: Context): Promise<void> {
  await inBatches(1000, async (limit) => {
    const { rows } = await sql`
      DELETE FROM sign_in_tries WHERE key IN (
        SELECT key FROM sign_in_tries WHERE next_at < ${clock.now()}::timestamptz - interval '1 day'
          AND (tries < ${FREE_TRIES} OR next_at < ${clock.now()}::timestamptz - interval '1 year')
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING 1`.execute(db);
    return rows.length;
  });
}
