import { sql, type RawBuilder } from 'kysely';
import { owedSinceWhere } from '#features/base/ledgers/owed-since.ts';

/**
 * Of the ledger `l`: the bank payments that the gate does not count yet, as `part` with its payment
 * `p` and entry `paid`.
 */
const waitingPayments = sql`payment_intent_ledgers part
  JOIN payments p ON p.intent_id = part.intent_id AND p.ledger_id = part.ledger_id
  JOIN entries paid ON paid.id = p.entry_id
  WHERE part.ledger_id = l.id AND part.state = 'pending' AND part.gate_waits_for IS NOT NULL`;

/** Nothing is read where the facility `f` does not wait. */
const whereWaiting = <Value>(value: RawBuilder<unknown>) =>
  sql<Value>`CASE WHEN f.gate_waits_for_settlement THEN ${value} END`;

/** What is left of those payments, in cents; null where the facility does not wait. */
export const waitingCents = whereWaiting<number | null>(sql`(
  SELECT sum(-paid.amount_cents - coalesce((
    SELECT sum(back.amount_cents) FROM reversals r JOIN entries back ON back.id = r.entry_id
    WHERE r.payment_entry_id = paid.id), 0))::bigint
  FROM ${waitingPayments})`);

/**
 * `owedSince` for the gate: a payment that waited and came back gives no further days, as if it had
 * not been made.
 */
export const gateOwedSince = owedSinceWhere(sql`NOT EXISTS (
  SELECT FROM payments p JOIN payment_intent_ledgers part ON part.intent_id = p.intent_id AND part.ledger_id = p.ledger_id
  WHERE p.entry_id = a.credit_entry_id AND part.gate_waits_for IS NOT NULL)`);

/** Since when what those payments have paid was owed, where the facility gives days. */
export const waitingSince = whereWaiting<string | null>(sql`CASE WHEN f.gate_grace_days > 0 THEN (
  SELECT min(${gateOwedSince}) FROM charges c JOIN entries e ON e.id = c.entry_id
  WHERE c.entry_id IN (
    SELECT settled.charge_entry_id FROM allocations settled
    WHERE settled.credit_entry_id IN (SELECT paid.id FROM ${waitingPayments}))) END`);

/** The day of the newest of those payments, and why the gate waits for it. */
export const newestWaiting = whereWaiting<{ paidOn: string; reason: string } | null>(sql`(
  SELECT json_build_object('paidOn', paid.posted_on, 'reason', part.gate_waits_for)
  FROM ${waitingPayments} ORDER BY paid.position DESC LIMIT 1)`);
