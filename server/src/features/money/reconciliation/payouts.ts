import { sql } from 'kysely';
import type { GatewayPayout } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import { batchesOf } from './batches.ts';
import type { Window } from './differences.ts';

/** Payments that one statement writes. */
const AT_ONCE = 1000;

/**
 * Stores the gateway's payouts that were made in the window, and which of our payments each of them
 * holds. The payments of a payout are read once; its day and standing are updated by every run. Two
 * runs at once write the same. Does nothing where the gateway lists no payouts.
 */
export async function storePayouts(ctx: Context, { from, to }: Window): Promise<void> {
  if (ctx.gateway.listPayouts === undefined) return;
  for await (const payout of ctx.gateway.listPayouts(from, to))
    if (!(await storePayout(ctx, payout))) await storePayments(ctx, payout);
}

/** Answers whether its payments are stored already. */
async function storePayout(
  { db }: Context,
  { id, arrivesOn, standing }: GatewayPayout,
): Promise<boolean> {
  const { listed_at } = await db
    .insertInto('gateway_payouts')
    .values({ id, arrives_on: arrivesOn, standing, listed_at: null })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ arrives_on: arrivesOn, standing }),
    )
    .returning('listed_at')
    .executeTakeFirstOrThrow();
  return listed_at !== null;
}

/** References that are none of ours are left out. */
async function storePayments(
  { db, clock }: Context,
  { id, references }: GatewayPayout,
): Promise<void> {
  for await (const batch of batchesOf(references(), AT_ONCE))
    await sql`
      INSERT INTO payout_payments (intent_id, payout_id)
      SELECT i.id, ${id} FROM payment_intents i WHERE i.id = ANY(${batch}::uuid[])
      ORDER BY i.id ON CONFLICT (intent_id) DO NOTHING`.execute(db);
  await db
    .updateTable('gateway_payouts')
    .set({ listed_at: clock.now() })
    .where('id', '=', id)
    .execute();
}
