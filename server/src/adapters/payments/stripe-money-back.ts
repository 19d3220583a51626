import type Stripe from 'stripe';
import type { GatewayDispute, GatewayRefund } from './gateway.ts';
import type { StripeClient } from './stripe-client.ts';
import { referenceOf } from './stripe-events.ts';

/** What of Stripe's lists is read: of one payment, or by when it was made, in seconds. */
export type StripeSelection = { payment_intent: string } | { created: { gte: number; lt: number } };

const PAGE = 100;
/** With the payment itself, whose metadata has our reference: no call for each. */
const expand = ['data.payment_intent'];

/** The refunds that Stripe has, page by page, the newest first. One that is pending counts as made. */
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

/** The disputes that Stripe has, page by page, the newest first. */
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
 * An inquiry (`warning_…`) takes no money unless it becomes a dispute, nor does a dispute that was prevented before it
 * was opened: the balance transactions say whether money was taken.
 */
function standingOf({ status, balance_transactions }: Stripe.Dispute): GatewayDispute['standing'] {
  if (status === 'won') return 'won';
  if (status === 'lost') return 'lost';
  const isTaken = balance_transactions.some(({ amount }) => amount < 0);
  if (status === 'prevented') return isTaken ? 'lost' : 'inquiry';
  return status.startsWith('warning_') && !isTaken ? 'inquiry' : 'opened';
}

function chargeReferenceOf({ payment_intent }: Pick<Stripe.Refund, 'payment_intent'>): string | null {
  return typeof payment_intent === 'object' ? referenceOf(payment_intent?.metadata.reference) : null;
}

/** The things of a list that Stripe gives in pages, the newest first. */
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
