import { CODE_MINUTES, CODE_TRIES } from '@gatehouse/contract/registration';
import { sql } from 'kysely';
import type { Context } from '#context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { countLimited, keyOf, networkOf, type Counted } from '#features/limits/limits.ts';
import { queueMail } from '#features/mail/mail.ts';
import { accountOf, foldEmail } from '#features/session/account.ts';
import { findOwnCount, findOwnCounts } from '#features/session/sign-in-tries.ts';
import { hashToken } from '#http/token.ts';
import { Refusal } from '#refusal.ts';
import { codeEmail, notOnFileEmail } from './emails.ts';
import { hashCode, isSameHash, newCode, newRegistrationToken, dummyCodeHash } from './rules.ts';

export type Lookup = { email: string; locationCode: string; corporationCode: string };

const LOOKED_UP_TOO_OFTEN =
  'This account was looked up too often. Please use the newest code that you got, or try again later.';
const TRIED_TOO_OFTEN = 'There were too many tries. Please try again later.';

/**
 * Begins a registration, or restarts it: code and token of that address at that location are
 * replaced (spec section 4), unless the code was verified already. A known and an unknown address
 * leave the same rows and get the same answer; only the mail differs (T6). Refuses with 422 a
 * location that does not exist, and with 429 an address, known or not, or a network that asks too
 * often.
 */
export async function register(ctx: Context, lookup: Lookup, ip: string): Promise<{ token: string }> {
  const facility = await findFacility(ctx.db, lookup);
  if (facility === undefined) throw new Refusal(422, 'That location is not one of ours.');
  const network = keyOf(ctx, 'network', networkOf(ip));
  await countLimited(
    ctx,
    ctx.db,
    [
      { name: 'lookups-a-minute', key: network },
      { name: 'lookups-an-hour', key: network },
    ],
    LOOKED_UP_TOO_OFTEN,
  );
  const token = newRegistrationToken();
  const tokenHash = hashToken(token);
  const code = newCode();
  await ctx.db.transaction().execute(async (trx) => {
    await countCode(ctx, trx, facility.id, lookup, network);
    const onFile = await findAddressOnFile(trx, facility.id, lookup.email);
    const codeHash = onFile === undefined ? dummyCodeHash() : hashCode(ctx.config.secret, tokenHash, code);
    await replaceRegistration(ctx, trx, { facilityId: facility.id, email: lookup.email, tokenHash, codeHash });
    // Where an address is on file, the mail goes to it and not to the one typed: addresses that
    // compare as equal may be different mailboxes.
    const to = onFile ?? lookup.email;
    await queueMail(ctx, trx, {
      to,
      email: onFile === undefined ? notOnFileEmail(facility) : codeEmail(facility, code),
      bodyDays: 1,
      isUrgent: true,
    });
  });
  return { token };
}

/**
 * Whether the code belongs to the token: within 10 minutes, in one of 5 tries, once (D22), and of
 * 50 a day for an address (T5), of which a network that the account was signed in to from has its
 * own. A try is counted before it is checked, and concurrent tries wait for each other. Refuses
 * with 429 a network that tries too often.
 */
export async function verify(
  ctx: Context,
  { token, code, corporationCode }: { token: string; code: string; corporationCode: string },
  ip: string,
): Promise<boolean> {
  const network = keyOf(ctx, 'network', networkOf(ip));
  await countLimited(ctx, ctx.db, [{ name: 'code-tries-a-minute', key: network }], TRIED_TOO_OFTEN);
  const tokenHash = hashToken(token);
  const now = ctx.clock.now();
  return ctx.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ codeHash: Buffer; facilityId: string; email: string }>`
      UPDATE registrations r SET tries = r.tries + 1
      FROM facilities f JOIN corporations c ON c.id = f.corporation_id
      WHERE r.token_hash = ${tokenHash} AND f.id = r.facility_id AND c.code = ${corporationCode}
        AND r.created_at > ${now}::timestamptz - make_interval(mins => ${CODE_MINUTES})
        AND r.tries < ${CODE_TRIES} AND r.verified_at IS NULL
      RETURNING r.code_hash AS "codeHash", r.facility_id AS "facilityId", r.email`.execute(trx);
    const [found] = rows;
    if (found === undefined) return false;
    const { key } = await countedFor(ctx, trx, found.facilityId, { email: found.email, corporationCode }, network);
    await countLimited(ctx, trx, [{ name: 'code-tries-a-day', key }], TRIED_TOO_OFTEN);
    if (!isSameHash(found.codeHash, hashCode(ctx.config.secret, tokenHash, code))) return false;
    await trx.updateTable('registrations').set({ verified_at: now }).where('token_hash', '=', tokenHash).execute();
    return true;
  });
}

/**
 * Counts a code of an address at a location: 3 in ten minutes and 10 a day, of which 5 from one
 * network, so that one network cannot use up the day (T5). A network that signed in to the account
 * within 30 days has a count of its own, so that others cannot lock the owner out at home. Runs in
 * the transaction that queues the mail, so that a refused call is not counted.
 */
async function countCode(
  ctx: Context,
  trx: DatabaseTransaction,
  facilityId: string,
  lookup: Pick<Lookup, 'email' | 'corporationCode'>,
  network: Buffer,
): Promise<void> {
  const { key, isOwn } = await countedFor(ctx, trx, facilityId, lookup, network);
  const counted: Counted[] = [
    { name: 'codes-in-ten-minutes', key },
    { name: 'codes-a-day', key },
  ];
  if (!isOwn)
    counted.push({
      name: 'codes-a-day-from-a-network',
      key: keyOf(ctx, 'address and network', key.toString('hex'), network.toString('hex')),
    });
  await countLimited(ctx, trx, counted, LOOKED_UP_TOO_OFTEN);
}

/**
 * The key under which codes of an address at a location are counted: shared, or the owner's own
 * network.
 */
async function countedFor(
  ctx: Context,
  trx: DatabaseTransaction,
  facilityId: string,
  { email, corporationCode }: Pick<Lookup, 'email' | 'corporationCode'>,
  network: Buffer,
): Promise<{ key: Buffer; isOwn: boolean }> {
  const own = await findOwnCount(ctx, trx, { account: accountOf(ctx, corporationCode, email), network });
  return { key: addressKey(ctx, facilityId, email, own), isOwn: own !== null };
}

/**
 * Deletes the counts of an address's codes and tries at every location, shared and of its own
 * networks. Returns the number of counts.
 */
export async function forgetRegistrationLimits(
  ctx: Context,
  trx: DatabaseTransaction,
  corporation: { id: string; code: string },
  email: string,
): Promise<number> {
  const facilities = await trx
    .selectFrom('facilities')
    .select('id')
    .where('corporation_id', '=', corporation.id)
    .execute();
  const own = await findOwnCounts(ctx, trx, accountOf(ctx, corporation.code, email));
  const keys = facilities.flatMap(({ id }) => [null, ...own].map((whose) => addressKey(ctx, id, email, whose)));
  const { rows } = await sql`
    DELETE FROM limit_counts
    WHERE name IN ('codes-in-ten-minutes', 'codes-a-day', 'code-tries-a-day') AND key = ANY(${keys}::bytea[])
    RETURNING name`.execute(trx);
  return rows.length;
}

function addressKey(ctx: Context, facilityId: string, email: string, own: Buffer | null): Buffer {
  const whose = own === null ? [] : [own.toString('hex')];
  return keyOf(ctx, 'address', facilityId, foldEmail(email), ...whose);
}

type Facility = { id: string; name: string; phone: string | null };

async function findFacility(db: Database, { locationCode, corporationCode }: Lookup): Promise<Facility | undefined> {
  return db
    .selectFrom('facilities')
    .innerJoin('corporations', 'corporations.id', 'facilities.corporation_id')
    .select(['facilities.id', 'facilities.name', 'facilities.phone'])
    .where('facilities.location_code', '=', locationCode)
    .where('corporations.code', '=', corporationCode)
    .executeTakeFirst();
}

/** The address on file at the location; a disabled user's counts as not on file. */
export async function findAddressOnFile(
  trx: DatabaseTransaction,
  facilityId: string,
  email: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    SELECT t.email FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE t.facility_id = ${facilityId} AND lower(t.email) = ${foldEmail(email)}
      AND NOT EXISTS (
        SELECT FROM users u
        WHERE u.corporation_id = f.corporation_id AND lower(u.email) = lower(t.email) AND u.disabled_at IS NOT NULL)
    ORDER BY t.id LIMIT 1`.execute(trx);
  return rows[0]?.email;
}

/** Locks the registrations of a folded address until the transaction ends. */
export async function lockRegistrations(trx: DatabaseTransaction, email: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${email}, 1))`.execute(trx);
}

type NewRegistration = { facilityId: string; email: string; tokenHash: Buffer; codeHash: Buffer };

/**
 * A verified registration stays beside the new one, for its owner to finish; expired ones are
 * deleted.
 */
async function replaceRegistration(ctx: Context, trx: DatabaseTransaction, row: NewRegistration): Promise<void> {
  await sql`
    DELETE FROM registrations WHERE token_hash IN (
      SELECT token_hash FROM registrations WHERE created_at < ${ctx.clock.now()}::timestamptz - interval '1 hour'
      FOR UPDATE SKIP LOCKED)`.execute(trx);
  await sql`
    INSERT INTO registrations (facility_id, email, token_hash, code_hash, created_at)
    VALUES (${row.facilityId}, ${foldEmail(row.email)}, ${row.tokenHash}, ${row.codeHash}, ${ctx.clock.now()})
    ON CONFLICT (facility_id, email) WHERE verified_at IS NULL DO UPDATE SET token_hash = excluded.token_hash,
      code_hash = excluded.code_hash, created_at = excluded.created_at, tries = 0`.execute(trx);
}
