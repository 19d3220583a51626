import type Stripe from 'stripe';
import type { Selection, Standing, Transaction, Where } from './gateway.ts';
import type { StripeClient } from './stripe-client.ts';
import { declined, returnCode, type StripeFault } from './stripe-declines.ts';
import { methodTypes } from './stripe-methods.ts';
import { pagesOf, type StripeSelection } from './stripe-money-back.ts';

/** The most that Stripe's clock and ours may differ, in seconds. */
const SKEW_S = 300;
/** One reading of the list covers this much time, to need few pages. */
const WINDOW_S = 3_600;

/** What Stripe has under a reference. */
type Found = {
  standing: Standing | null;
  charged: Stripe.PaymentIntent | null;
  /**
   * Payments under the reference that were neither charged nor declined; they stay so unless they
   * are confirmed.
   */
  unfinished: Stripe.PaymentIntent[];
};

/** All payments under a reference, without the one that burnt its key. */
export async function find(
  client: StripeClient,
  reference: string,
  { customer, since }: Where,
): Promise<Found> {
  const found: Found = { standing: null, charged: null, unfinished: [] };
  const created = { gte: seconds(since) - SKEW_S };
  for await (const intent of intentsOf(client, {
    created,
    ...(customer !== null && { customer }),
  })) {
    if (intent.metadata.reference !== reference || intent.metadata.voids !== undefined) continue;
    const standing = await standingOf(client, intent);
    if (standing === null) {
      if (intent.status !== 'canceled') found.unfinished.push(intent);
    } else if (found.standing === null || standing.outcome !== 'declined') {
      found.standing = standing;
      if (standing.outcome !== 'declined') found.charged = intent;
    }
  }
  return found;
}

/** What was charged, pending ones too, hour by hour, the oldest first. */
export async function* listStripeTransactions(
  client: StripeClient,
  from: Date,
  to: Date,
): AsyncGenerator<Transaction> {
  const end = seconds(to);
  for (let start = seconds(from); start < end; start += WINDOW_S) {
    const created = { gte: start, lt: Math.min(start + WINDOW_S, end) };
    // Stripe lists the newest first.
    const intents: Stripe.PaymentIntent[] = [];
    for await (const intent of intentsOf(client, { created })) intents.push(intent);
    for (const intent of intents.toReversed()) {
      const line = await transactionOf(client, intent);
      if (line !== null) yield line;
    }
  }
}

/** Null where Stripe has no such charge. */
export async function selectionOf(
  client: StripeClient,
  which: Selection,
): Promise<StripeSelection | null> {
  if ('from' in which) return { created: { gte: seconds(which.from), lt: seconds(which.to) } };
  const { charged } = await find(client, which.chargeReference, which.where);
  return charged && { payment_intent: charged.id };
}

function intentsOf(
  { stripe, ask }: StripeClient,
  params: Stripe.PaymentIntentListParams,
): AsyncGenerator<Stripe.PaymentIntent> {
  const expand = ['data.latest_charge'];
  return pagesOf((after) =>
    ask(() => stripe.paymentIntents.list({ ...params, ...after, limit: 100, expand })),
  );
}

/** The outcome of a payment; null while it has none, and for a cancelled one. */
async function standingOf(
  client: StripeClient,
  intent: Stripe.PaymentIntent,
): Promise<Standing | null> {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  const type = isBankDebit(intent, charge) ? 'ach' : 'creditCard';
  switch (intent.status) {
    case 'processing':
      return { outcome: 'pending' };
    case 'succeeded': {
      if (type === 'creditCard') return { outcome: 'succeeded' };
      const code = charge?.disputed === true ? await lateReturn(client, intent.id) : null;
      return code === null ? { outcome: 'settled' } : { outcome: 'returned', code };
    }
    case 'requires_payment_method':
      if (intent.last_payment_error === null) return null;
      // A bank debit with a charge was accepted before it failed.
      return type === 'ach' && charge !== null
        ? { outcome: 'returned', code: codeOfFailure(charge, intent.last_payment_error) }
        : declined(type, intent.last_payment_error);
    default:
      return null;
  }
}

function isBankDebit(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): boolean {
  return (
    (charge?.payment_method_details?.type ?? intent.payment_method_types[0]) === methodTypes.ach
  );
}

function codeOfFailure(charge: Stripe.Charge, fault: StripeFault): string {
  return returnCode(
    charge.outcome?.network_decline_code,
    fault.network_decline_code,
    charge.failure_code,
    fault.decline_code,
    fault.code,
  );
}

/** A return after the bank has paid appears as a lost dispute; null where the dispute was won. */
async function lateReturn(
  { stripe, ask }: StripeClient,
  paymentIntent: string,
): Promise<string | null> {
  const { data } = await ask(() =>
    stripe.disputes.list({ payment_intent: paymentIntent, limit: 1 }),
  );
  const [dispute] = data;
  if (dispute === undefined || dispute.status === 'won') return null;
  return returnCode(dispute.network_reason_code, dispute.reason);
}

async function transactionOf(
  client: StripeClient,
  intent: Stripe.PaymentIntent,
): Promise<Transaction | null> {
  if (intent.metadata.voids !== undefined) return null;
  const standing = await standingOf(client, intent);
  if (standing === null || standing.outcome === 'declined') return null;
  return {
    // A payment from elsewhere has no reference of ours and is named by Stripe's id.
    reference: intent.metadata.reference ?? intent.id,
    amountCents: intent.amount,
    standing: standing.outcome,
    at: new Date(intent.created * 1000),
  };
}

/** An instant as Stripe has it. */
export function seconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
