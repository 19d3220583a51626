import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import {
  expirationYears,
  type Ach,
  type CreditCard,
  type PaymentMethodFields,
} from '@gatehouse/contract/payment-methods';
import type { Selectable } from 'kysely';
import { MethodDeclined, type Instrument, type NewInstrument } from '#adapters/payments/gateway.ts';
import type { Context } from '#context.ts';
import type { MethodType, Tables } from '#db/tables.ts';
import { notFound, Refusal } from '#refusal.ts';

export type PaymentMethodRow = Selectable<Tables['payment_methods']>;

/** What a request pays with: the instrument for the gateway, and words about it that hold nothing secret. */
export type ChosenMethod = {
  type: MethodType;
  /** `Visa ending in 4242`, as payment history and receipts say it. */
  description: string;
} & ({ saved: PaymentMethodRow; instrument: Instrument } | { saved: null; instrument: NewInstrument });

/**
 * The method that a checked body names: a saved one of the tenant, or a new card or account.
 * Refuses with 404 a saved method of somebody else, with 422 a card outside the 22 years.
 */
export async function chooseMethod(
  ctx: Context,
  tenantId: string,
  timeZone: string,
  { creditCard, ach }: PaymentMethodFields,
): Promise<ChosenMethod> {
  if (creditCard !== undefined) {
    if ('paymentMethodId' in creditCard) return chooseSaved(ctx, tenantId, 'creditCard', creditCard.paymentMethodId);
    checkExpirationYear(ctx, timeZone, creditCard);
    return newCard(creditCard);
  }
  if (ach === undefined) throw new Error('the contract lets no body through without a payment method');
  if ('paymentMethodId' in ach) return chooseSaved(ctx, tenantId, 'ach', ach.paymentMethodId);
  return newAccount(ach);
}

async function chooseSaved(
  { db, vault }: Context,
  tenantId: string,
  type: MethodType,
  id: string,
): Promise<ChosenMethod> {
  const row = await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('type', '=', type)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return {
    instrument: { type, token: vault.open('gatewayToken', row.id, row.gateway_token) },
    type,
    description: describeMethod(row),
    saved: row,
  };
}

function newCard(card: CreditCard): ChosenMethod {
  const description = describe(card.cardType, lastFour(card.cardNumber));
  return { instrument: { type: 'creditCard', card }, type: 'creditCard', description, saved: null };
}

function newAccount(account: Ach): ChosenMethod {
  const description = describe('ACH', lastFour(account.accountNumber));
  return { instrument: { type: 'ach', account }, type: 'ach', description, saved: null };
}

/** A saved method as history and notices say it: `Visa ending in 4242`. */
export function describeMethod({ type, brand, last_four }: PaymentMethodRow): string {
  return describe(type === 'ach' ? 'ACH' : brand, last_four);
}

function describe(label: string, ending: string): string {
  return ending === '' ? label : `${label} ending in ${ending}`;
}

/** The last four characters of a number, fewer of a short one: never more than half of it is shown. */
function lastFour(number: string): string {
  return number.slice(number.length - Math.min(4, Math.floor(number.length / 2)));
}

function checkExpirationYear(ctx: Context, timeZone: string, card: CreditCard): void {
  const thisYear = Number(calendarDateIn(timeZone, ctx.clock.now()).slice(0, 4));
  const years = expirationYears(thisYear);
  if (!years.includes(card.expirationYear))
    throw new Refusal(422, `Expiration year must be from ${years[0]} to ${years.at(-1)}.`);
}

/** Has the gateway keep a new card or account and notes its token, sealed (D25). Throws a Refusal with 402 when the gateway will not. */
export async function saveMethod(ctx: Context, tenantId: string, instrument: NewInstrument): Promise<PaymentMethodRow> {
  const { token } = await ctx.gateway.saveMethod(instrument).catch((error: unknown) => {
    throw error instanceof MethodDeclined ? new Refusal(402, error.message) : error;
  });
  const id = randomUUID();
  return ctx.db
    .insertInto('payment_methods')
    .values({
      id,
      tenant_id: tenantId,
      gateway_token: ctx.vault.seal('gatewayToken', id, token),
      ...(instrument.type === 'ach' ? accountColumns(instrument.account) : cardColumns(instrument.card)),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function cardColumns(card: CreditCard) {
  return {
    type: 'creditCard' as const,
    brand: card.cardType,
    last_four: lastFour(card.cardNumber),
    expires_on: `${card.expirationYear}-${card.expirationMonth}`,
    holder_name: card.name,
    street_address: card.streetAddress ?? null,
    postal_code: card.postalCode,
  };
}

function accountColumns(account: Ach) {
  return {
    type: 'ach' as const,
    brand: account.accountType,
    last_four: lastFour(account.accountNumber),
    routing_last_four: account.routingNumber.slice(-4),
  };
}
