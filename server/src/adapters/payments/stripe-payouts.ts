import type Stripe from 'stripe';
import type { GatewayPayout } from './gateway.ts';
import type { StripeClient } from './stripe-client.ts';
import { referenceOf } from './stripe-events.ts';
import { pagesOf } from './stripe-money-back.ts';

const PAGE = 100;

/**
 * Stripe's payouts by their time of creation in seconds, newest first. Stripe lists the payments of
 * an automatic payout only, once its reconciliation is completed
 * (docs.stripe.com/payouts/reconciliation), so manual payouts are left out.
 */
export async function* listStripePayouts(
  client: StripeClient,
  created: { gte: number; lt: number },
): AsyncGenerator<GatewayPayout> {
  const { stripe, ask } = client;
  for await (const payout of pagesOf((after) =>
    ask(() => stripe.payouts.list({ created, ...after, limit: PAGE })),
  ))
    if (payout.automatic && payout.reconciliation_status === 'completed')
      yield {
        id: payout.id,
        // Midnight UTC of the day.
        arrivesOn: new Date(payout.arrival_date * 1000).toISOString().slice(0, 10),
        standing: standingOf(payout),
        references: () => listReferences(client, payout.id),
      };
}

function standingOf({ status }: Stripe.Payout): GatewayPayout['standing'] {
  if (status === 'paid') return 'paid';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'underWay';
}

/**
 * A card's charge is a balance transaction of the type `charge`, a bank debit's of the type
 * `payment`. The charge has the metadata of its PaymentIntent from when it was confirmed.
 */
async function* listReferences(
  { stripe, ask }: StripeClient,
  payout: string,
): AsyncGenerator<string> {
  for await (const { type, source } of pagesOf((after) =>
    ask(() =>
      stripe.balanceTransactions.list({ payout, ...after, limit: PAGE, expand: ['data.source'] }),
    ),
  )) {
    if (type !== 'charge' && type !== 'payment') continue;
    if (typeof source !== 'object' || source?.object !== 'charge') continue;
    const reference = referenceOf(source.metadata.reference);
    if (reference !== null) yield reference;
  }
}
