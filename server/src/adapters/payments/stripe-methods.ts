import { createHash } from 'node:crypto';
import { isRoutingNumber } from '@gatehouse/contract/payment-methods';
import type { Message } from '@gatehouse/language/spanish';
import type Stripe from 'stripe';
import { MethodDeclined, type Instrument, type MethodDetails } from './gateway.ts';
import type { StripeClient } from './stripe-client.ts';
import { declined } from './stripe-declines.ts';
import { isCode, isOfTenant, notSentFrom, StripeRefused } from './stripe-refusals.ts';

/** Stripe's names of what we take. */
export const methodTypes = { creditCard: 'card', ach: 'us_bank_account' } as const;

const FILL_IN_AGAIN =
  'These card fields can no longer be used. Please fill them in again.' satisfies Message;

/** The details of a new or saved method. */
export async function describeMethod(
  client: StripeClient,
  instrument: Instrument,
): Promise<MethodDetails> {
  return detailsOf(await retrieveMethod(client, instrument), instrument);
}

/** Saves a method under the tenant's customer. */
export async function saveMethod(
  client: StripeClient,
  instrument: Instrument,
  customer: string | null,
): Promise<MethodDetails> {
  const { token, type } = withToken(instrument);
  if (customer === null) throw new Error('Stripe keeps methods under a customer');
  try {
    const kept = token.startsWith('ctoken_') ? await keptBefore(client, token, customer) : null;
    return detailsOf(kept ?? (await keep(client, token, type, customer)), instrument);
  } catch (error) {
    if (error instanceof StripeRefused && isOfTenant(error))
      throw new MethodDeclined(declined(type, error.fault).message, { cause: error });
    throw notSentFrom(error, type);
  }
}

/** The id of a customer of Stripe for a tenant record; the same for each try. */
export async function createCustomer(
  { stripe, ask }: StripeClient,
  { id, name, email }: { id: string; name: string; email: string },
): Promise<string> {
  const create = async (params: { name: string; email?: string }) => {
    // The name is part of the key, so that a tenant renamed between two tries does not get an
    // idempotency error.
    const idempotencyKey = `customer-${id}-${digest(`${params.name}\n${params.email ?? ''}`)}`;
    const metadata = { tenant: id };
    return (await ask(() => stripe.customers.create({ ...params, metadata }, { idempotencyKey })))
      .id;
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
}

/** Raw numbers do not reach this point: the routes of a hosted profile refuse them. */
export function withToken(instrument: Instrument): Extract<Instrument, { token: string }> {
  if (!('token' in instrument)) throw new Error('Stripe takes tokens only');
  return instrument;
}

/** How a call names a method: by the token of hosted fields, or a saved one. */
export function payingWith(
  token: string,
): { confirmation_token: string } | { payment_method: string } {
  return token.startsWith('ctoken_') ? { confirmation_token: token } : { payment_method: token };
}

/**
 * A bank account is verified in the form, by signing in to the bank; micro-deposits are not
 * supported.
 */
export function instantOnly(type: Instrument['type']) {
  return type === 'ach'
    ? { payment_method_options: { us_bank_account: { verification_method: 'instant' as const } } }
    : {};
}

async function keep(
  { stripe, ask }: StripeClient,
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
    // A deliberate departure from the specification, which asks for nine characters only.
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

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
