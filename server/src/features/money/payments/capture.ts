import type { PaymentReceipt } from '@gatehouse/contract/payments';
import {
  GatewayUnknown,
  NotSent,
  type ChargeAnswer,
  type ChargeRequest,
  type Declined,
} from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import { unchecked } from '#db/database.ts';
import { alarmOfFault } from '#features/money/payment-methods/not-sent.ts';
import { getReceipt } from './receipt.ts';
import { markUnknown, settlePayment } from './settle.ts';

/**
 * What became of a charge. `not_sent`: the gateway did not take it up, and the intent is closed as
 * never sent. `unknown`: the intent stays open and is looked up until its outcome is known.
 */
export type Captured =
  | { outcome: 'posted'; receipt: PaymentReceipt }
  | Declined
  | { outcome: 'not_sent'; cause: NotSent }
  | { outcome: 'unknown' };

/**
 * Charges for an intent that was just begun, once, with no transaction open, and settles it. Never
 * throws once the gateway was asked: what cannot be posted now is posted by the sweep, and "try
 * again" would be a lie. Its outcome is written also where the caller's session ends meanwhile.
 */
export async function capture(ctx: Context, request: ChargeRequest): Promise<Captured> {
  const captured = await chargeAndSettle({ ...ctx, db: unchecked(ctx.db) }, request);
  ctx.metrics.payments.inc({ outcome: captured.outcome });
  return captured;
}

async function chargeAndSettle(ctx: Context, request: ChargeRequest): Promise<Captured> {
  const intentId = request.reference;
  try {
    const answer = await charge(ctx, request);
    if (answer === null) return { outcome: 'unknown' };
    if (answer instanceof NotSent) {
      ctx.log.warn({ err: answer, intentId }, 'a payment was not sent');
      // The gateway has refused the reference or never saw it, and it is not used again.
      await settlePayment(ctx, intentId, { outcome: 'voided' });
      await alarmOfFault(ctx, answer);
      return { outcome: 'not_sent', cause: answer };
    }
    const posted = await settlePayment(ctx, intentId, answer);
    if (answer.outcome === 'declined') return answer;
    // A look-up has posted it before us.
    const receipt = posted ?? (await getReceipt(ctx, intentId));
    ctx.failpoint('after-tx2');
    return { outcome: 'posted', receipt };
  } catch (error) {
    ctx.log.error({ err: error, intentId }, 'a payment could not be posted at once');
    return reread(ctx, intentId);
  }
}

/**
 * The answer to a posting may be lost while the posting is not: the books decide what the answer to
 * the tenant is.
 */
async function reread(ctx: Context, intentId: string): Promise<Captured> {
  try {
    return { outcome: 'posted', receipt: await getReceipt(ctx, intentId) };
  } catch (error) {
    ctx.log.warn({ err: error, intentId }, 'a payment is not posted yet');
    return { outcome: 'unknown' };
  }
}

/** Asks the gateway. Null: it did not answer, and the intent now says so. */
async function charge(
  ctx: Context,
  request: ChargeRequest,
): Promise<ChargeAnswer | NotSent | null> {
  try {
    ctx.failpoint('before-send');
    const answer = await ctx.gateway.charge(request, AbortSignal.timeout(ctx.gatewayTimeoutMs));
    ctx.failpoint('after-answer');
    return answer;
  } catch (error) {
    if (error instanceof NotSent) return error;
    if (!(error instanceof GatewayUnknown))
      ctx.log.error(
        { err: error, intentId: request.reference },
        'the gateway failed in an unexpected way',
      );
    await markUnknown(ctx, request.reference);
    return null;
  }
}
