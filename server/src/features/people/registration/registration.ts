import { CODE_MINUTES, CODE_TRIES } from '@gatehouse/contract/registration';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { inBatches } from '#db/batches.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import {
  countByNetwork,
  countLimited,
  networkKey,
  type Counted,
} from '#features/base/limits/limits.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { accountOf, foldEmail } from '#features/people/session/account.ts';
import {
  deviceKey,
  findDevice,
  findDeviceKeys,
  ofUsers,
} from '#features/people/session/devices.ts';
import { networksOf } from '#http/network.ts';
import { hashToken } from '#http/token.ts';
import { Refusal } from '#errors/refusal.ts';
import { codeEmail, notOnFileEmail, sharedAddressEmail } from './emails.ts';
import { hashCode, isSameHash, newCode, newRegistrationToken, dummyCodeHash } from './rules.ts';

export type Lookup = {
  email: string;
  locationCode: string;
  corporationCode: string;
  /** Of an earlier lookup, which this one replaces. */
  token?: string | undefined;
  device?: string | undefined;
};

/** How many lookups of one count may be open at once; one more ends the oldest. */
const OPEN_LOOKUPS = 3;

function lookedUpTooOften(): string {
  return t(
    'This account was looked up too often. Please use a code that you got, or try again later.',
  );
}

/**
 * Looks an account up: begins a registration with a code and token of its own, next to up to two
 * others, or in the place of the one whose token is given. A known and an unknown address leave the
 * same rows and get the same answer; only the mail differs. Refuses with 422 a location that does
 * not exist, and with 429 an address, known or not, or a network that asks too often; a device that
 * signed in to the account has its own count and no part in those.
 */
export async function register(
  ctx: Context,
  lookup: Lookup,
  ip: string,
): Promise<{ token: string }> {
  const facility = await findFacility(ctx.db, lookup);
  if (facility === undefined) throw new Refusal(422, t('That location is not one of ours.'));
  const account = accountOf(ctx, lookup.corporationCode, lookup.email);
  const device = await findDevice(ctx, ofUsers, { ...lookup, username: lookup.email });
  const key = device === null ? account : deviceKey(ctx, device);
  const counted: Counted[] = [{ name: 'codes-in-ten-minutes', key }];
  if (device === null) {
    await countByNetwork(ctx, ip, ['lookups-a-minute', 'lookups-an-hour'], lookedUpTooOften());
    counted.push(
      { name: 'codes-an-hour', key },
      { name: 'codes-an-hour-from-a-network', key: accountAndNetwork(ctx, account, ip) },
    );
  }
  const token = newRegistrationToken();
  const tokenHash = hashToken(token);
  const code = newCode();
  await ctx.db.transaction().execute(async (trx) => {
    // In the transaction that queues the mail, so that a refused lookup is not counted.
    await countLimited(ctx, trx, counted, lookedUpTooOften());
    const onFile = await findAddressOnFile(trx, facility.id, lookup.email);
    const codeHash =
      onFile?.isReached === true ? hashCode(ctx.config.secret, tokenHash, code) : dummyCodeHash();
    const email = foldEmail(lookup.email);
    await addLookup(ctx, trx, lookup.token, {
      key,
      facility_id: facility.id,
      email,
      token_hash: tokenHash,
      code_hash: codeHash,
    });
    // Where an address is on file, the mail goes to it and not to the one typed: addresses that
    // compare as equal may be different mailboxes.
    const to = onFile?.email ?? lookup.email;
    await queueMail(ctx, trx, {
      to,
      kind: onFile === undefined ? 'not_on_file' : 'security',
      tenantId: null,
      email: () => {
        if (onFile === undefined) return notOnFileEmail(facility);
        return onFile.isReached ? codeEmail(facility, code) : sharedAddressEmail(facility);
      },
      bodyDays: 1,
      isUrgent: true,
    });
  });
  return { token };
}

/**
 * Whether the code belongs to the token: within 10 minutes, in one of 5 tries, once. A try is
 * counted before it is checked, and concurrent tries wait for each other. Only tries with a token
 * that is not open count for the network, which is refused with 429 where they are too many: what
 * others on it do does not keep the owner of an open one out.
 */
export async function verify(
  ctx: Context,
  { token, code, corporationCode }: { token: string; code: string; corporationCode: string },
  ip: string,
): Promise<boolean> {
  const tokenHash = hashToken(token);
  const now = ctx.clock.now();
  const isRight = await ctx.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ codeHash: Buffer }>`
      UPDATE account_lookups l SET tries = l.tries + 1
      FROM facilities f JOIN corporations c ON c.id = f.corporation_id
      WHERE l.token_hash = ${tokenHash} AND f.id = l.facility_id AND c.code = ${corporationCode}
        AND l.created_at > ${now}::timestamptz - make_interval(mins => ${CODE_MINUTES})
        AND l.tries < ${CODE_TRIES} AND l.verified_at IS NULL
      RETURNING l.code_hash AS "codeHash"`.execute(trx);
    const [found] = rows;
    if (found === undefined) return undefined;
    if (!isSameHash(found.codeHash, hashCode(ctx.config.secret, tokenHash, code))) return false;
    await trx
      .updateTable('account_lookups')
      .set({ verified_at: now })
      .where('token_hash', '=', tokenHash)
      .execute();
    return true;
  });
  if (isRight === undefined)
    await countByNetwork(
      ctx,
      ip,
      ['code-tries-a-minute'],
      t('There were too many tries. Please try again later.'),
    );
  return isRight ?? false;
}

/**
 * The key of one network's codes for an account: it begins with the account's digest. Here a
 * network is the widest that one customer may have, because the limit is too small to be divided.
 */
function accountAndNetwork(ctx: Context, account: Buffer, ip: string): Buffer {
  const { network } = networksOf(ip).at(-1)!;
  return Buffer.concat([account, networkKey(ctx, network)]);
}

/**
 * Deletes the counts of a user's codes, of all networks and devices. Returns the number of counts.
 */
export async function forgetCodeCounts(
  ctx: Context,
  trx: DatabaseTransaction,
  user: { id: string; email: string; corporationCode: string },
): Promise<number> {
  const account = accountOf(ctx, user.corporationCode, user.email);
  const keys = [account, ...(await findDeviceKeys(ctx, trx, user.id))];
  const { rows } = await sql`
    DELETE FROM limit_counts
    WHERE name IN ('codes-in-ten-minutes', 'codes-an-hour') AND key = ANY(${keys}::bytea[])
      OR name = 'codes-an-hour-from-a-network' AND substring(key FOR ${account.length}) = ${account}
    RETURNING name`.execute(trx);
  return rows.length;
}

type Facility = { id: string; name: string; phone: string | null };

async function findFacility(
  db: Database,
  { locationCode, corporationCode }: Lookup,
): Promise<Facility | undefined> {
  return db
    .selectFrom('facilities')
    .innerJoin('corporations', 'corporations.id', 'facilities.corporation_id')
    .select(['facilities.id', 'facilities.name', 'facilities.phone'])
    .where('facilities.location_code', '=', locationCode)
    .where('corporations.code', '=', corporationCode)
    .executeTakeFirst();
}

/**
 * The address on file at the location, and whether it reaches a record there: one that records of
 * several names share does not until staff joined it. A disabled user's counts as not on file, as
 * does that of a tenant who died.
 */
export async function findAddressOnFile(
  trx: DatabaseTransaction,
  facilityId: string,
  email: string,
): Promise<{ email: string; isReached: boolean } | undefined> {
  const { rows } = await sql<{ email: string; isReached: boolean }>`
    SELECT t.email, is_reached_by_address(t.id) AS "isReached" FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE t.facility_id = ${facilityId} AND lower(t.email) = ${foldEmail(email)} AND NOT is_closed_by_death(t.id)
      AND NOT EXISTS (
        SELECT FROM users u
        WHERE u.corporation_id = f.corporation_id AND lower(u.email) = lower(t.email) AND u.disabled_at IS NOT NULL)
    ORDER BY "isReached" DESC, t.id LIMIT 1`.execute(trx);
  return rows[0];
}

/** Locks the registrations of a folded address until the transaction ends. */
export async function lockRegistrations(trx: DatabaseTransaction, email: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${email}, 1))`.execute(trx);
}

type NewLookup = {
  key: Buffer;
  facility_id: string;
  email: string;
  token_hash: Buffer;
  code_hash: Buffer;
};

/**
 * A verified lookup stays along with the new one, for its owner to finish. Lookups of one count
 * follow each other, since each has locked the row of its limit.
 */
async function addLookup(
  ctx: Context,
  trx: DatabaseTransaction,
  replaced: string | undefined,
  row: NewLookup,
): Promise<void> {
  if (replaced !== undefined)
    await trx
      .deleteFrom('account_lookups')
      .where('token_hash', '=', hashToken(replaced))
      .where('facility_id', '=', row.facility_id)
      .where('email', '=', row.email)
      .where('verified_at', 'is', null)
      .execute();
  await sql`
    DELETE FROM account_lookups WHERE token_hash IN (
      SELECT token_hash FROM account_lookups WHERE key = ${row.key} AND verified_at IS NULL
      ORDER BY created_at DESC, token_hash OFFSET ${OPEN_LOOKUPS - 1})`.execute(trx);
  await trx
    .insertInto('account_lookups')
    .values({ ...row, created_at: ctx.clock.now() })
    .execute();
}

/** Deletes the lookups that are older than a day. */
export async function forgetOldLookups({ db, clock }: Context): Promise<void> {
  await inBatches(1000, async (limit) => {
    const { rows } = await sql`
      DELETE FROM account_lookups WHERE token_hash IN (
        SELECT token_hash FROM account_lookups
        WHERE created_at < ${clock.now()}::timestamptz - interval '1 day'
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING 1`.execute(db);
    return rows.length;
  });
}
