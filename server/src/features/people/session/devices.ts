import { sql, type RawBuilder } from 'kysely';
import { inBatches } from '#db/batches.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { keyOf } from '#features/base/limits/limits.ts';
import { DEVICE_DAYS, hashToken, newDeviceToken } from '#http/token.ts';
import { foldEmail } from './account.ts';

/** A user's device beyond this number ends the one that was not used for the longest time. */
export const DEVICES_PER_USER = 20;

/** The tables of devices and accounts, and the column from one to the other. */
export type DeviceOwners = Record<'devices' | 'accounts' | 'owner', RawBuilder<unknown>>;
export const ofUsers: DeviceOwners = {
  devices: sql.table('devices'),
  accounts: sql.table('users'),
  owner: sql.ref('user_id'),
};
export const ofStaff: DeviceOwners = {
  devices: sql.table('staff_devices'),
  accounts: sql.table('staff_members'),
  owner: sql.ref('staff_id'),
};

/** The device token of a sign-in, and its hash where it belongs to the account. */
export type Device = { given: string | undefined; hash: Buffer | null };

/**
 * The hash of a device token that belongs to the account of an address; null for one of another
 * account, of a disabled one, expired or never issued. An unknown address has none.
 */
export async function findDevice(
  { db, clock }: Context,
  { devices, accounts, owner }: DeviceOwners,
  {
    username,
    corporationCode,
    device,
  }: { username: string; corporationCode: string; device?: string | undefined },
): Promise<Buffer | null> {
  if (device === undefined) return null;
  const { rows } = await sql<{ hash: Buffer }>`
    SELECT d.token_hash AS hash FROM ${devices} d
    JOIN ${accounts} a ON a.id = d.${owner} AND a.disabled_at IS NULL
    JOIN corporations c ON c.id = a.corporation_id AND c.code = ${corporationCode}
    WHERE d.token_hash = ${hashToken(device)} AND lower(a.email) = ${foldEmail(username)}
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
 * Extends the device that a user or member signed in with, or issues a new one where there is none.
 * Returns the token. Runs under the lock of the account, which keeps the number of devices.
 */
export async function keepDevice(
  { clock }: Context,
  trx: DatabaseTransaction,
  { devices, owner }: DeviceOwners,
  { ownerId, given, hash }: Device & { ownerId: string },
): Promise<string> {
  const now = clock.now();
  if (given !== undefined && hash !== null) {
    const { rows } = await sql`
      UPDATE ${devices} SET last_used_at = ${now} WHERE token_hash = ${hash} AND ${owner} = ${ownerId}
      RETURNING 1`.execute(trx);
    if (rows.length > 0) return given;
  }
  await sql`
    DELETE FROM ${devices} WHERE token_hash IN (
      SELECT token_hash FROM ${devices} WHERE ${owner} = ${ownerId}
      ORDER BY last_used_at DESC, token_hash OFFSET ${DEVICES_PER_USER - 1})`.execute(trx);
  const token = newDeviceToken();
  await sql`
    INSERT INTO ${devices} (token_hash, ${owner}, created_at, last_used_at)
    VALUES (${hashToken(token)}, ${ownerId}, ${now}, ${now})`.execute(trx);
  return token;
}

/** Ends one device, which had too many wrong passwords. */
export async function dropDevice(
  db: Database,
  { devices }: DeviceOwners,
  hash: Buffer,
): Promise<void> {
  await sql`DELETE FROM ${devices} WHERE token_hash = ${hash}`.execute(db);
}

/** Ends all devices of a user or member but the one whose token is given. */
export async function dropDevices(
  trx: DatabaseTransaction,
  { devices, owner }: DeviceOwners,
  ownerId: string,
  kept?: string,
): Promise<void> {
  await sql`
    DELETE FROM ${devices} WHERE ${owner} = ${ownerId}
      AND token_hash IS DISTINCT FROM ${kept === undefined ? null : hashToken(kept)}::bytea`.execute(
    trx,
  );
}

/** Deletes the devices that have expired. */
export async function forgetOldDevices({ db, clock }: Context): Promise<void> {
  for (const { devices } of [ofUsers, ofStaff])
    await inBatches(1000, async (limit) => {
      const { rows } = await sql`
        DELETE FROM ${devices} WHERE token_hash IN (
          SELECT token_hash FROM ${devices}
          WHERE last_used_at < ${clock.now()}::timestamptz - make_interval(days => ${DEVICE_DAYS})
          LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING 1`.execute(db);
      return rows.length;
    });
}
