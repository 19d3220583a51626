import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import type { PaymentReceipt } from '@gatehouse/contract/payments';
import { sql } from 'kysely';
import type { ChargeAnswer } from '#adapters/payments/gateway.ts';
import type { Context } from '#context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { IntentState } from '#db/tables.ts';
import { itemEffects } from '#features/autopay/items.ts';
import { post, type NewPayment } from '#features/ledgers/books.ts';
import {
  booksColumns,
  ledgersWithFacility,
  untilWritten,
  withEffects,
  writePostings,
  type Effects,
  type Gate,
  type LedgerBooks,
} from '#features/ledgers/postings.ts';
import { givenBack } from '#features/payment-methods/declines.ts';

/** What is known of an open intent in the end. `voided`: the gateway has not charged it and never will. */
export type Outcome = ChargeAnswer | { outcome: 'voided' };

const endStates = {
  succeeded: 'succeeded',
  pending: 'pending',
  declined: 'declined',
  voided: 'never_sent',
} as const satisfies Record<Outcome['outcome'], IntentState>;

/**
 * TX2 of D6: writes an outcome to its intent and, where money moved, posts it: one payment entry a ledger with all that
 * follows from it, in one statement. Answers the receipt of what it posted; null where nothing was, because the outcome
 * moved no money or the intent was no longer open. So it may be called twice, and by two at once.
 */
export async function settlePayment(ctx: Context, intentId: string, outcome: Outcome): Promise<PaymentReceipt | null> {
  if (outcome.outcome === 'declined' || outcome.outcome === 'voided') {
    await closeUnposted(ctx, intentId, outcome);
    return null;
  }
  const status = outcome.outcome;
  let receipt: PaymentReceipt | null = null;
  await untilWritten(ctx.db, ledgersOf(intentId), async (db) => {
    const parts = await readParts(db, intentId);
    if (parts.length === 0) return true;
    receipt = await postParts(ctx, db, intentId, status, parts);
    return receipt !== null;
  });
  return receipt;
}

/** What belongs to one ledger of an intent that is still open, with the ledger's books and a new receipt number. */
type Part = LedgerBooks & { cents: number; methodDescription: string; receiptNumber: string };

async function readParts(db: Database, intentId: string): Promise<Part[]> {
  const { rows } = await sql<Part>`
    SELECT ${booksColumns}, part.amount_cents AS cents, i.method_description AS "methodDescription",
      -- One number for all rows, for the query in brackets runs once.
      (SELECT nextval('receipt_numbers'))::text AS "receiptNumber"
    FROM ${ledgersWithFacility}
    JOIN payment_intent_ledgers part ON part.ledger_id = l.id
    JOIN payment_intents i ON i.id = part.intent_id
    WHERE i.id = ${intentId} AND i.state IN ('submitted', 'unknown')
    ORDER BY u.name, l.id`.execute(db);
  return rows;
}

/** Answers null where a ledger or the intent changed since it was read. */
async function postParts(
  ctx: Context,
  db: Database,
  intentId: string,
  status: 'succeeded' | 'pending',
  parts: Part[],
): Promise<PaymentReceipt | null> {
  const now = ctx.clock.now();
  const { receiptNumber } = parts[0]!;
  const payments = parts.map((part, index): NewPayment => ({
    kind: 'payment',
    id: randomUUID(),
    cents: part.cents,
    intentId,
    description: part.methodDescription,
    receiptNumber: parts.length === 1 ? receiptNumber : `${receiptNumber}-${index + 1}`,
  }));
  const postings = parts.map((part, index) => post(part, [payments[index]!]).posting);
  const zones = new Map(parts.map(({ ledgerId, timeZone }) => [ledgerId, timeZone]));
  const dayOf = (ledgerId: string) => calendarDateIn(zones.get(ledgerId)!, now);
  const gate: Gate = (allHeld) => sql`
    UPDATE payment_intents SET state = ${status}, receipt_number = ${receiptNumber}, updated_at = ${now}
    WHERE id = ${intentId} AND state IN ('submitted', 'unknown') AND ${allHeld} RETURNING id, state`;
  const writing = writePostings(db, { instant: now, dayOf }, postings, gate, [
    ...stateOfParts(),
    ...itemEffects(now, null),
    ...givenBack(ctx),
  ]);
  // The statement has left for the database by then, and its answer has not come.
  setImmediate(() => ctx.failpoint('inside-tx2'));
  if ((await writing) === null) return null;
  return {
    status,
    receiptNumber,
    payments: payments.map((payment, index) => ({
      ledgerId: parts[index]!.ledgerId,
      amount: toDollars(payment.cents),
      receiptNumber: payment.receiptNumber,
    })),
  };
}

async function closeUnposted(
  ctx: Context,
  intentId: string,
  outcome: Extract<Outcome, { outcome: 'declined' | 'voided' }>,
): Promise<void> {
  const now = ctx.clock.now();
  const [message, isHard] = outcome.outcome === 'declined' ? [outcome.message, outcome.isHard] : [null, null];
  await sql`
    WITH gate AS (
      UPDATE payment_intents SET state = ${endStates[outcome.outcome]}, decline_message = ${message},
        is_hard_decline = ${isHard}, updated_at = ${now},
        -- The tenant at the screen has been told by the answer.
        told_at = CASE initiator WHEN 'tenant' THEN ${now}::timestamptz END
      WHERE id = ${intentId} AND state IN ('submitted', 'unknown') RETURNING id, state
    ) ${withEffects([...stateOfParts(), ...itemEffects(now, isHard), ...givenBack(ctx)])}
    SELECT FROM gate`.execute(ctx.db);
}

/** The gateway did not answer: says so of an intent that is still open. */
export async function markUnknown(ctx: Context, intentId: string): Promise<void> {
  await step(ctx, ctx.db, intentId, 'submitted', 'unknown');
}

/** The bank has paid a pending debit: says so. It may still be returned. */
export async function markSettled(ctx: Context, intentId: string): Promise<void> {
  await step(ctx, ctx.db, intentId, 'pending', 'settled');
}

/**
 * Marks a pending debit as returned, without a return code, in the transaction that takes its payments back: the gateway
 * will not collect it. Answers false and writes nothing where it is no longer pending.
 */
export function markNotCollected(ctx: Context, trx: DatabaseTransaction, intentId: string): Promise<boolean> {
  return step(ctx, trx, intentId, 'pending', 'returned');
}

/** One legal step (D4) that posts nothing; answers false and writes nothing where the intent stands elsewhere. */
async function step(
  ctx: Context,
  db: Database,
  intentId: string,
  from: IntentState,
  to: IntentState,
): Promise<boolean> {
  const { rows } = await sql`
    WITH gate AS (
      UPDATE payment_intents SET state = ${to}, updated_at = ${ctx.clock.now()}
      WHERE id = ${intentId} AND state = ${from} RETURNING id, state
    ) ${withEffects(stateOfParts())}
    SELECT FROM gate`.execute(db);
  return rows.length > 0;
}

/** The state of an intent, as `gate` answers it, on its ledgers too (I5). */
export function stateOfParts(): Effects {
  return [sql`UPDATE payment_intent_ledgers part SET state = gate.state FROM gate WHERE part.intent_id = gate.id`];
}

/** The ids of an intent's ledgers, as a query. */
export function ledgersOf(intentId: string) {
  return sql`SELECT ledger_id FROM payment_intent_ledgers WHERE intent_id = ${intentId}`;
}
