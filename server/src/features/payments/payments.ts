import { toCents } from '@gatehouse/contract/money';
import type { PaymentParams, PaymentReceipt } from '@gatehouse/contract/payments';
import { sql } from 'kysely';
import { GatewayUnknown, type ChargeAnswer } from '#adapters/payments/gateway.ts';
import type { Context } from '#context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { IntentState } from '#db/tables.ts';
import { chooseMethod, type ChosenMethod } from '#features/payment-methods/payment-methods.ts';
import { notFound, Refusal } from '#refusal.ts';
import { debtKey, meaningWithKey, meaningWithoutKey, requestHash, type Meaning } from './intent.ts';
import { getReceipt } from './receipt.ts';
import { resolveAfterSeconds, settlePayment } from './settle.ts';

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
 * 422 a wrong unit or amount, with 402 a decline, with 409 while the outcome of an earlier or this capture is unknown.
 * The same request again, with the same key or without one on the same debt, gets the first receipt.
 */
export async function makePayment(ctx: Context, request: PaymentRequest): Promise<PaymentReceipt> {
  const lines = linesOf(request.params);
  const method = await chooseMethod(ctx, request.tenantId, request.timeZone, request.params);
  const begun = await ctx.db.transaction().execute((trx) => begin(ctx, trx, request, lines, method));
  if (begun.meaning === 'replay') return getReceipt(ctx.db, begun.intentId);

  try {
    return await capture(ctx, begun.intentId, lines, method);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The gateway may have answered where our books have not: that is settled behind, and "try again" would be a lie.
    ctx.log.error({ err: error, intentId: begun.intentId }, 'a payment could not be posted yet');
    throw beingConfirmed();
  }
}

async function capture(ctx: Context, intentId: string, lines: Line[], method: ChosenMethod): Promise<PaymentReceipt> {
  const answer = await charge(ctx, intentId, lines, method);
  if (answer === null) throw beingConfirmed();
  await settlePayment(ctx, intentId, answer);
  if (answer.outcome === 'declined') throw new Refusal(402, answer.message);
  return getReceipt(ctx.db, intentId);
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

/** TX1 of D2: locks the ledgers in id order, checks what is owed, and writes the intent and the job that will look after it. */
async function begin(
  ctx: Context,
  trx: DatabaseTransaction,
  request: PaymentRequest,
  lines: Line[],
  method: ChosenMethod,
): Promise<Begun> {
  const owed = await lockLedgers(trx, request.tenantId, lines);
  const epochs = await findEpochs(trx, lines);
  const { secret } = ctx.config;
  const debt = debtKey(
    secret,
    request.tenantId,
    lines.map((line) => ({ ...line, epoch: epochs.get(line.ledgerId) ?? 'none' })),
  );
  const hash = requestHash(secret, request.tenantId, lines, {
    description: method.description,
    savedId: method.saved?.id ?? null,
  });
  const tooMuch = lines.find((line) => line.cents > (owed.get(line.ledgerId) ?? 0));

  const earlier = await findEarlier(trx, request, debt);
  const meaning: Meaning =
    request.idempotencyKey === undefined
      ? meaningWithoutKey(earlier.ofDebt, tooMuch !== undefined, ctx.clock.now())
      : meaningWithKey(earlier.ofKey, earlier.ofKey?.requestHash?.equals(hash) ?? false);
  const found = request.idempotencyKey === undefined ? earlier.ofDebt : earlier.ofKey;
  if (meaning === 'other body') throw new Refusal(422, 'This Idempotency-Key was already used for another payment.');
  if (meaning === 'being confirmed') throw beingConfirmed();
  if (meaning === 'declined again') throw new Refusal(402, found?.declineMessage ?? 'The payment was declined.');
  if (meaning === 'replay' && found !== undefined) return { meaning, intentId: found.id };
  if (earlier.isBlocked) throw beingConfirmed();
  if (tooMuch !== undefined) throw new Refusal(422, 'Amount must be at most what is owed on the unit.');

  const intentId = await insertIntent(trx, {
    tenant_id: request.tenantId,
    user_id: request.userId,
    type: method.type,
    method_description: method.description,
    amount_cents: sum(lines),
    idempotency_key: request.idempotencyKey ?? null,
    request_hash: hash,
    debt_key: debt,
    attempt: (earlier.ofDebt?.attempt ?? 0) + 1,
    lines,
    now: ctx.clock.now(),
  });
  await ctx.enqueue(trx, {
    name: 'resolve-payment',
    data: { intentId },
    afterSeconds: resolveAfterSeconds(ctx),
  });
  return { meaning: 'new attempt', intentId };
}

/** What each ledger owes, in cents, locked until the transaction ends. Refuses foreign ledgers and wrong units. */
async function lockLedgers(trx: DatabaseTransaction, tenantId: string, lines: Line[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('ledgers')
    .select(['id', 'unit_id', 'balance_cents'])
    .where(
      'id',
      'in',
      lines.map((line) => line.ledgerId),
    )
    .where('tenant_id', '=', tenantId)
    .where('moved_out_on', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.length < lines.length) throw notFound();
  const units = new Map(rows.map((row) => [row.id, row.unit_id]));
  if (lines.some((line) => units.get(line.ledgerId) !== line.unitId))
    throw new Refusal(422, 'The unitId is not that of the rental.');
  return new Map(rows.map((row) => [row.id, row.balance_cents]));
}

/** The newest entry that made each ledger owe more (D3); read after the lock, when nothing can add another. */
async function findEpochs(trx: DatabaseTransaction, lines: Line[]): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('entries')
    .distinctOn('ledger_id')
    .select(['ledger_id', 'id'])
    .where(
      'ledger_id',
      'in',
      lines.map((line) => line.ledgerId),
    )
    .where('amount_cents', '>', 0)
    .orderBy('ledger_id')
    .orderBy('position', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.ledger_id, row.id]));
}

/** The key's live intent, the newest intent for the same debt, and whether an open intent blocks one of the ledgers. */
async function findEarlier(trx: DatabaseTransaction, request: PaymentRequest, debt: Buffer) {
  const ledgerIds = request.params.payments.map((line) => line.ledgerId);
  const { rows } = await sql<{
    id: string;
    state: IntentState;
    createdAt: Date;
    attempt: number;
    declineMessage: string | null;
    requestHash: Buffer | null;
    isOfKey: boolean;
    isOfDebt: boolean;
    isBlocking: boolean;
  }>`
    SELECT i.id, i.state, i.created_at AS "createdAt", i.attempt, i.decline_message AS "declineMessage",
      i.request_hash AS "requestHash",
      coalesce(i.idempotency_key = ${request.idempotencyKey ?? null} AND i.user_id = ${request.userId}
        AND i.state <> 'never_sent', false) AS "isOfKey",
      i.debt_key = ${debt} AS "isOfDebt",
      i.state IN ('submitted', 'unknown') AS "isBlocking"
    FROM payment_intents i
    -- A union, because three conditions joined by OR would read every payment there ever was.
    WHERE i.id IN (
      SELECT id FROM payment_intents WHERE debt_key = ${debt}
      UNION ALL
      SELECT id FROM payment_intents
      WHERE user_id = ${request.userId} AND idempotency_key = ${request.idempotencyKey ?? null} AND state <> 'never_sent'
      UNION ALL
      SELECT intent_id FROM payment_intent_ledgers
      WHERE ledger_id = ANY(${ledgerIds}::uuid[]) AND state IN ('submitted', 'unknown')
    )
    ORDER BY i.attempt DESC`.execute(trx);
  return {
    ofKey: rows.find((row) => row.isOfKey),
    ofDebt: rows.find((row) => row.isOfDebt),
    isBlocked: rows.some((row) => row.isBlocking),
  };
}

type NewIntent = {
  tenant_id: string;
  user_id: string;
  type: 'creditCard' | 'ach';
  method_description: string;
  amount_cents: number;
  idempotency_key: string | null;
  request_hash: Buffer;
  debt_key: Buffer;
  attempt: number;
  lines: Line[];
  now: Date;
};

async function insertIntent(trx: DatabaseTransaction, { lines, now, ...intent }: NewIntent): Promise<string> {
  const { id } = await trx
    .with('intent', (cte) =>
      cte
        .insertInto('payment_intents')
        .values({ ...intent, state: 'submitted', created_at: now, updated_at: now })
        .returning('id'),
    )
    .with('parts', (cte) =>
      cte
        .insertInto('payment_intent_ledgers')
        .columns(['intent_id', 'ledger_id', 'amount_cents', 'state'])
        .expression(
          sql`SELECT intent.id, part.ledger_id, part.cents, 'submitted'
            FROM intent, unnest(${lines.map((line) => line.ledgerId)}::uuid[], ${lines.map((line) => line.cents)}::bigint[])
              AS part (ledger_id, cents)`,
        ),
    )
    .selectFrom('intent')
    .select('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      // The same key at once on other ledgers: the row locks do not meet, the unique index does.
      const { code, constraint } = error as { code?: string; constraint?: string };
      if (code === '23505' && constraint === 'payment_intents_key') throw beingConfirmed();
      throw error;
    });
  return id;
}

/** Asks the gateway, with no transaction open. Null: it did not answer, and the intent now says so. */
async function charge(
  ctx: Context,
  intentId: string,
  lines: Line[],
  method: ChosenMethod,
): Promise<ChargeAnswer | null> {
  try {
    return await ctx.gateway.charge(
      { reference: intentId, amountCents: sum(lines), instrument: method.instrument, initiator: 'tenant' },
      AbortSignal.timeout(ctx.gatewayTimeoutMs),
    );
  } catch (error) {
    if (!(error instanceof GatewayUnknown))
      ctx.log.error({ err: error, intentId }, 'the gateway failed in an unexpected way');
    await markUnknown(ctx, intentId);
    return null;
  }
}

async function markUnknown(ctx: Context, intentId: string): Promise<void> {
  await sql`
    WITH intent AS (
      UPDATE payment_intents SET state = 'unknown', updated_at = ${ctx.clock.now()}
      WHERE id = ${intentId} AND state = 'submitted' RETURNING id
    )
    UPDATE payment_intent_ledgers SET state = 'unknown' FROM intent WHERE intent_id = intent.id`.execute(ctx.db);
}

function sum(lines: Line[]): number {
  return lines.reduce((total, line) => total + line.cents, 0);
}

function beingConfirmed(): Refusal {
  return new Refusal(409, 'Your payment is being confirmed. Please wait a moment; you will not be charged twice.');
}
