import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { inBatches } from '#db/batches.ts';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { keyOf } from '#features/limits/limits.ts';

/** A challenge can be answered for so many minutes. */
export const CHALLENGE_MINUTES = 5;

const RANDOM_BYTES = 16;
const EXPIRES_BYTES = 4;
const SEAL_BYTES = 32;

/** What a challenge is for: any sign-in, or a new passkey of one user. */
export type Purpose = 'sign-in' | `add to ${string}`;

/**
 * A challenge in base64url, sealed with the server's key with its end, so that one which is not
 * answered leaves no row.
 */
export function newChallenge(ctx: Context, purpose: Purpose): string {
  const expires = Buffer.alloc(EXPIRES_BYTES);
  expires.writeUInt32BE(Math.floor(ctx.clock.now().getTime() / 1000) + CHALLENGE_MINUTES * 60);
  const said = Buffer.concat([randomBytes(RANDOM_BYTES), expires]);
  return Buffer.concat([said, sealOf(ctx, purpose, said)]).toString('base64url');
}

/** Whether a challenge is one of this server's for the purpose, and not too old. */
export function isChallenge(ctx: Context, purpose: Purpose, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  // Other encodings of the same bytes would count as other challenges.
  if (bytes.toString('base64url') !== challenge) return false;
  if (bytes.length !== RANDOM_BYTES + EXPIRES_BYTES + SEAL_BYTES) return false;
  const said = bytes.subarray(0, -SEAL_BYTES);
  if (!timingSafeEqual(bytes.subarray(-SEAL_BYTES), sealOf(ctx, purpose, said))) return false;
  return said.readUInt32BE(RANDOM_BYTES) * 1000 > ctx.clock.now().getTime();
}

/** Uses a challenge up; of several answers to one only the first gets true. */
export async function useChallenge(
  { clock }: Context,
  db: Database,
  challenge: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_challenges')
    .values({ challenge: Buffer.from(challenge, 'base64url'), used_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes used challenges that have expired; the hour is for servers whose clocks differ. */
export async function forgetOldChallenges({ db, clock }: Context): Promise<void> {
  await inBatches(1000, async (limit) => {
    const { rows } = await sql`
      DELETE FROM used_challenges WHERE challenge IN (
        SELECT challenge FROM used_challenges WHERE used_at < ${clock.now()}::timestamptz - interval '1 hour'
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING 1`.execute(db);
    return rows.length;
  });
}

function sealOf(ctx: Context, purpose: Purpose, said: Buffer): Buffer {
  return keyOf(ctx, 'passkey-challenge', purpose, said.toString('hex'));
}
