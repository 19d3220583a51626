import type Stripe from 'stripe';
import type { GatewayDispute, GatewayRefund } from './gateway.ts';
import type { StripeClient } from './stripe-client.ts';
import { referenceOf } from './stripe-events.ts';

/** The filter of Stripe's lists: one payment, or the time of creation in seconds. */
export type StripeSelection = { payment_intent: string } | { created: { gte: number; lt: number } };

const PAGE = 100;
/** Expands the payment, whose metadata has our reference, to save a call for each. */
const expand = ['data.payment_intent'];

/** Stripe's refunds, page by page, newest first. A pending one counts as made. */
export async function* listStripeRefunds(
  { stripe, ask }: StripeClient,
  which: StripeSelection,
): AsyncGenerator<GatewayRefund> {
  for await (const refund of pagesOf((after) =>
    ask(() => stripe.refunds.list({ ...which, ...after, limit: PAGE, expand })),
  ))
    yield {
      id: refund.id,
      reference: referenceOf(refund.metadata?.reference),
      chargeReference: chargeReferenceOf(refund),
      amountCents: refund.amount,
      outcome: refund.status === 'failed' || refund.status === 'canceled' ? 'failed' : 'succeeded',
      at: new Date(refund.created * 1000),
    };
}

/** Stripe's disputes, page by page, newest first. */
export async function* listStripeDisputes(
  { stripe, ask }: StripeClient,
  which: StripeSelection,
): AsyncGenerator<GatewayDispute> {
  for await (const dispute of pagesOf((after) =>
    ask(() => stripe.disputes.list({ ...which, ...after, limit: PAGE, expand })),
  )) {
    const { due_by } = dispute.evidence_details;
    yield {
      id: dispute.id,
      chargeReference: chargeReferenceOf(dispute),
      amountCents: dispute.amount,
      standing: standingOf(dispute),
      evidenceDueAt: due_by === null ? null : new Date(due_by * 1000),
      at: new Date(dispute.created * 1000),
    };
  }
}

/**
 * An inquiry (`warning_…`) takes no money unless it becomes a dispute, nor does a dispute that was
 * prevented before it was opened: the balance transactions say whether money was taken.
 */
function standingOf({ status, balance_transactions }: Stripe.Dispute): GatewayDispute['standing'] {
  if (status === 'won') return 'won';
  if (status === 'lost') return 'lost';
  const isTaken = balance_transactions.some(({ amount }) => amount < 0);
  if (status === 'prevented') return isTaken ? 'lost' : 'inquiry';
  return status.startsWith('warning_') && !isTaken ? 'inquiry' : 'opened';
}

function chargeReferenceOf({
  payment_intent,
}: Pick<Stripe.Refund, 'payment_intent'>): string | null {
  return typeof payment_intent === 'object'
    ? referenceOf(payment_intent?.metadata.reference)
    : null;
}

/** The items of a paginated list, newest first. */
export async function* pagesOf<Kind extends { id: string }>(
  read: (after: { starting_after?: string }) => Promise<{ data: Kind[]; has_more: boolean }>,
): AsyncGenerator<Kind> {
  let after = {};
  for (;;) {
    const { data, has_more } = await read(after);
    yield* data;
    const last = data.at(-1);
    if (!has_more || last === undefined) return;
    after = { starting_after: last.id };
  }
}
