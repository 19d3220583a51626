import { createHash } from 'node:crypto';
import { isRoutingNumber } from '@gatehouse/contract/payment-methods';
import type { Message } from '@gatehouse/language/spanish';
import type Stripe from 'stripe';
import type { StripeSettings } from '#config/config.ts';
import {
  GatewayUnknown,
  MethodDeclined,
  NotSent,
  type ChargeAnswer,
  type ChargeRequest,
  type GatewayFault,
  type Instrument,
  type MethodDetails,
  type PaymentGateway,
  type Selection,
  type Standing,
  type Transaction,
  type Where,
} from './gateway.ts';
import { openStripe, StripeRefused, type StripeClient } from './stripe-client.ts';
import {
  declined,
  isOfMethod,
  isOfMethodType,
  returnCode,
  type StripeFault,
} from './stripe-declines.ts';
import { referenceOf } from './stripe-events.ts';
import {
  listStripeDisputes,
  listStripeRefunds,
  type StripeSelection,
} from './stripe-money-back.ts';
import { listStripePayouts } from './stripe-payouts.ts';

/** The most that Stripe's clock and ours may differ, in seconds. */
const SKEW_S = 300;
/** One reading of the list covers this much time, to need few pages. */
const WINDOW_S = 3_600;
/** Stripe's minimum charge in US dollars (docs.stripe.com/currencies). */
const LEAST_CENTS = 50;
/** The amount of the payment that burns a key; it is cancelled and never confirmed. */
const BURNT_CENTS = 100;

const methodTypes = { creditCard: 'card', ach: 'us_bank_account' } as const;

const FILL_IN_AGAIN =
  'These card fields can no longer be used. Please fill them in again.' satisfies Message;

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
  const { stripe, ask } = client;

  async function lookup(
    reference: string,
    where: Where,
  ): Promise<Standing | { outcome: 'notFound' }> {
    const { standing } = await find(client, reference, where);
    return standing ?? { outcome: 'notFound' };
  }

  return {
    patience: { lookups: 3, minutes: 15 },
    leastChargeCents: LEAST_CENTS,
    debitBusinessDays: 4,

    async charge(request, signal) {
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
    },

    lookup,

    async voidReference(reference, where) {
      const before = await find(client, reference, where);
      if (before.standing !== null) return before.standing;
      for (const intent of before.unfinished) await cancel(client, intent.id);
      let isUsed = false;
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
      } catch (error) {
        // The charge used the key first, so its outcome is final.
        if (!isKeyUsed(error)) throw error;
        isUsed = true;
      }
      const after = await find(client, reference, isUsed ? anywhere(where) : where);
      for (const intent of after.unfinished) await cancel(client, intent.id);
      return after.standing ?? { outcome: 'voided' };
    },

    async refund({ reference, chargeReference, amountCents, where }) {
      const { charged } = await find(client, chargeReference, where);
      if (charged === null)
        return { outcome: 'failed', message: 'The payment is not known to Stripe.' };
      // Stripe expires a key after a day; the list keeps the charge.
      const { data } = await ask(() =>
        stripe.refunds.list({ payment_intent: charged.id, limit: 100 }),
      );
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
    },

    async *listTransactions(from, to) {
      const end = seconds(to);
      for (let start = seconds(from); start < end; start += WINDOW_S) {
        const created = { gte: start, lt: Math.min(start + WINDOW_S, end) };
        // Stripe lists the newest first.
        for (const intent of (await listIntents(client, { created })).toReversed()) {
          const line = await transactionOf(client, intent);
          if (line !== null) yield line;
        }
      }
    },

    async *listRefunds(which) {
      const selection = await selectionOf(client, which);
      if (selection !== null) yield* listStripeRefunds(client, selection);
    },

    async *listDisputes(which) {
      const selection = await selectionOf(client, which);
      if (selection !== null) yield* listStripeDisputes(client, selection);
    },

    listPayouts: (from, to) => listStripePayouts(client, { gte: seconds(from), lt: seconds(to) }),

    async createCustomer({ id, name, email }) {
      const create = async (params: { name: string; email?: string }) => {
        // The name is part of the key, so that a tenant renamed between two tries does not get an
        // idempotency error.
        const idempotencyKey = `customer-${id}-${digest(`${params.name}\n${params.email ?? ''}`)}`;
        const metadata = { tenant: id };
        return (
          await ask(() => stripe.customers.create({ ...params, metadata }, { idempotencyKey }))
        ).id;
      };
      try {
        return await create({ name, email }).catch((error: unknown) => {
          // Stripe accepts fewer addresses than we do, and does not need this one: it sends none of
          // our mails.
          if (isCode(error, 'email_invalid')) return create({ name });
          throw error;
        });
      } catch (error) {
        throw notSentFrom(error, null);
      }
    },

    async describe(instrument) {
      return detailsOf(await retrieveMethod(client, instrument), instrument);
    },

    async saveMethod(instrument, customer) {
      const { token, type } = withToken(instrument);
      if (customer === null) throw new Error('Stripe keeps methods under a customer');
      try {
        const kept = token.startsWith('ctoken_') ? await keptBefore(client, token, customer) : null;
        const method = kept ?? (await keep(token, type, customer));
        return detailsOf(method, instrument);
      } catch (error) {
        if (error instanceof StripeRefused && isOfTenant(error))
          throw new MethodDeclined(declined(type, error.fault).message, { cause: error });
        throw notSentFrom(error, type);
      }
    },

    async findReference(gatewayId) {
      try {
        const intent = await ask(() => stripe.paymentIntents.retrieve(gatewayId));
        return referenceOf(intent.metadata.reference);
      } catch (error) {
        if (isCode(error, 'resource_missing')) return null;
        throw error;
      }
    },
  };

  async function keep(
    token: string,
    type: Instrument['type'],
    customer: string,
  ): Promise<Stripe.PaymentMethod> {
    const setup = await ask(() =>
      stripe.setupIntents.create(
        {
          ...payingWith(token),
          ...instantOnly(type),
          customer,
          confirm: true,
          usage: 'off_session',
          allowed_payment_method_types: [methodTypes[type]],
          expand: ['payment_method'],
        },
        { idempotencyKey: `save-${customer}-${token}` },
      ),
    );
    if (setup.status === 'requires_action')
      throw new MethodDeclined(
        type === 'ach'
          ? ('This bank account must be verified with small deposits first, which is not possible here. Please sign in to your bank instead, or use a card.' satisfies Message)
          : ('Your card’s bank asks for a confirmation that is not possible here. Please use another card.' satisfies Message),
      );
    if (setup.status !== 'succeeded' && setup.status !== 'processing')
      throw new MethodDeclined(declined(type, setup.last_setup_error ?? {}).message);
    return setup.payment_method as Stripe.PaymentMethod;
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

/** Where to find an existing charge: of any customer, and with any difference of the clocks. */
function anywhere({ since }: Where): Where {
  return { customer: null, since: new Date(since.getTime() - 24 * 3_600_000) };
}

function isKeyUsed(error: unknown): boolean {
  return error instanceof StripeRefused && error.kind === 'key';
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof StripeRefused && error.fault.code === code;
}

/** Raw numbers do not reach this point: the routes of a hosted profile refuse them. */
function withToken(instrument: Instrument): Extract<Instrument, { token: string }> {
  if (!('token' in instrument)) throw new Error('Stripe takes tokens alone');
  return instrument;
}

function payingWith(token: string): { confirmation_token: string } | { payment_method: string } {
  return token.startsWith('ctoken_') ? { confirmation_token: token } : { payment_method: token };
}

/**
 * A bank account is verified in the form, by signing in to the bank; micro-deposits are not
 * supported.
 */
function instantOnly(type: Instrument['type']) {
  return type === 'ach'
    ? { payment_method_options: { us_bank_account: { verification_method: 'instant' as const } } }
    : {};
}

/**
 * Whether a refusal is a decline of the tenant's card or account; every other one is a fault of the
 * operator or of this program.
 */
function isOfTenant({ kind, fault }: StripeRefused): boolean {
  return kind === 'card' || isOfMethod(fault);
}

/** Maps a refusal by Stripe, which did nothing, to NotSent; returns every other error as it is. */
function notSentFrom(error: unknown, type: Instrument['type'] | null): unknown {
  if (!(error instanceof StripeRefused)) return error;
  const { message } = error;
  const fault: GatewayFault =
    type === 'ach' && isOfMethodType(error.fault)
      ? {
          kind: 'bank_debits_off',
          sentence: `Stripe does not take bank debits for this account (${message}). Switch them on in its dashboard.`,
        }
      : {
          kind: 'gateway_call_refused',
          sentence: `Stripe refused a call of ours (${message}): look it up in its dashboard.`,
        };
  return new NotSent(`Stripe refused the call: ${message}`, { cause: error, fault });
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
async function find(
  client: StripeClient,
  reference: string,
  { customer, since }: Where,
): Promise<Found> {
  const listed = await listIntents(client, {
    created: { gte: seconds(since) - SKEW_S },
    ...(customer !== null && { customer }),
  });
  const found: Found = { standing: null, charged: null, unfinished: [] };
  for (const intent of listed) {
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

/** Null where Stripe has no such charge. */
async function selectionOf(
  client: StripeClient,
  which: Selection,
): Promise<StripeSelection | null> {
  if ('from' in which) return { created: { gte: seconds(which.from), lt: seconds(which.to) } };
  const { charged } = await find(client, which.chargeReference, which.where);
  return charged && { payment_intent: charged.id };
}

async function listIntents(
  { stripe, ask }: StripeClient,
  params: Stripe.PaymentIntentListParams,
): Promise<Stripe.PaymentIntent[]> {
  const intents: Stripe.PaymentIntent[] = [];
  for (let isMore = true; isMore;) {
    const after = intents.at(-1)?.id;
    const page = await ask(() =>
      stripe.paymentIntents.list({
        ...params,
        limit: 100,
        expand: ['data.latest_charge'],
        ...(after !== undefined && { starting_after: after }),
      }),
    );
    intents.push(...page.data);
    isMore = page.has_more;
  }
  return intents;
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

async function cancel({ stripe, ask }: StripeClient, paymentIntent: string): Promise<void> {
  try {
    await ask(() => stripe.paymentIntents.cancel(paymentIntent));
  } catch (error) {
    // An earlier try has cancelled it.
    if (!isCode(error, 'payment_intent_unexpected_state')) throw error;
  }
}

function refundAnswer({
  status,
}: Stripe.Refund): { outcome: 'succeeded' } | { outcome: 'failed'; message: string } {
  return status === 'failed' || status === 'canceled'
    ? { outcome: 'failed', message: 'Stripe could not give the money back.' }
    : { outcome: 'succeeded' };
}

/**
 * The details of a token that a confirmation token's preview and a payment method have in common.
 */
type Method = Pick<
  Stripe.PaymentMethod,
  'type' | 'card' | 'us_bank_account' | 'billing_details'
> & { id?: string };

async function retrieveMethod(
  { stripe, ask }: StripeClient,
  instrument: Instrument,
): Promise<Method> {
  const { token } = withToken(instrument);
  try {
    if (!token.startsWith('ctoken_')) return await ask(() => stripe.paymentMethods.retrieve(token));
    const { payment_method_preview } = await ask(() => stripe.confirmationTokens.retrieve(token));
    if (payment_method_preview !== null) return payment_method_preview;
  } catch (error) {
    if (!isCode(error, 'resource_missing')) throw notSentFrom(error, instrument.type);
  }
  throw new MethodDeclined(FILL_IN_AGAIN);
}

/**
 * The payment method that an earlier payment or set-up with the same fields attached to the
 * customer, if any.
 */
async function keptBefore(
  { stripe, ask }: StripeClient,
  token: string,
  customer: string,
): Promise<Stripe.PaymentMethod | null> {
  const expand = ['payment_method'];
  const used = await ask(() => stripe.confirmationTokens.retrieve(token));
  const by =
    used.payment_intent !== null
      ? await ask(() => stripe.paymentIntents.retrieve(used.payment_intent!, { expand }))
      : used.setup_intent !== null
        ? await ask(() => stripe.setupIntents.retrieve(used.setup_intent!, { expand }))
        : null;
  if (by === null) return null;
  const method = by.payment_method as Stripe.PaymentMethod | null;
  if (method?.customer !== customer) throw new MethodDeclined(FILL_IN_AGAIN);
  return method;
}

const brands: Record<string, string> = {
  visa: 'Visa',
  amex: 'American Express',
  discover: 'Discover',
  mastercard: 'Master Card',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};
const fundings = ['credit', 'debit', 'prepaid'] as const;

function detailsOf(method: Method, instrument: Instrument): MethodDetails {
  const { token, type } = withToken(instrument);
  if (method.type !== methodTypes[type])
    throw new MethodDeclined(
      type === 'ach'
        ? ('This is not a bank account.' satisfies Message)
        : ('This is not a card.' satisfies Message),
    );
  const common = {
    token: method.id ?? token,
    holderName: method.billing_details.name,
    postalCode: method.billing_details.address?.postal_code ?? null,
  };
  if (method.us_bank_account !== undefined) {
    const { account_holder_type, account_type, last4, routing_number, fingerprint } =
      method.us_bank_account;
    // A deliberate departure from the specification, which asks for nine characters alone (D36).
    if (routing_number != null && !isRoutingNumber(routing_number))
      throw new MethodDeclined(
        'The routing number of this bank account is not valid. Please check it, or use another account.' satisfies Message,
      );
    const holder = account_holder_type === 'company' ? 'Business' : 'Consumer';
    return {
      ...common,
      brand: `${holder} ${account_type === 'savings' ? 'Savings' : 'Checking'}`,
      lastFour: last4 ?? '',
      funding: 'unknown',
      expiresOn: null,
      routingLastFour: routing_number?.slice(-4) ?? null,
      fingerprint,
    };
  }
  const { brand, last4, funding, exp_month, exp_year, fingerprint } = method.card!;
  return {
    ...common,
    brand: brands[brand] ?? 'Card',
    lastFour: last4,
    funding: fundings.find((known) => known === funding) ?? 'unknown',
    expiresOn: `${exp_year}-${String(exp_month).padStart(2, '0')}`,
    routingLastFour: null,
    fingerprint: fingerprint ?? null,
  };
}

function seconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
