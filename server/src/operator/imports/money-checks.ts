import { sql } from 'kysely';
import { check, dollars } from './check.ts';

/**
 * Charges are too many to be looked up among those of the database: what names one comes with it.
 */
export const lateFeesWithoutRent = check('charges', 'late_for')`
  SELECT s.facility, s.line, 'names no rent charge of this rental' AS says FROM staged_charges s
  WHERE s.late_for IS NOT NULL AND NOT EXISTS (
    SELECT FROM staged_charges rent WHERE rent.facility = s.facility AND rent.charge_id = s.late_for
      AND rent.ledger_id = s.ledger_id AND rent.category = 'rent')`;

export const waiversWithoutCharge = check('payments', 'waives')`
  SELECT s.facility, s.line, 'names no charge of this rental in charges.csv' AS says FROM staged_payments s
  WHERE s.waives IS NOT NULL AND NOT EXISTS (
    SELECT FROM staged_charges waived WHERE waived.facility = s.facility AND waived.charge_id = s.waives
      AND waived.ledger_id = s.ledger_id)`;

/** A receipt's number is one of a kind in the whole database. */
export const receiptTwice = check('payments', 'receipt_number')`
  SELECT facility, line, 'is the same as in line ' || first AS says FROM (
    SELECT facility, line, first_value(line) OVER (PARTITION BY receipt_number ORDER BY line) AS first
    FROM staged_payments WHERE receipt_number IS NOT NULL
  ) s WHERE line <> first`;

export const receiptTaken = check('payments', 'receipt_number')`
  SELECT s.facility, s.line, 'is the number of another receipt' AS says
  FROM staged_payments s JOIN payments p ON p.receipt_number = s.receipt_number WHERE p.entry_id <> s.row_id`;

export const overlap = check('charges', 'due_on')`
  SELECT facility, line, 'is within the period of another rent charge of this rental' AS says FROM (
    SELECT facility, line, due_on, max(period_end) OVER (PARTITION BY facility, ledger_id ORDER BY due_on, line
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM staged_charges WHERE category = 'rent'
  ) s WHERE due_on <= before`;

/** What the server has billed meanwhile is not billed a second time by a file. */
export const billedAlready = check('charges', 'due_on')`
  SELECT s.facility, s.line, 'is within a period that has been billed here already' AS says
  FROM staged_charges s
  JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
  WHERE s.is_new AND s.category = 'rent' AND EXISTS (
    SELECT FROM billed_periods b
    WHERE b.ledger_id = l.row_id AND b.due_on <= s.period_end AND b.period_end >= s.due_on)`;

const NEVER_CHANGED =
  'entries are never changed, so a correction is a further charge, payment or credit';

export const chargeChanged = check('charges', 'charge_id')`
  SELECT s.facility, s.line, 'is there already with another ' || changed.what || ': ' || ${NEVER_CHANGED}::text AS says
  FROM staged_charges s
  JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
  JOIN charges c ON c.entry_id = s.row_id
  JOIN entries e ON e.id = c.entry_id
  CROSS JOIN LATERAL (SELECT CASE
    WHEN c.ledger_id <> l.row_id THEN 'ledger_id'
    WHEN c.category <> s.category THEN 'category'
    WHEN c.description <> s.description THEN 'description'
    WHEN c.due_on <> s.due_on THEN 'due_on'
    WHEN c.period_end IS DISTINCT FROM s.period_end THEN 'period_end'
    WHEN c.price_cents <> s.price THEN 'price'
    WHEN c.discount_cents <> coalesce(s.discount, 0) THEN 'discount'
    WHEN c.tax1_cents <> coalesce(s.tax1, 0) THEN 'tax1'
    WHEN c.tax2_cents <> coalesce(s.tax2, 0) THEN 'tax2'
    WHEN e.posted_on <> coalesce(s.posted_on, s.due_on) THEN 'posted_on'
  END AS what) changed
  WHERE NOT s.is_new AND s.is_sound AND changed.what IS NOT NULL`;

export const paymentChanged = check('payments', 'payment_id')`
  SELECT s.facility, s.line, 'is there already with another ' || changed.what || ': ' || ${NEVER_CHANGED}::text AS says
  FROM staged_payments s
  JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
  JOIN entries e ON e.id = s.row_id
  LEFT JOIN payments p ON p.entry_id = e.id
  LEFT JOIN credits c ON c.entry_id = e.id
  CROSS JOIN LATERAL (SELECT sum(r.amount_cents) AS cents FROM reversals rev JOIN entries r ON r.id = rev.entry_id
    WHERE rev.payment_entry_id = e.id) back
  CROSS JOIN LATERAL (SELECT CASE
    WHEN e.ledger_id <> l.row_id THEN 'ledger_id'
    WHEN e.kind <> coalesce(s.kind, 'payment') THEN 'kind'
    WHEN e.posted_on <> s.paid_on THEN 'paid_on'
    WHEN -e.amount_cents <> s.amount THEN 'amount'
    WHEN coalesce(p.description, c.description) <> s.description THEN 'description'
    WHEN p.receipt_number <> s.receipt_number THEN 'receipt_number'
    WHEN back.cents < s.taken_back OR (back.cents IS NULL AND s.taken_back IS NOT NULL) THEN 'taken_back'
  END AS what) changed
  WHERE NOT s.is_new AND s.is_sound AND changed.what IS NOT NULL`;

/** What the new entries of the files come to, by ledger; whether all of them could be read. */
const newSums = sql`(
  SELECT facility, ledger_id, bool_and(is_sound) AS is_sound, sum(cents) AS cents FROM (
    SELECT facility, ledger_id, is_sound, price - coalesce(discount, 0) + coalesce(tax1, 0) + coalesce(tax2, 0) AS cents
    FROM staged_charges WHERE is_new
    UNION ALL
    SELECT facility, ledger_id, is_sound, coalesce(taken_back, 0) - amount FROM staged_payments WHERE is_new
  ) entry GROUP BY 1, 2)`;

/**
 * Of a new ledger, charges less payments and credits, with what was taken back, are the balance, to
 * the cent (I1).
 */
export const balance = check('ledgers', 'balance')`
  SELECT s.facility, s.line, 'is ' || ${dollars(sql`s.balance`)} || ', but charges less payments are '
    || ${dollars(sql`coalesce(n.cents, 0)`)} AS says
  FROM staged_ledgers s LEFT JOIN ${newSums} n ON n.facility = s.facility AND n.ledger_id = s.ledger_id
  WHERE s.is_new AND s.is_sound AND n.is_sound IS NOT FALSE AND s.balance <> coalesce(n.cents, 0)`;

/**
 * Of a ledger that is here already, the balance is what its books come to with the new entries. One
 * that the file said when it was last taken over says nothing of today's.
 */
export const balanceHere = check('ledgers', 'balance')`
  SELECT s.facility, s.line, 'is ' || ${dollars(sql`s.balance`)} || ', but the books here come to '
    || ${dollars(sql`l.balance_cents + coalesce(n.cents, 0)`)} AS says
  FROM staged_ledgers s
  JOIN ledgers l ON l.id = s.row_id
  LEFT JOIN imported_ledgers said ON said.ledger_id = l.id
  LEFT JOIN ${newSums} n ON n.facility = s.facility AND n.ledger_id = s.ledger_id
  WHERE NOT s.is_new AND s.balance <> l.balance_cents + coalesce(n.cents, 0)
    AND (n.cents IS NOT NULL OR s.balance IS DISTINCT FROM said.balance_cents)`;
