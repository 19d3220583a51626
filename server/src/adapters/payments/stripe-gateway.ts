import type Stripe from 'stripe';
import type { StripeSettings } from '#config/config.ts';
import {
  GatewayUnknown,
  type ChargeAnswer,
  type ChargeRequest,
  type Instrument,
  type PaymentGateway,
  type Standing,
  type Where,
} from './gateway.ts';
import { openStripe, type StripeClient } from './stripe-client.ts';
import { declined } from './stripe-declines.ts';
import { referenceOf } from './stripe-events.ts';
import {
  createCustomer,
  describeMethod,
  instantOnly,
  methodTypes,
  payingWith,
  saveMethod,
  withToken,
} from './stripe-methods.ts';
import { listStripeDisputes, listStripeRefunds } from './stripe-money-back.ts';
import { listStripePayouts } from './stripe-payouts.ts';
import { isCode, isKeyUsed, isOfTenant, notSentFrom, StripeRefused } from './stripe-refusals.ts';
import { find, listStripeTransactions, seconds, selectionOf } from './stripe-standings.ts';

/** Stripe's minimum charge in US dollars (docs.stripe.com/currencies). */
const LEAST_CENTS = 50;
/** The amount of the payment that burns a key; it is cancelled and never confirmed. */
const BURNT_CENTS = 100;

/**
 * Stripe (decision 16). A charge is a PaymentIntent that is confirmed as it is made, under our
 * reference as idempotency key and in its metadata. A look-up reads Stripe's list, not its search,
 * which lags behind.
 *
 * What was never charged is voided by **burning its key**: an unconfirmed PaymentIntent is made
 * under the reference's key and cancelled. Stripe lets one request through for a key and refuses
 * every other that asks for something else with an idempotency error, so a charge that is still on
 * its way can never be made. Where the key is used already, the charge came first, and its outcome
 * is read again. Stripe keeps a key for at least a day; no request is on its way that long.
 */
export async function createStripeGateway(
  settings: Pick<StripeSettings, 'secretKey' | 'apiUrl'>,
): Promise<PaymentGateway> {
  const client = await openStripe(settings);
  return {
    patience: { lookups: 3, minutes: 15 },
    leastChargeCents: LEAST_CENTS,
    debitBusinessDays: 4,
    charge: (request, signal) => charge(client, request, signal),
    async lookup(reference, where) {
      const { standing } = await find(client, reference, where);
      return standing ?? { outcome: 'notFound' };
    },
    voidReference: (reference, where) => voidReference(client, reference, where),
    refund: (request) => refund(client, request),
    listTransactions: (from, to) => listStripeTransactions(client, from, to),
    async *listRefunds(which) {
      const selection = await selectionOf(client, which);
      if (selection !== null) yield* listStripeRefunds(client, selection);
    },
    async *listDisputes(which) {
      const selection = await selectionOf(client, which);
      if (selection !== null) yield* listStripeDisputes(client, selection);
    },
    listPayouts: (from, to) => listStripePayouts(client, { gte: seconds(from), lt: seconds(to) }),
    createCustomer: (tenant) => createCustomer(client, tenant),
    describe: (instrument) => describeMethod(client, instrument),
    saveMethod: (instrument, customer) => saveMethod(client, instrument, customer),
    findReference: (gatewayId) => findReference(client, gatewayId),
  };
}

async function charge(
  { stripe, ask }: StripeClient,
  request: ChargeRequest,
  signal?: AbortSignal,
): Promise<ChargeAnswer> {
  const { reference, instrument } = request;
  const params = chargeParams(request);
  try {
    const intent = await ask(
      () => stripe.paymentIntents.create(params, { idempotencyKey: reference }),
      signal,
    );
    if (intent.metadata.reference !== reference || intent.amount !== request.amountCents)
      throw new GatewayUnknown('Stripe answered with another payment');
    return firstAnswer(intent, instrument.type);
  } catch (error) {
    if (isKeyUsed(error))
      throw new GatewayUnknown('the reference was voided or used for something else', {
        cause: error,
      });
    if (error instanceof StripeRefused && isOfTenant(error))
      return declined(instrument.type, error.fault);
    throw notSentFrom(error, instrument.type);
  }
}

function chargeParams(request: ChargeRequest): Stripe.PaymentIntentCreateParams {
  const { reference, amountCents, instrument, initiator, customer } = request;
  const { token, type, isKept = false } = withToken(instrument);
  return {
    ...payingWith(token),
    ...instantOnly(type),
    amount: amountCents,
    currency: 'usd',
    ...(customer !== null && { customer }),
    confirm: true,
    allowed_payment_method_types: [methodTypes[type]],
    // Redirects and confirmations at the bank are not supported: a payment succeeds at once or is
    // declined.
    ...(initiator === 'autopay' ? { off_session: true } : { error_on_requires_action: true }),
    // Autopay is set up with the same fields right after the payment.
    ...(isKept && customer !== null && { setup_future_usage: 'off_session' as const }),
    metadata: { reference },
  };
}

function firstAnswer(intent: Stripe.PaymentIntent, type: Instrument['type']): ChargeAnswer {
  switch (intent.status) {
    case 'succeeded':
      return type === 'ach' ? { outcome: 'pending' } : { outcome: 'succeeded' };
    case 'processing':
      return { outcome: 'pending' };
    case 'requires_payment_method':
      return declined(type, intent.last_payment_error ?? {});
    default:
      throw new GatewayUnknown(`Stripe answered with a payment that is ${intent.status}`);
  }
}

async function voidReference(
  client: StripeClient,
  reference: string,
  where: Where,
): Promise<Standing | { outcome: 'voided' }> {
  const before = await find(client, reference, where);
  if (before.standing !== null) return before.standing;
  for (const intent of before.unfinished) await cancel(client, intent.id);
  // Where the charge used the key first, its outcome is final.
  const isBurnt = await burnKey(client, reference);
  const after = await find(client, reference, isBurnt ? where : anywhere(where));
  for (const intent of after.unfinished) await cancel(client, intent.id);
  return after.standing ?? { outcome: 'voided' };
}

/** False where the key was used already. */
async function burnKey(client: StripeClient, reference: string): Promise<boolean> {
  const { stripe, ask } = client;
  try {
    const burnt = await ask(() =>
      stripe.paymentIntents.create(
        {
          amount: BURNT_CENTS,
          currency: 'usd',
          allowed_payment_method_types: ['card'],
          description: 'Voids a payment that was never made',
          metadata: { reference, voids: 'true' },
        },
        { idempotencyKey: reference },
      ),
    );
    await cancel(client, burnt.id);
    return true;
  } catch (error) {
    if (!isKeyUsed(error)) throw error;
    return false;
  }
}

async function cancel({ stripe, ask }: StripeClient, paymentIntent: string): Promise<void> {
  try {
    await ask(() => stripe.paymentIntents.cancel(paymentIntent));
  } catch (error) {
    // An earlier try has cancelled it.
    if (!isCode(error, 'payment_intent_unexpected_state')) throw error;
  }
}

/** Where to find an existing charge: of any customer, and with any difference of the clocks. */
function anywhere({ since }: Where): Where {
  return { customer: null, since: new Date(since.getTime() - 24 * 3_600_000) };
}

async function refund(
  client: StripeClient,
  { reference, chargeReference, amountCents, where }: Parameters<PaymentGateway['refund']>[0],
): ReturnType<PaymentGateway['refund']> {
  const { stripe, ask } = client;
  const { charged } = await find(client, chargeReference, where);
  if (charged === null)
    return { outcome: 'failed', message: 'The payment is not known to Stripe.' };
  // Stripe expires a key after a day; the list keeps the charge.
  const { data } = await ask(() => stripe.refunds.list({ payment_intent: charged.id, limit: 100 }));
  const made = data.find(({ metadata }) => metadata?.reference === reference);
  if (made !== undefined) return refundAnswer(made);
  try {
    const params = { payment_intent: charged.id, amount: amountCents, metadata: { reference } };
    return refundAnswer(
      await ask(() => stripe.refunds.create(params, { idempotencyKey: `refund-${reference}` })),
    );
  } catch (error) {
    if (!(error instanceof StripeRefused) || error.kind !== 'invalid') throw error;
    return {
      outcome: 'failed',
      message: `Stripe refused the refund: ${error.fault.code ?? 'no reason given'}.`,
    };
  }
}

function refundAnswer({
  status,
}: Stripe.Refund): { outcome: 'succeeded' } | { outcome: 'failed'; message: string } {
  return status === 'failed' || status === 'canceled'
    ? { outcome: 'failed', message: 'Stripe could not give the money back.' }
    : { outcome: 'succeeded' };
}

async function findReference(
  { stripe, ask }: StripeClient,
  gatewayId: string,
): Promise<string | null> {
  try {
    const intent = await ask(() => stripe.paymentIntents.retrieve(gatewayId));
    return referenceOf(intent.metadata.reference);
  } catch (error) {
    if (isCode(error, 'resource_missing')) return null;
    throw error;
  }
}
