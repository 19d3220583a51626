import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import {
  cardExpired,
  expirationYears,
  type Ach,
  type CreditCard,
  type PaymentMethodFields,
} from '@gatehouse/contract/payment-methods';
import { translateStored } from '@gatehouse/language/stored';
import { t } from '@gatehouse/language/t';
import { sql, type Selectable } from 'kysely';
import {
  GatewayUnknown,
  MethodDeclined,
  NotSent,
  type Instrument,
  type MethodDetails,
  type NewInstrument,
} from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import { unchecked } from '#db/database.ts';
import type { MethodType, Tables } from '#db/tables.ts';
import { alarmOfFault, notAvailable } from './not-sent.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { countDecline, uncountDecline } from '#features/base/limits/declines.ts';
import { refuseRawNumbers } from './hosted-fields.ts';

export type PaymentMethodRow = Selectable<Tables['payment_methods']>;

/** What of a saved method decides what is done with it. */
export type SavedMethod = Pick<
  PaymentMethodRow,
  | 'id'
  | 'type'
  | 'brand'
  | 'last_four'
  | 'expires_on'
  | 'fingerprint'
  | 'refused_at'
  | 'token_version'
>;

/**
 * The payment method of a request: the instrument for the gateway, and a description without
 * secrets.
 */
export type ChosenMethod = {
  type: MethodType;
  /** `Visa ending in 4242`, for payment history and receipts. */
  description: string;
  /** The tenant's customer id at the gateway; null where it has no customers. */
  customer: string | null;
  /**
   * The fingerprint of the card or account, no matter who enters it; null where the gateway has
   * none.
   */
  fingerprint: string | null;
  /** `YYYY-MM` of a card. */
  expiresOn: string | null;
} & ({ saved: SavedMethod; instrument: Instrument } | { saved: null; instrument: NewInstrument });

/**
 * The method that a validated body names: a saved one of the tenant, a token of hosted fields, or a
 * new card or account. Refuses with 404 a saved method of another tenant; with 422 a card outside
 * the 22 years or whose month is over, a raw number where fields are hosted, a token where they are
 * not, and an unknown token; with 503 while the gateway does not answer. Called under no lock, for
 * the gateway may be asked.
 */
export async function chooseMethod(
  ctx: Context,
  tenantId: string,
  timeZone: string,
  { creditCard, ach }: PaymentMethodFields,
): Promise<ChosenMethod> {
  const type = creditCard === undefined ? 'ach' : 'creditCard';
  const named = creditCard ?? ach;
  if (named === undefined)
    throw new Error('the contract lets no body through without a payment method');
  if (ctx.config.payments.kind === 'stripe') refuseRawNumbers({ creditCard, ach });
  if ('paymentMethodId' in named) return getSavedMethod(ctx, tenantId, type, named.paymentMethodId);
  if ('paymentToken' in named) return chooseToken(ctx, tenantId, type, named);
  if ('cardNumber' in named) checkExpiration(ctx, timeZone, named);
  const instrument: NewInstrument =
    'cardNumber' in named ? { type: 'creditCard', card: named } : { type: 'ach', account: named };
  const { fingerprint, expiresOn } = await asked(ctx, ctx.gateway.describe(instrument), 422);
  return {
    instrument,
    type,
    description:
      'cardNumber' in named
        ? describe(named.cardType, lastFour(named.cardNumber))
        : describe('ACH', lastFour(named.accountNumber)),
    customer: null,
    fingerprint,
    expiresOn,
    saved: null,
  };
}

type SavedRow = SavedMethod & Pick<PaymentMethodRow, 'gateway_token'> & { customer: string | null };

async function getSavedMethod(
  { db, vault }: Context,
  tenantId: string,
  type: MethodType,
  id: string,
): Promise<ChosenMethod> {
  const { rows } = await sql<SavedRow>`
    SELECT m.id, m.type, m.brand, m.last_four, m.expires_on, m.fingerprint, m.refused_at, m.token_version,
      m.gateway_token, c.customer
    FROM payment_methods m LEFT JOIN gateway_customers c ON c.tenant_id = m.tenant_id
    WHERE m.id = ${id} AND m.tenant_id = ${tenantId} AND m.type = ${type}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw notFound();
  const { gateway_token, customer, ...saved } = row;
  return {
    instrument: { type, token: vault.open('gatewayToken', saved.id, gateway_token) },
    type,
    description: describeMethod(saved),
    customer,
    fingerprint: saved.fingerprint,
    expiresOn: saved.expires_on,
    saved,
  };
}

/** The gateway's details of the token are used; the copies in the body are ignored. */
async function chooseToken(
  ctx: Context,
  tenantId: string,
  type: MethodType,
  { paymentToken, keepForAutopay = false }: { paymentToken: string; keepForAutopay?: boolean },
): Promise<ChosenMethod> {
  if (ctx.config.payments.kind !== 'stripe')
    throw new Refusal(
      422,
      t('Payment tokens are not accepted here. Please give the card or account itself.'),
    );
  const instrument = { type, token: paymentToken, isKept: keepForAutopay };
  const { brand, lastFour, fingerprint, expiresOn } = await asked(
    ctx,
    ctx.gateway.describe(instrument),
    422,
  );
  return {
    instrument,
    type,
    description: describe(type === 'ach' ? 'ACH' : brand, lastFour),
    customer: await getCustomer(ctx, tenantId),
    fingerprint,
    expiresOn,
    saved: null,
  };
}

/**
 * Maps a failure of the gateway to a refusal: a decline has `status`; a call that was not processed
 * is a 503, with an alarm where the operator has to fix it; no answer is a 503.
 */
async function asked<Answer>(
  ctx: Context,
  answer: Promise<Answer>,
  status: 402 | 422,
): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MethodDeclined) throw new Refusal(status, translateStored(error.message));
    if (error instanceof NotSent) {
      ctx.log.warn({ err: error }, 'a call about a payment method was not sent');
      await alarmOfFault(ctx, error);
      throw notAvailable(error);
    }
    if (error instanceof GatewayUnknown)
      throw new Refusal(
        503,
        t('The payment service does not answer. Please try again in a moment.'),
      );
    throw error;
  }
}

/**
 * The tenant's customer id at the gateway, created when first needed; null where the gateway has no
 * customers.
 */
export async function getCustomer(ctx: Context, tenantId: string): Promise<string | null> {
  if (ctx.config.payments.kind !== 'stripe') return null;
  const known = await findCustomer(ctx, tenantId);
  if (known !== undefined) return known;
  const tenant = await ctx.db
    .selectFrom('tenants')
    .select(['id', 'name', 'email'])
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  const customer = await asked(ctx, ctx.gateway.createCustomer(tenant), 422);
  if (customer === null) return null;
  await ctx.db
    .insertInto('gateway_customers')
    .values({ tenant_id: tenantId, customer, created_at: ctx.clock.now() })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute();
  // Of two concurrent calls the first one's id is stored.
  return (await findCustomer(ctx, tenantId)) ?? null;
}

async function findCustomer({ db }: Context, tenantId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('gateway_customers')
    .select('customer')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row?.customer;
}

/** The description of a saved method in history and notices: `Visa ending in 4242`. */
export function describeMethod({
  type,
  brand,
  last_four,
}: Pick<PaymentMethodRow, 'type' | 'brand' | 'last_four'>): string {
  return describe(type === 'ach' ? 'ACH' : brand, last_four);
}

function describe(label: string, ending: string): string {
  return ending === '' ? label : `${label} ending in ${ending}`;
}

/**
 * The last four characters of a number, fewer of a short one: never more than half of it is shown.
 */
function lastFour(number: string): string {
  return number.slice(number.length - Math.min(4, Math.floor(number.length / 2)));
}

function checkExpiration(ctx: Context, timeZone: string, card: CreditCard): void {
  const today = calendarDateIn(timeZone, ctx.clock.now());
  const years = expirationYears(Number(today.slice(0, 4)));
  if (!years.includes(card.expirationYear))
    throw new Refusal(
      422,
      t('Expiration year must be from {first} to {last}.', {
        first: years[0]!,
        last: years.at(-1)!,
      }),
    );
  if (`${card.expirationYear}-${card.expirationMonth}` < today.slice(0, 7))
    throw new Refusal(422, cardExpired());
}

/**
 * Saves a new card or account at the gateway and stores its token, sealed. Refuses with 402 when
 * the gateway declines it, with 429 after too many declines, with 503 when it does not answer.
 */
export async function saveMethod(
  ctx: Context,
  tenantId: string,
  instrument: NewInstrument,
): Promise<PaymentMethodRow> {
  const customer = await getCustomer(ctx, tenantId);
  const triedAt = await countDecline(ctx, tenantId);
  const uncount = () => uncountDecline(ctx, tenantId, triedAt);
  const details = await asked(ctx, ctx.gateway.saveMethod(instrument, customer), 402).catch(
    async (error: unknown) => {
      if (!(error instanceof Refusal && error.status === 402))
        await uncount()
          .execute(unchecked(ctx.db))
          .catch((fault: unknown) =>
            ctx.log.error({ err: fault }, 'a try that was not declined stays counted for an hour'),
          );
      throw error;
    },
  );
  const id = randomUUID();
  return ctx.db
    .with('uncounted', sql<Record<string, never>>`(${uncount()})`)
    .insertInto('payment_methods')
    .values({
      id,
      tenant_id: tenantId,
      type: instrument.type,
      gateway_token: ctx.vault.seal('gatewayToken', id, details.token),
      ...columnsOf(instrument, details),
      funding: details.funding,
      fingerprint: details.fingerprint,
      created_at: ctx.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * The details of a method: of a token from the gateway, of a card or account from the tenant's
 * input.
 */
function columnsOf(instrument: NewInstrument, details: MethodDetails) {
  if ('card' in instrument) return cardColumns(instrument.card);
  if ('account' in instrument) return accountColumns(instrument.account);
  return {
    brand: details.brand,
    last_four: details.lastFour,
    routing_last_four: details.routingLastFour,
    expires_on: details.expiresOn,
    holder_name: details.holderName,
    postal_code: details.postalCode,
  };
}

function cardColumns(card: CreditCard) {
  return {
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
    brand: account.accountType,
    last_four: lastFour(account.accountNumber),
    routing_last_four: account.routingNumber.slice(-4),
  };
}
