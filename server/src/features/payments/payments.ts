import { calendarDateIn, isTimeZone } from '@gatehouse/contract/dates';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import type { PaymentParams, PaymentReceipt } from '@gatehouse/contract/payments';
import type { Context } from '#context.ts';
import type { Database } from '#db/database.ts';
import { takeLeft } from '#features/limits/limits.ts';
import { declinesOf, tooManyDeclines } from '#features/payment-methods/declines.ts';
import { chooseMethod, type ChosenMethod } from '#features/payment-methods/payment-methods.ts';
import { notFound, Refusal } from '#refusal.ts';
import { beginIntent, readDebt, untilBegun, type Debt } from './begin.ts';
import { capture } from './capture.ts';
import { meaningWithKey, meaningWithoutKey, requestHash } from './intent.ts';
import { notAvailable } from './not-sent.ts';
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
 * Pays the named units in one capture, all or nothing (D1-D6). Refuses with 404 a ledger that is not the tenant's, with
 * 422 a wrong unit or amount, also one below the gateway's least charge, with 402 a decline, with 429 after too many of them (T22), with 409 while the outcome of an
 * earlier or this capture is unknown, with 503 where the facility's zone does not exist or the gateway did not take the
 * charge up, which is no decline and frees the key.
 * The same request again, with the same key or without one on the same debt, gets the first receipt.
 */
export async function makePayment(ctx: Context, request: PaymentRequest): Promise<PaymentReceipt> {
  // Of a charge there nobody could say on which day it is posted.
  if (!isTimeZone(request.timeZone))
    throw new Refusal(503, 'Payments cannot be taken for this facility at the moment. Please call it.');
  const lines = linesOf(request.params);
  const method = await chooseMethod(ctx, request.tenantId, request.timeZone, request.params);
  const ledgerIds = lines.map(({ ledgerId }) => ledgerId);
  const begun = await untilBegun(ctx.db, ledgerIds, (db) => begin(ctx, db, request, lines, method));
  if (begun.meaning === 'replay') return replay(ctx, begun.intentId);
  ctx.failpoint('after-tx1');

  const captured = await capture(ctx, {
    reference: begun.intentId,
    amountCents: sumOf(lines),
    instrument: method.instrument,
    initiator: 'tenant',
    customer: method.customer,
  });
  if (captured.outcome === 'unknown') throw beingConfirmed();
  if (captured.outcome === 'not_sent') throw notAvailable(captured.cause);
  if (captured.outcome === 'declined') throw new Refusal(402, captured.message);
  return captured.receipt;
}

/** Of a payment that is posted: "try again" would be a lie also where its receipt cannot be read just now. */
async function replay(ctx: Context, intentId: string): Promise<PaymentReceipt> {
  return getReceipt(ctx.db, intentId).catch((error: unknown) => {
    ctx.log.error({ err: error, intentId }, 'a receipt could not be read');
    throw beingConfirmed();
  });
}

function linesOf({ payments }: PaymentParams): Line[] {
  const lines = payments
    .map(({ ledgerId, unitId, amount }) => ({
      ledgerId: ledgerId.toLowerCase(),
      unitId: unitId.toLowerCase(),
      cents: toCents(amount),
    }))
    .toSorted((a, b) => (a.ledgerId < b.ledgerId ? -1 : 1));
  if (new Set(lines.map((line) => line.ledgerId)).size < lines.length)
    throw new Refusal(422, 'Payments may name each unit once.');
  return lines;
}

type Begun = { meaning: 'new attempt' | 'replay'; intentId: string };

/** Decides from one reading what the request means, and writes the intent of a new attempt; null: read again. */
async function begin(
  ctx: Context,
  db: Database,
  request: PaymentRequest,
  lines: Line[],
  method: ChosenMethod,
): Promise<Begun | null> {
  const { userId, tenantId, timeZone, idempotencyKey = null } = request;
  const now = ctx.clock.now();
  const today = calendarDateIn(timeZone, now);
  const debt = await readDebt(db, { tenantId, userId, idempotencyKey, lines, today });
  checkUnits(debt, lines);
  const hash = requestHash(ctx.config.secret, tenantId, lines, {
    description: method.description,
    savedId: method.saved?.id ?? null,
  });
  const isTooMuch = debt.lines.some((line) => line.cents > line.balanceCents);

  const found = idempotencyKey === null ? debt.ofDebt : debt.ofKey;
  const meaning =
    idempotencyKey === null
      ? meaningWithoutKey(found, isTooMuch, now)
      : meaningWithKey(found, found?.requestHash?.equals(hash) ?? false);
  if (meaning === 'other body') throw new Refusal(422, 'This Idempotency-Key was already used for another payment.');
  if (meaning === 'being confirmed') throw beingConfirmed();
  if (meaning === 'declined again') throw new Refusal(402, found?.declineMessage ?? 'The payment was declined.');
  if (meaning === 'replay' && found !== undefined) return { meaning, intentId: found.id };
  if (debt.isBlocked) throw beingConfirmed();
  if (isTooMuch) throw new Refusal(422, 'Amount must be at most what is owed on the unit.');
  if (sumOf(lines) < ctx.gateway.leastChargeCents) throw tooLittle(ctx);

  const counted = { fingerprint: method.fingerprint, methodId: method.saved?.id ?? null };
  const intentId = await beginIntent(db, now, {
    tenantId,
    userId,
    initiator: 'tenant',
    type: method.type,
    methodDescription: method.description,
    paymentMethodId: method.saved?.id ?? null,
    tokenVersion: method.saved?.token_version ?? null,
    fingerprint: method.fingerprint,
    expiresOn: method.expiresOn,
    idempotencyKey,
    requestHash: hash,
    autopayItemId: null,
    debt,
    count: (isHeld) => takeLeft(ctx, now, declinesOf(tenantId, counted), isHeld),
  });
  if (intentId === 'used up') throw await tooManyDeclines(ctx, tenantId, counted);
  if (intentId === 'blocked') throw beingConfirmed();
  return intentId === null ? null : { meaning: 'new attempt', intentId };
}

/** Refuses foreign ledgers and wrong units. */
function checkUnits(debt: Debt, lines: Line[]): void {
  if (debt.lines.length < lines.length) throw notFound();
  const units = new Map(debt.lines.map(({ ledgerId, unitId }) => [ledgerId, unitId]));
  if (lines.some((line) => units.get(line.ledgerId) !== line.unitId))
    throw new Refusal(422, 'The unitId is not that of the rental.');
}

function sumOf(lines: Line[]): number {
  return lines.reduce((total, { cents }) => total + cents, 0);
}

/** The gateway takes no sum as small as this; it can be paid with more, such as another unit's or the next bill's. */
function tooLittle({ gateway }: Context): Refusal {
  const least = formatMoney(toDollars(gateway.leastChargeCents));
  return new Refusal(
    422,
    `The least that can be paid online is ${least}. Please pay it together with your next bill, or call your facility.`,
  );
}

function beingConfirmed(): Refusal {
  return new Refusal(409, 'Your payment is being confirmed. Please wait a moment; you will not be charged twice.');
}
