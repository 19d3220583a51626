import type { Refunded } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import { beginRefund, isAtGateway, resolveRefund } from './refunds.ts';
import { lockCapture } from './take-back.ts';

/**
 * What of which posted payment goes back to the tenant, in cents, and why, in words for the ledger.
 */
type RefundRequest = { paymentEntryId: string; cents: number; reason: string };

/** `submitted`: the gateway did not answer; the refund is asked for again until it does. */
type RefundAnswer = { refundId: string } & (Refunded | { outcome: 'submitted' });

/**
 * Gives back a posted payment, wholly or in part: the refund's row first, then the gateway under
 * the refund's own reference, then the reversal that opens what it had settled. Refuses with 422
 * more than is left of the payment or one that is not there to refund or was not taken by the
 * gateway, with 409 while another refund of its capture is under way.
 */
export async function refundPayment(ctx: Context, request: RefundRequest): Promise<RefundAnswer> {
  const { paymentEntryId, cents, reason } = request;
  const refundId = await ctx.db.transaction().execute(async (trx) => {
    const payment = await trx
      .selectFrom('payments')
      .select('intent_id')
      .where('entry_id', '=', paymentEntryId)
      .executeTakeFirst();
    const capture = payment && (await lockCapture(trx, payment.intent_id));
    if (capture === undefined || !isAtGateway(capture))
      throw new Refusal(422, 'A refund must be at most what is left of a posted payment.');
    return (await beginRefund(ctx, trx, capture, { paymentEntryId, cents, reason })).id;
  });
  return { refundId, ...(await resolveRefund(ctx, refundId)) };
}
