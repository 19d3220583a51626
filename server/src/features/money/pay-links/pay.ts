import type { Reply } from '@gatehouse/contract/endpoint';
import { toCents, toDollars } from '@gatehouse/contract/money';
import { payLinkChanged, type payByLink, type PayLinkView } from '@gatehouse/contract/pay-links';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import { t } from '@gatehouse/language/t';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { sql } from 'kysely';
import { hostedFieldsOf } from '#features/base/facilities/view.ts';
import { countByNetwork } from '#features/base/limits/limits.ts';
import { lockLedgers } from '#features/base/ledgers/postings.ts';
import {
  chooseMethod,
  type ChosenMethod,
} from '#features/money/payment-methods/payment-methods.ts';
import { readDebt } from '#features/money/payments/begin.ts';
import { meaningWithKey, requestHash } from '#features/money/payments/intent.ts';
import {
  beingConfirmed,
  completePayment,
  refuseAnswered,
  tooLittle,
  writeAttempt,
  type Begun,
} from '#features/money/payments/payments.ts';
import type { IntentState } from '#db/tables.ts';
import { Refusal } from '#errors/refusal.ts';
import { deadLink, getLink, getLinkOf, type PayLink } from './links.ts';

/**
 * What the holder of a link sees. Refuses with 404 a link that cannot be paid by, and with 429 too
 * many calls from one network.
 */
export async function showPayLink(ctx: Context, token: string, ip: string): Promise<PayLinkView> {
  await countCall(ctx, ip);
  const link = await getLinkOf(ctx, token);
  if (link.state !== 'open') throw deadLink();
  const { operatorName, unitKind, firstName, leftCents } = link;
  return {
    operatorName,
    unitKind,
    tenantInitial: Array.from(firstName)[0]?.toUpperCase() ?? '',
    amount: toDollars(leftCents),
    hostedFields: hostedFieldsOf(ctx.config.payments),
  };
}

/** A payment by a link, checked for shape. */
export type LinkPayment = {
  token: string;
  ip: string;
  idempotencyKey: string | undefined;
  amount: number;
  method: PaymentMethodFields;
};

/**
 * Pays what a link is for, wholly, as a payment of the tenant: with the ledger locked, so that a
 * payment at the counter or in the portal comes before or after it. Refuses as `makePayment` does,
 * with 404 a dead link, and with 422 another amount than what is left. A repeated key gets the
 * first answer, also once the link is dead.
 */
export async function payByLinkOf(
  ctx: Context,
  { token, ip, idempotencyKey, amount, method: fields }: LinkPayment,
): Promise<Reply<typeof payByLink>> {
  await countCall(ctx, ip);
  if (idempotencyKey === undefined) throw new Refusal(422, t('Idempotency-Key is required.'));
  const link = await getLinkOf(ctx, token);
  const attempt = { key: idempotencyKey, cents: toCents(amount) };
  // Before a provider is asked for the details of a card.
  if (link.state !== 'open' && (await findAttempt(ctx.db, link, attempt.key)) === undefined)
    throw deadLink();
  const method = await chooseMethod(ctx, link.tenantId, link.timeZone, fields);
  const begun = await ctx.db.transaction().execute(async (trx) => {
    await lockLedgers(trx, sql`SELECT ${link.ledgerId}::uuid`);
    return beginPayment(ctx, trx, link, attempt, method);
  });
  const receipt = await completePayment(ctx, begun, attempt.cents);
  const { status, receiptNumber } = receipt;
  return { status, receiptNumber, amount: receipt.payments[0]?.amount ?? amount };
}

function countCall(ctx: Context, ip: string): Promise<void> {
  return countByNetwork(
    ctx,
    ip,
    ['pay-link-calls-a-minute', 'pay-link-calls-an-hour'],
    t('There were too many tries from your network. Please wait a moment and try again.'),
  );
}

type Attempt = { key: string; cents: number };

/** With the ledger locked (TX1): decides what the request means, and writes a new attempt. */
async function beginPayment(
  ctx: Context,
  trx: DatabaseTransaction,
  { id, tenantId, ledgerId }: PayLink,
  { key, cents }: Attempt,
  method: ChosenMethod,
): Promise<Begun> {
  const now = ctx.clock.now();
  const found = await findAttempt(trx, { id }, key);
  const { state, leftCents } = await getLink(trx, now, id);
  const debt = await readDebt(trx, {
    tenantId,
    userId: null,
    idempotencyKey: null,
    lines: [{ ledgerId, cents }],
    today: null,
  });

  const hash = requestHash(ctx.config.secret, tenantId, [{ ledgerId, cents }], {
    description: method.description,
    savedId: null,
  });
  const meaning = meaningWithKey(found, found?.requestHash?.equals(hash) ?? false);
  refuseAnswered(meaning, found);
  if (meaning === 'replay' && found !== undefined) return { meaning, intentId: found.id };
  if (state !== 'open') throw deadLink();
  if (debt.isBlocked) throw beingConfirmed();
  if (cents !== leftCents) throw new Refusal(422, payLinkChanged());
  if (cents < ctx.gateway.leastChargeCents) throw tooLittle(ctx);
  const begun = await writeAttempt(ctx, trx, now, {
    tenantId,
    payLinkId: id,
    userId: null,
    method,
    debt,
    idempotencyKey: null,
    requestHash: hash,
  });
  await sql`INSERT INTO pay_link_payments (intent_id, pay_link_id, idempotency_key)
      VALUES (${begun.intentId}, ${id}, ${key})`.execute(trx);
  return begun;
}

type Found = {
  id: string;
  state: IntentState;
  createdAt: Date;
  declineMessage: string | null;
  requestHash: Buffer | null;
};

/** The live attempt under a key; one that was never sent has freed it. */
function findAttempt(
  db: Database,
  { id }: Pick<PayLink, 'id'>,
  key: string,
): Promise<Found | undefined> {
  return db
    .selectFrom('pay_link_payments as one')
    .innerJoin('payment_intents as i', 'i.id', 'one.intent_id')
    .select(['i.id', 'i.state', 'i.created_at as createdAt'])
    .select(['i.decline_message as declineMessage', 'i.request_hash as requestHash'])
    .where('one.pay_link_id', '=', id)
    .where('one.idempotency_key', '=', key)
    .where('i.state', '<>', 'never_sent')
    .executeTakeFirst();
}
