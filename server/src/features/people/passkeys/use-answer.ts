import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { useChallenge } from './challenges.ts';
import type { ProvenAnswer } from './webauthn.ts';

/**
 * Uses a proven answer up, and notes at the passkey that it was used. Answers whether it counts:
 * not where the passkey was removed meanwhile, or another call has used the answer or its counter,
 * as that of a copied key does.
 */
export async function useAnswer(
  ctx: Context,
  trx: DatabaseTransaction,
  passkeyId: string,
  { challenge, counter, isSynced }: ProvenAnswer,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE passkeys SET counter = ${counter}, is_synced = ${isSynced}, last_used_at = ${ctx.clock.now()}
    WHERE id = ${passkeyId} AND (counter < ${counter} OR counter = 0 AND ${counter} = 0) RETURNING 1`.execute(
    trx,
  );
  return rows.length > 0 && (await useChallenge(ctx, trx, challenge));
}
