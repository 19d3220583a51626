import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import type { PaymentReceipt } from '@gatehouse/contract/payments';
import { sql, type RawBuilder } from 'kysely';
import type { ChargeAnswer } from '#adapters/payments/gateway.ts';
import type { ClosedPayment, Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { IntentState } from '#db/tables.ts';
import { noteGateWaits } from '#features/service/gate-access/settlement.ts';
import { post, type NewPayment } from '#features/base/ledgers/books.ts';
import {
  booksColumns,
  ledgersWithFacility,
  lockLedgers,
  postLocked,
  type LedgerBooks,
} from '#features/base/ledgers/postings.ts';
import { uncountAttempt } from '#features/base/limits/declines.ts';
import { withGateWait } from './receipt.ts';

/**
 * What is known of an open intent in the end. `voided`: the gateway has not charged it and never
 * will.
 */
export type Outcome = ChargeAnswer | { outcome: 'voided' };

const endStates = {
  succeeded: 'succeeded',
  pending: 'pending',
  declined: 'declined',
  voided: 'never_sent',
} as const satisfies Record<Outcome['outcome'], IntentState>;

/**
 * TX2: with the intent locked, and the ledgers where money moved, writes an outcome to its intent
 * and posts one payment entry a ledger with all that follows from it. Answers the receipt of what
 * it posted; null where nothing was, because the outcome moved no money or the intent was no longer
 * open. So it may be called twice, and by two at once.
 */
export async function settlePayment(
  ctx: Context,
  intentId: string,
  outcome: Outcome,
): Promise<PaymentReceipt | null> {
  const isPosted = outcome.outcome === 'succeeded' || outcome.outcome === 'pending';
  return ctx.db.transaction().execute(async (trx) => {
    // A decline posts nothing: it does not wait for the holder of the ledgers.
    if (isPosted) await lockLedgers(trx, ledgersOf(intentId));
    const parts = await readParts(trx, intentId);
    const [intent] = parts;
    if (intent === undefined) return null;
    const hasGateWait = isPosted && intent.mayGateWait && (await noteGateWaits(ctx, trx, intentId));
    const receipt = isPosted ? await postParts(ctx, trx, intentId, outcome.outcome, parts) : null;
    await close(ctx, trx, intent, outcome, receipt);
    // The statements have left for the database by then, and the commit's answer has not come.
    if (isPosted) setImmediate(() => ctx.failpoint('inside-tx2'));
    return receipt !== null && hasGateWait ? withGateWait(ctx, trx, receipt) : receipt;
  });
}

/**
 * What belongs to one ledger of an intent that is still open, with the ledger's books and a new
 * receipt number.
 */
type Part = LedgerBooks &
  Omit<ClosedPayment, 'state' | 'isHard'> & {
    initiator: string;
    cents: number;
    methodDescription: string;
    receiptNumber: string;
    /** The last entry of the ledger that autopay's first attempt was for; null without one. */
    throughPosition: number | null;
    /** Whether the facility's gates may wait until the payment has settled. */
    mayGateWait: boolean;
  };

async function readParts(trx: DatabaseTransaction, intentId: string): Promise<Part[]> {
  const { rows } = await sql<Part>`
    SELECT ${booksColumns}, i.id, i.tenant_id AS "tenantId", i.initiator, i.autopay_item_id AS "autopayItemId",
      i.payment_method_id AS "methodId", i.fingerprint, i.method_expires_on AS "expiresOn",
      part.amount_cents AS cents, i.method_description AS "methodDescription",
      item.through_position AS "throughPosition", i.type = 'ach' AND f.gate_waits_for_settlement AS "mayGateWait",
      -- One number for all rows, for the query in brackets runs once.
      (SELECT nextval('receipt_numbers'))::text AS "receiptNumber"
    FROM payment_intents i
    JOIN payment_intent_ledgers part ON part.intent_id = i.id
    JOIN (${ledgersWithFacility}) ON l.id = part.ledger_id
    LEFT JOIN autopay_items item ON item.id = i.autopay_item_id
    WHERE i.id = ${intentId} AND i.state IN ('submitted', 'unknown')
    ORDER BY u.name, l.id
    FOR NO KEY UPDATE OF i`.execute(trx);
  return rows;
}

async function postParts(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
  status: 'succeeded' | 'pending',
  parts: Part[],
): Promise<PaymentReceipt> {
  const now = ctx.clock.now();
  const { receiptNumber } = parts[0]!;
  const payments = parts.map((part, index): NewPayment => ({
    kind: 'payment',
    id: randomUUID(),
    cents: part.cents,
    throughPosition: part.throughPosition,
    intentId,
    description: part.methodDescription,
    receiptNumber: parts.length === 1 ? receiptNumber : `${receiptNumber}-${index + 1}`,
  }));
  const postings = parts.map((part, index) => post(part, [payments[index]!]).posting);
  const zones = new Map(parts.map(({ ledgerId, timeZone }) => [ledgerId, timeZone]));
  const dayOf = (ledgerId: string) => calendarDateIn(zones.get(ledgerId)!, now);
  await postLocked(trx, { instant: now, dayOf }, postings);
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

/** Writes an outcome to its intent, and what else follows from it. */
async function close(
  ctx: Context,
  trx: DatabaseTransaction,
  intent: Part,
  outcome: Outcome,
  receipt: PaymentReceipt | null,
): Promise<void> {
  const now = ctx.clock.now();
  const { id, initiator } = intent;
  const state = endStates[outcome.outcome];
  const declined = outcome.outcome === 'declined' ? outcome : null;
  // The tenant at the screen is notified by the answer where nothing is posted.
  const toldAt = receipt === null && initiator === 'tenant' ? now : null;
  await sql`
      WITH intent AS (
        UPDATE payment_intents SET state = ${state}, receipt_number = ${receipt?.receiptNumber ?? null},
          decline_message = ${declined?.message ?? null}, is_hard_decline = ${declined?.isHard ?? null}, updated_at = ${now}, told_at = ${toldAt}
        WHERE id = ${id}
      ) ${stateOfParts(id, state)}`.execute(trx);
  if (state !== 'declined' && initiator === 'tenant') await uncountAttempt(ctx, trx, id);
  for (const listener of ctx.paymentListeners)
    await listener.closed(ctx, trx, { ...intent, state, isHard: declined?.isHard ?? false });
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
 * Marks a pending debit as returned, without a return code, in the transaction that takes its
 * payments back: the gateway will not collect it. Answers false and writes nothing where it is no
 * longer pending.
 */
export function markNotCollected(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
): Promise<boolean> {
  return step(ctx, trx, intentId, 'pending', 'returned');
}

/**
 * One legal step that posts nothing; answers false and writes nothing where the intent has
 * another state.
 */
async function step(
  ctx: Context,
  db: Database,
  intentId: string,
  from: IntentState,
  to: IntentState,
): Promise<boolean> {
  const { rows } = await sql`
    WITH intent AS (
      UPDATE payment_intents SET state = ${to}, updated_at = ${ctx.clock.now()}
      WHERE id = ${intentId} AND state = ${from} RETURNING id
    ), part AS (
      UPDATE payment_intent_ledgers part SET state = ${to} FROM intent WHERE part.intent_id = intent.id
    )
    SELECT FROM intent`.execute(db);
  return rows.length > 0;
}

/** Writes the state of an intent to its ledgers too (I5). */
export function stateOfParts(intentId: string, state: IntentState): RawBuilder<unknown> {
  return sql`UPDATE payment_intent_ledgers SET state = ${state} WHERE intent_id = ${intentId}`;
}

/** The ids of an intent's ledgers, as a query. */
export function ledgersOf(intentId: string): RawBuilder<unknown> {
  return sql`SELECT ledger_id FROM payment_intent_ledgers WHERE intent_id = ${intentId}`;
}
