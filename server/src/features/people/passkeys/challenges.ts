import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { inBatches } from '#db/batches.ts';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { makeLinkToken, readLinkToken, type LinkKind } from '#features/base/links/link-token.ts';

/** A challenge can be answered for this many minutes. */
export const CHALLENGE_MINUTES = 5;

/**
 * What a challenge is for: any sign-in of a tenant, or of staff, the confirmation of one kept
 * session, the second step of a member of staff, or a new passkey of one user or member.
 */
export type Purpose =
  | 'sign-in'
  | 'sign-in of staff'
  | `confirm ${string}`
  | `second step of ${string}`
  | `add to ${string}`
  | `add to staff ${string}`;

/** A new challenge in base64url; one that is not answered leaves no row. */
export function newChallenge(ctx: Context, purpose: Purpose): string {
  return makeLinkToken(ctx, kindOf(purpose), randomUUID());
}

/** Whether a challenge is one of this server's for the purpose, and not too old. */
export function isChallenge(ctx: Context, purpose: Purpose, challenge: string): boolean {
  return typeof readLinkToken(ctx, kindOf(purpose), challenge) !== 'string';
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

/** Sealed as the token of a link is, whose id is random here. */
function kindOf(purpose: Purpose): LinkKind {
  return {
    purpose: `passkey-challenge ${purpose}`,
    prefix: '',
    seconds: CHALLENGE_MINUTES * 60,
    extraBytes: 0,
  };
}
