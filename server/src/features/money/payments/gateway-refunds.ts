import { sql } from 'kysely';
import type { GatewayRefund } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import {
  alarmOfUnpaid,
  closeRefund,
  markRefundFailed,
  postRefund,
  takeBackFor,
} from './refunds.ts';
import { findCharged } from './resolve.ts';
import { isPosted, lockCapture } from './take-back.ts';

/**
 * What became of a refund or dispute of the gateway's list. `known`: it was in the books. `posted`:
 * it is now. `unknown`: its charge is not ours. `open`: whether its charge is ours is not known
 * yet; it has to be applied again later.
 */
export type Applied = 'known' | 'posted' | 'unknown' | 'open';

/**
 * Brings a refund of the gateway's list into the books, exactly once, no matter who asks how often.
 * One that we asked for has our reference and closes its own row, also where the answer to it was
 * lost. Any other was made in the gateway's dashboard: it is posted as a refund of the whole
 * capture, the last part first, with an alarm and the tenant's mail; what is more than the capture
 * is not posted, and the alarm says how much that is. Of a charge that the books do not have as a
 * payment nothing is posted.
 */
export async function applyRefund(ctx: Context, refund: GatewayRefund): Promise<Applied> {
  const known = await findRefund(ctx, refund);
  if (known !== undefined) return applyKnown(ctx, known, refund);
  if (refund.outcome === 'failed') return 'known';
  const charged = await findCharged(ctx, refund.chargeReference);
  if (typeof charged === 'string') return charged;
  return (await postOutside(ctx, charged.id, refund)) ? 'posted' : 'known';
}

/** Whether a refund of the gateway's list has a row that says the same. */
export function isSame(row: KnownRefund | undefined, { outcome }: GatewayRefund): boolean {
  return row === undefined ? outcome === 'failed' : row.state === outcome;
}

type KnownRefund = {
  id: string;
  gatewayId: string | null;
  state: 'submitted' | 'succeeded' | 'failed';
};

/**
 * The rows of the refunds of a part of the gateway's list: by our reference, or by the gateway's
 * id.
 */
export async function findRefunds(
  ctx: Context,
  refunds: GatewayRefund[],
): Promise<(KnownRefund | undefined)[]> {
  const references = refunds.flatMap(({ reference }) => reference ?? []);
  const ids = refunds.map(({ id }) => id);
  const { rows } = await sql<KnownRefund>`
    SELECT id, gateway_id AS "gatewayId", state FROM refunds WHERE id = ANY(${references}::uuid[])
    UNION SELECT id, gateway_id, state FROM refunds WHERE gateway_id = ANY(${ids}::text[])`.execute(
    ctx.db,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byGatewayId = new Map(rows.map((row) => [row.gatewayId, row]));
  return refunds.map(({ id, reference }) => byGatewayId.get(id) ?? byId.get(reference ?? ''));
}

async function findRefund(ctx: Context, refund: GatewayRefund): Promise<KnownRefund | undefined> {
  const [row] = await findRefunds(ctx, [refund]);
  return row;
}

async function applyKnown(ctx: Context, row: KnownRefund, refund: GatewayRefund): Promise<Applied> {
  if (isSame(row, refund)) return 'known';
  if (refund.outcome === 'succeeded') {
    await closeRefund(ctx, row.id);
    return 'posted';
  }
  if (row.state === 'submitted')
    await markRefundFailed(ctx, row.id, 'The gateway could not give the money back.');
  else await alarmOfUnpaid(ctx, row.id, refund.id);
  return 'known';
}

const sentences = {
  outside_refund: 'A payment was refunded in the gateway’s dashboard; the ledger shows it now.',
  outside_refund_exceeds:
    'The gateway has refunded more than the books have of the payment; the rest is not posted.',
  outside_refund_unposted:
    'A charge that the books do not have as a payment was refunded in the gateway’s dashboard; nothing is posted.',
};

/** Answers false where another process has posted it meanwhile. */
async function postOutside(
  ctx: Context,
  intentId: string,
  refund: GatewayRefund,
): Promise<boolean> {
  const now = ctx.clock.now();
  return ctx.db.transaction().execute(async (trx) => {
    const capture = (await lockCapture(trx, intentId))!;
    const row = await trx
      .insertInto('refunds')
      .values({
        intent_id: intentId,
        payment_entry_id: null,
        amount_cents: refund.amountCents,
        // Both are what postRefund writes once it knows what fits.
        state: 'succeeded',
        posted_cents: 0,
        reason: 'by the operator at the payment gateway',
        way: 'dashboard',
        gateway_id: refund.id,
        created_at: refund.at,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column('gateway_id').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return false;
    const taken = takeBackFor(capture, row, now);
    await postRefund(ctx, trx, capture, row, taken);
    const missing = refund.amountCents - taken.takenCents;
    const kind =
      missing === 0
        ? 'outside_refund'
        : isPosted(capture)
          ? 'outside_refund_exceeds'
          : 'outside_refund_unposted';
    await raiseAlarm(ctx, trx, {
      kind,
      key: `outside_refund:${refund.id}`,
      facilityId: capture.facilityId,
      sentence: sentences[kind],
      facts: {
        refund: row.id,
        gatewayRefund: refund.id,
        intent: intentId,
        cents: refund.amountCents,
        notTakenBackCents: missing,
      },
    });
    return true;
  });
}
