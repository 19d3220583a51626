import { calendarDateIn, isTimeZone } from '@gatehouse/contract/dates';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import type { PaymentParams, PaymentReceipt } from '@gatehouse/contract/payments';
import type { Message } from '@gatehouse/language/spanish';
import { translateStored } from '@gatehouse/language/stored';
import { t } from '@gatehouse/language/t';
import type { Context } from '#context/context.ts';
import { sql, type RawBuilder } from 'kysely';
import type { DatabaseTransaction } from '#db/database.ts';
import { lockLedgers } from '#features/base/ledgers/postings.ts';
import { countAttempt } from '#features/base/limits/declines.ts';
import {
  chooseMethod,
  type ChosenMethod,
} from '#features/money/payment-methods/payment-methods.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { centsAhead, readAhead, type Ahead } from './ahead.ts';
import { insertIntent, isBlocked, readDebt, type Debt, type NewIntent } from './begin.ts';
import { capture } from './capture.ts';
import { meaningWithKey, meaningWithoutKey, requestHash, type Meaning } from './intent.ts';
import { notAvailable } from '#features/money/payment-methods/not-sent.ts';
import { getReceipt } from './receipt.ts';

/** Who pays what, already checked for shape; the tenant record is the caller's. */
export type PaymentRequest = {
  userId: string;
  tenantId: string;
  timeZone: string;
  idempotencyKey: string | undefined;
  params: PaymentParams;
};

type Line = { ledgerId: string; unitId: string; cents: number };

/**
 * Pays the named units in one capture, all or nothing. Refuses with 404 a ledger that is not the
 * tenant's, with 422 a wrong unit or amount, also a part of a unit's balance below the facility's
 * least payment, a sum below the gateway's least charge, and of a payment ahead another amount than
 * the balance and its bills come to, with 402 a decline, with 429 after too many of them, with 409
 * while the outcome of an earlier or this capture is unknown, with 503 where the facility's zone
 * does not exist or the gateway did not take the charge up, which is no decline and frees the key.
 * The same request again, with the same key or without one on the same debt, gets the first
 * receipt.
 */
export async function makePayment(ctx: Context, request: PaymentRequest): Promise<PaymentReceipt> {
  const lines = linesOf(request.params);
  const { tenantId, timeZone } = request;
  // The day on which a charge is posted could not be computed.
  if (!isTimeZone(timeZone))
    throw new Refusal(
      503,
      t('Payments cannot be taken for this facility at the moment. Please call it.'),
    );
  const method = await chooseMethod(ctx, tenantId, timeZone, request.params);
  const begun = await ctx.db.transaction().execute(async (trx) => {
    await lockLedgers(trx, idsOf(lines));
    return beginPayment(ctx, trx, request, lines, method);
  });
  return completePayment(ctx, begun, sumOf(lines));
}

/** What a request to pay means: an attempt that was just written, or one that was posted before. */
export type Begun =
  | { meaning: 'new attempt'; intentId: string; method: ChosenMethod }
  | { meaning: 'replay'; intentId: string };

/** Captures a payment that has begun, once. Refuses as `makePayment` does. */
export async function completePayment(
  ctx: Context,
  begun: Begun,
  amountCents: number,
): Promise<PaymentReceipt> {
  if (begun.meaning === 'replay') return replay(ctx, begun.intentId);
  ctx.failpoint('after-tx1');
  const { method } = begun;
  const captured = await capture(ctx, {
    reference: begun.intentId,
    amountCents,
    instrument: method.instrument,
    initiator: 'tenant',
    customer: method.customer,
  });
  if (captured.outcome === 'unknown') throw beingConfirmed();
  if (captured.outcome === 'not_sent') throw notAvailable(captured.cause);
  if (captured.outcome === 'declined') throw new Refusal(402, translateStored(captured.message));
  return captured.receipt;
}

/**
 * Of a payment that is posted: "try again" would be a lie also where its receipt cannot be read
 * just now.
 */
async function replay(ctx: Context, intentId: string): Promise<PaymentReceipt> {
  return getReceipt(ctx, intentId).catch((error: unknown) => {
    ctx.log.error({ err: error, intentId }, 'a receipt could not be read');
    throw beingConfirmed();
  });
}

function linesOf({ payments, prepayMonths }: PaymentParams): Line[] {
  const lines = payments
    .map(({ ledgerId, unitId, amount }) => ({
      ledgerId: ledgerId.toLowerCase(),
      unitId: unitId.toLowerCase(),
      cents: toCents(amount),
    }))
    .toSorted((a, b) => (a.ledgerId < b.ledgerId ? -1 : 1));
  if (new Set(lines.map((line) => line.ledgerId)).size < lines.length)
    throw new Refusal(422, t('Payments may name each unit once.'));
  if (prepayMonths !== undefined && lines.length > 1)
    throw new Refusal(422, t('Only one unit can be paid ahead at a time.'));
  return lines;
}

/** The ids of the ledgers, as a query. */
function idsOf(lines: Line[]): RawBuilder<unknown> {
  return sql`SELECT unnest(${lines.map(({ ledgerId }) => ledgerId)}::uuid[])`;
}

/** With the ledgers locked (TX1): decides what the request means, and writes a new attempt. */
async function beginPayment(
  ctx: Context,
  trx: DatabaseTransaction,
  request: PaymentRequest,
  lines: Line[],
  method: ChosenMethod,
): Promise<Begun> {
  const { tenantId, timeZone, userId, idempotencyKey = null } = request;
  const { prepayMonths } = request.params;
  const now = ctx.clock.now();
  const today = calendarDateIn(timeZone, now);
  const debt = await readDebt(trx, { tenantId, userId, idempotencyKey, lines, today });
  const ahead =
    prepayMonths === undefined
      ? null
      : await readAhead(trx, lines[0]!.ledgerId, prepayMonths, today);

  checkUnits(debt, lines);
  const { description, saved } = method;
  const ofMethod = { description, savedId: saved?.id ?? null };
  const hash = requestHash(ctx.config.secret, tenantId, lines, ofMethod, prepayMonths);
  const isTooMuch = debt.lines.some((line) => line.cents > line.balanceCents);
  const found = idempotencyKey === null ? debt.ofDebt : debt.ofKey;
  const meaning =
    idempotencyKey === null
      ? meaningWithoutKey(found, isTooMuch, now)
      : meaningWithKey(found, found?.requestHash?.equals(hash) ?? false);
  refuseAnswered(meaning, found);
  if (meaning === 'replay' && found !== undefined) return { meaning, intentId: found.id };
  if (debt.isBlocked) throw beingConfirmed();
  checkAmounts(ctx, debt, ahead);

  return writeAttempt(ctx, trx, now, {
    tenantId,
    userId,
    method,
    debt,
    idempotencyKey,
    requestHash: hash,
  });
}

/** The message for a decline that is stored without one. */
const DECLINED = 'The payment was declined.' satisfies Message;

/** Answers as the first time what ended without money; what was paid is for the caller. */
export function refuseAnswered(
  meaning: Meaning,
  found: { declineMessage: string | null } | undefined,
): void {
  if (meaning === 'other body')
    throw new Refusal(422, t('This Idempotency-Key was already used for another payment.'));
  if (meaning === 'being confirmed') throw beingConfirmed();
  if (meaning === 'declined again')
    throw new Refusal(402, translateStored(found?.declineMessage ?? DECLINED));
}

/** An attempt of a person at the screen, of a link's holder with the link's id. */
type NewAttempt = { method: ChosenMethod; payLinkId?: string } & Pick<
  NewIntent,
  'tenantId' | 'userId' | 'idempotencyKey' | 'requestHash' | 'debt'
>;

/** Writes an attempt, counted against the limit of declines. */
export async function writeAttempt(
  ctx: Context,
  trx: DatabaseTransaction,
  now: Date,
  { method, payLinkId, ...attempt }: NewAttempt,
): Promise<Begun & { meaning: 'new attempt' }> {
  const counted = { fingerprint: method.fingerprint, methodId: method.saved?.id ?? null };
  await countAttempt(ctx, trx, now, { tenantId: attempt.tenantId, payLinkId }, counted);
  const intentId = await insertIntent(trx, now, {
    ...attempt,
    initiator: 'tenant',
    type: method.type,
    methodDescription: method.description,
    paymentMethodId: method.saved?.id ?? null,
    tokenVersion: method.saved?.token_version ?? null,
    fingerprint: method.fingerprint,
    expiresOn: method.expiresOn,
    autopayItemId: null,
  }).catch((error: unknown) => {
    throw isBlocked(error) ? beingConfirmed() : error;
  });
  return { meaning: 'new attempt', intentId, method };
}

/** Refuses foreign ledgers and wrong units. */
function checkUnits(debt: Debt, lines: Line[]): void {
  if (debt.lines.length < lines.length) throw notFound();
  const units = new Map(debt.lines.map(({ ledgerId, unitId }) => [ledgerId, unitId]));
  if (lines.some((line) => units.get(line.ledgerId) !== line.unitId))
    throw new Refusal(422, t('The unitId is not that of the rental.'));
}

/**
 * Refuses with 422 what is not to be paid: more than is owed, unless it is what the balance and the
 * bills of a payment ahead come to, and parts and sums that are too small.
 */
export function checkAmounts(ctx: Context, debt: Debt, ahead: Ahead | null): void {
  const [line] = debt.lines;
  if (ahead !== null && line !== undefined) {
    if (line.cents !== centsAhead(ahead, line.balanceCents))
      throw new Refusal(
        422,
        t('What is to be paid has changed. Please check the amount and pay again.'),
      );
  } else if (debt.lines.some(({ cents, balanceCents }) => cents > balanceCents))
    throw new Refusal(422, t('Amount must be at most what is owed on the unit.'));
  else refuseSmallParts(debt);
  if (sumOf(debt.lines) < ctx.gateway.leastChargeCents) throw tooLittle(ctx);
}

/**
 * Refuses with 422 a part of a unit's balance below the facility's least payment, so that a balance
 * cannot be paid in hundreds of payments; the whole balance is always taken.
 */
function refuseSmallParts({ lines }: Debt): void {
  for (const { cents, balanceCents, leastCents } of lines) {
    if (cents >= balanceCents || cents >= leastCents) continue;
    const most = formatMoney(toDollars(balanceCents));
    throw new Refusal(
      422,
      leastCents < balanceCents
        ? t('Enter {least} or more, up to {most}.', {
            least: formatMoney(toDollars(leastCents)),
            most,
          })
        : t('Enter {sum}: it is paid as a whole.', { sum: most }),
    );
  }
}

function sumOf(lines: { cents: number }[]): number {
  return lines.reduce((total, { cents }) => total + cents, 0);
}

/**
 * The gateway takes no sum as small as this; it can be paid with more, such as another unit's or
 * the next bill's.
 */
export function tooLittle({ gateway }: Context): Refusal {
  const least = formatMoney(toDollars(gateway.leastChargeCents));
  return new Refusal(
    422,
    t(
      'The least that can be paid online is {least}. Please pay it together with your next bill, or call your facility.',
      { least },
    ),
  );
}

export function beingConfirmed(): Refusal {
  return new Refusal(
    409,
    t('Your payment is being confirmed. Please wait a moment; you will not be charged twice.'),
  );
}
