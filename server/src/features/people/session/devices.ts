import { sql } from 'kysely';
import { inBatches } from '#db/batches.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { keyOf } from '#features/base/limits/limits.ts';
import { hashToken, newDeviceToken } from '#http/token.ts';
import { foldEmail } from './account.ts';

/** A user's device beyond this number ends the one that was not used for the longest time. */
export const DEVICES_PER_USER = 20;
/** A device token expires this many days after its last sign-in. */
export const DEVICE_DAYS = 180;

/**
 * The hash of a device token that belongs to the account of an address; null for one of another
 * account, of a disabled user, expired or never issued. An unknown address has none.
 */
export async function findDevice(
  { db, clock }: Context,
  {
    username,
    corporationCode,
    device,
  }: { username: string; corporationCode: string; device?: string | undefined },
): Promise<Buffer | null> {
  if (device === undefined) return null;
  const { rows } = await sql<{ hash: Buffer }>`
    SELECT d.token_hash AS hash FROM devices d
    JOIN users u ON u.id = d.user_id AND u.disabled_at IS NULL
    JOIN corporations c ON c.id = u.corporation_id AND c.code = ${corporationCode}
    WHERE d.token_hash = ${hashToken(device)} AND lower(u.email) = ${foldEmail(username)}
      AND d.last_used_at > ${clock.now()}::timestamptz - make_interval(days => ${DEVICE_DAYS})`.execute(
    db,
  );
  return rows[0]?.hash ?? null;
}

/** The key of a device's own counts. */
export function deviceKey(ctx: Context, hash: Buffer): Buffer {
  return keyOf(ctx, 'device', hash.toString('hex'));
}

/** The keys of the counts of all devices of a user. */
export async function findDeviceKeys(
  ctx: Context,
  trx: DatabaseTransaction,
  userId: string,
): Promise<Buffer[]> {
  const devices = await trx
    .selectFrom('devices')
    .select('token_hash')
    .where('user_id', '=', userId)
    .execute();
  return devices.map(({ token_hash }) => deviceKey(ctx, token_hash));
}

/**
 * Extends the device that a user signed in with, or issues a new one where it has none. Returns the
 * token. Runs under the user's lock, which keeps the number of devices.
 */
export async function keepDevice(
  { clock }: Context,
  trx: DatabaseTransaction,
  userId: string,
  { given, hash }: { given: string | undefined; hash: Buffer | null },
): Promise<string> {
  const now = clock.now();
  if (given !== undefined && hash !== null) {
    const { rows } = await sql`
      UPDATE devices SET last_used_at = ${now} WHERE token_hash = ${hash} AND user_id = ${userId}
      RETURNING 1`.execute(trx);
    if (rows.length > 0) return given;
  }
  await sql`
    DELETE FROM devices WHERE token_hash IN (
      SELECT token_hash FROM devices WHERE user_id = ${userId}
      ORDER BY last_used_at DESC, token_hash OFFSET ${DEVICES_PER_USER - 1})`.execute(trx);
  const token = newDeviceToken();
  await trx
    .insertInto('devices')
    .values({ token_hash: hashToken(token), user_id: userId, created_at: now, last_used_at: now })
    .execute();
  return token;
}

/** Ends one device, which had too many wrong passwords. */
export async function dropDevice(db: Database, hash: Buffer): Promise<void> {
  await db.deleteFrom('devices').where('token_hash', '=', hash).execute();
}

/** Ends all devices of a user but the one whose token is given. */
export async function dropDevices(
  trx: DatabaseTransaction,
  userId: string,
  kept?: string,
): Promise<void> {
  let query = trx.deleteFrom('devices').where('user_id', '=', userId);
  if (kept !== undefined) query = query.where('token_hash', '<>', hashToken(kept));
  await query.execute();
}

/** Deletes the devices that have expired. */
export async function forgetOldDevices({ db, clock }: Context): Promise<void> {
  await inBatches(1000, async (limit) => {
    const { rows } = await sql`
      DELETE FROM devices WHERE token_hash IN (
        SELECT token_hash FROM devices
        WHERE last_used_at < ${clock.now()}::timestamptz - make_interval(days => ${DEVICE_DAYS})
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING 1`.execute(db);
    return rows.length;
  });
}
