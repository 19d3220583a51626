import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { sql, type RawBuilder } from 'kysely';
import { rateSinceByBills } from '#features/base/ledgers/rate-since.ts';

/** The invariants of docs/rules.md that can be checked from the tables of a ledger. */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8';

/** The row that a breach is about, and two values that differ, or of which one should not be. */
export type Found = {
  ledgerId: string;
  what: string | null;
  one: string | number | null;
  other: string | number | null;
};

/** The ledgers that are checked; an intent that is unknown since then must have its alarm. */
type Asked = { ledgerIds: string[]; unknownSince: Date };

type Check = {
  invariant: Invariant;
  /** A statement of the breaches; of a column that it does not have its sentence says nothing. */
  find: (asked: Asked) => RawBuilder<unknown>;
  say: (found: Omit<Found, 'ledgerId'>) => string;
  /** Only reports and lists read what it is about, or it is of what was not billed. */
  isOfReports?: true;
};

const money = (cents: Found['one']) => formatMoney(toDollars(Number(cents)));

/** What is owed of each charge of the ledgers, by all that was ever allocated to it. */
const chargesOf = (ledgerIds: string[]) => sql`(
  SELECT c.entry_id, c.ledger_id, c.category, c.due_on, e.amount_cents - coalesce(
    (SELECT sum(a.amount_cents) FROM allocations a WHERE a.charge_entry_id = c.entry_id), 0)::bigint AS owed_cents
  FROM charges c JOIN entries e ON e.id = c.entry_id WHERE c.ledger_id = ANY(${ledgerIds}::uuid[]))`;

/** What the ledgers owe and have to their credit, by all that was ever allocated. */
const openOf = (ledgerIds: string[]) => sql`(
  SELECT l.id, l.balance_cents, l.paid_through, l.billed_through, l.owed_since,
    coalesce(charge.cents, 0)::bigint AS owed_cents, coalesce(credit.cents, 0)::bigint AS credit_cents,
    charge.since, charge.rent_since
  FROM ledgers l
  LEFT JOIN (
    SELECT ledger_id, sum(owed_cents) AS cents, min(due_on) AS since, min(due_on) FILTER (WHERE category = 'rent') AS rent_since
    FROM ${chargesOf(ledgerIds)} c WHERE owed_cents > 0 GROUP BY 1
  ) charge ON charge.ledger_id = l.id
  LEFT JOIN (
    SELECT ledger_id, sum(left_cents) AS cents FROM open_credits WHERE ledger_id = ANY(${ledgerIds}::uuid[]) GROUP BY 1
  ) credit ON credit.ledger_id = l.id
  WHERE l.id = ANY(${ledgerIds}::uuid[]))`;

/**
 * The parts of payments on the ledgers, with what is posted of each. They are found by the tenant's
 * payments and by the ledger's: a row that names the wrong one is found from the other side.
 */
const partsOf = (ledgerIds: string[]) => sql`(
  SELECT part.ledger_id, i.id, i.state, i.amount_cents, i.receipt_number, p.state AS part_state, payment.entry_id,
    payment.receipt_number AS payment_number, coalesce(-e.amount_cents, 0) AS posted_cents,
    CASE WHEN i.state IN ('succeeded', 'pending', 'settled', 'returned') THEN coalesce(p.amount_cents, 0) ELSE 0 END AS taken_cents
  FROM (
    SELECT l.id AS ledger_id, p.intent_id FROM ledgers l
    JOIN payment_intents i ON i.tenant_id = l.tenant_id
    JOIN payment_intent_ledgers p ON p.intent_id = i.id AND p.ledger_id = l.id
    WHERE l.id = ANY(${ledgerIds}::uuid[])
    UNION SELECT ledger_id, intent_id FROM payments WHERE ledger_id = ANY(${ledgerIds}::uuid[])
  ) part
  JOIN payment_intents i ON i.id = part.intent_id
  LEFT JOIN payment_intent_ledgers p ON p.intent_id = part.intent_id AND p.ledger_id = part.ledger_id
  LEFT JOIN payments payment ON payment.intent_id = part.intent_id AND payment.ledger_id = part.ledger_id
  LEFT JOIN entries e ON e.id = payment.entry_id)`;

/**
 * What was taken back for a reason of each payment of the ledgers; `given` selects its intent as
 * `intent_id` and what of it must have been. A refund or dispute is of a whole capture: it is held
 * against all its payments and credits of won disputes, on whichever ledger. An import names none.
 */
const takenBackOf = (
  ledgerIds: string[],
  reason: 'refund' | 'chargeback',
  given: RawBuilder<unknown>,
) => sql`(
  SELECT p.ledger_id, p.intent_id, given.cents AS given_cents, (
    SELECT coalesce(sum(e.amount_cents), 0)::bigint FROM (
      SELECT entry_id FROM payments WHERE intent_id = p.intent_id
      UNION ALL
      SELECT won.credit_entry_id FROM disputes d JOIN dispute_parts won ON won.dispute_id = d.id
      WHERE d.intent_id = p.intent_id
    ) every
    JOIN taken_back back ON back.payment_entry_id = every.entry_id AND back.reason = ${reason}
    JOIN entries e ON e.id = back.entry_id
    WHERE NOT EXISTS (SELECT FROM refund_parts part JOIN refunds r ON r.id = part.refund_id
      WHERE part.reversal_entry_id = back.entry_id AND r.ledger_id IS NOT NULL)) AS taken_cents
  FROM payments p
  JOIN payment_intents i ON i.id = p.intent_id AND i.initiator <> 'import'
  CROSS JOIN LATERAL (${given}) given
  WHERE p.ledger_id = ANY(${ledgerIds}::uuid[]))`;

/** What is wrong with what is open of a ledger. */
const openSentences = {
  balance: ({ one, other }) =>
    `The balance is ${money(one)}, and what is open of its entries is ${money(other)}.`,
  both: ({ one, other }) => `${money(one)} are owed beside ${money(other)} of open credits.`,
  owedSince: ({ one, other }) =>
    `It owes since ${one ?? 'no day'}, and by its open charges since ${other ?? 'no day'}.`,
  paidThrough: ({ one, other }) =>
    `It is paid through ${one}, and by its open rent it should be ${other}.`,
} satisfies Record<string, Check['say']>;

/** Each check of the books: one statement, and a sentence for what it finds. */
export const checks: Check[] = [
  {
    invariant: 'I1',
    find: ({ ledgerIds }) => sql`
      SELECT l.id AS "ledgerId", l.balance_cents AS one, coalesce(sum(e.amount_cents), 0)::bigint AS other
      FROM ledgers l LEFT JOIN entries e ON e.ledger_id = l.id WHERE l.id = ANY(${ledgerIds}::uuid[])
      GROUP BY l.id HAVING l.balance_cents <> coalesce(sum(e.amount_cents), 0)`,
    say: ({ one, other }) =>
      `The balance is ${money(one)}, and the entries add up to ${money(other)}.`,
  },
  {
    invariant: 'I1',
    // Computed once for all: what is open takes longest.
    find: ({ ledgerIds }) => sql`
      SELECT l.id AS "ledgerId", breach.what, breach.one, breach.other
      FROM ${openOf(ledgerIds)} l CROSS JOIN LATERAL (VALUES
        ('balance', l.balance_cents::text, (l.owed_cents - l.credit_cents)::text, l.balance_cents <> l.owed_cents - l.credit_cents),
        ('both', l.owed_cents::text, l.credit_cents::text, l.owed_cents > 0 AND l.credit_cents > 0),
        ('owedSince', l.owed_since::text, l.since::text, l.owed_since IS DISTINCT FROM l.since),
        ('paidThrough', l.paid_through::text, coalesce(l.rent_since - 1, l.billed_through)::text,
          l.paid_through <> coalesce(l.rent_since - 1, l.billed_through))
      ) breach (what, one, other, is_one) WHERE breach.is_one`,
    say: (found) => openSentences[found.what as keyof typeof openSentences](found),
  },
  {
    invariant: 'I1',
    find: ({ ledgerIds }) => sql`
      SELECT l.id AS "ledgerId", l.billed_through AS one, max(b.period_end) AS other
      FROM ledgers l JOIN billed_periods b ON b.ledger_id = l.id WHERE l.id = ANY(${ledgerIds}::uuid[])
      GROUP BY l.id HAVING l.billed_through <> max(b.period_end)`,
    say: ({ one, other }) =>
      `It is billed through ${one}, and its last billed period ends on ${other}.`,
  },
  {
    invariant: 'I1',
    // A rate of 0 bills a period without a charge.
    find: ({ ledgerIds }) => sql`
      SELECT b.ledger_id AS "ledgerId", b.due_on AS what FROM billed_periods b
      WHERE b.ledger_id = ANY(${ledgerIds}::uuid[]) AND b.rate_cents > 0 AND NOT EXISTS (
        SELECT FROM charges c WHERE c.ledger_id = b.ledger_id AND c.category = 'rent'
          AND c.due_on = b.due_on AND c.period_end = b.period_end)`,
    say: ({ what }) => `The period of ${what} is billed without rent.`,
  },
  {
    invariant: 'I1',
    find: ({ ledgerIds }) => sql`
      SELECT c.ledger_id AS "ledgerId", c.due_on AS what FROM charges c
      WHERE c.ledger_id = ANY(${ledgerIds}::uuid[]) AND c.category = 'rent' AND NOT EXISTS (
        SELECT FROM billed_periods b
        WHERE b.ledger_id = c.ledger_id AND b.due_on = c.due_on AND b.period_end = c.period_end)`,
    say: ({ what }) => `The rent of ${what} is of no billed period.`,
  },
  {
    invariant: 'I1',
    find: ({ ledgerIds }) => sql`
      SELECT a.ledger_id AS "ledgerId", a.due_on AS one, b.due_on AS other FROM billed_periods a
      JOIN billed_periods b ON b.ledger_id = a.ledger_id AND b.due_on > a.due_on AND b.due_on <= a.period_end
      WHERE a.ledger_id = ANY(${ledgerIds}::uuid[])`,
    say: ({ one, other }) => `The billed periods of ${one} and ${other} overlap.`,
  },
  {
    invariant: 'I1',
    find: ({ ledgerIds }) => sql`
      SELECT ledger_id AS "ledgerId", before_on AS one, due_on AS other FROM (
        SELECT ledger_id, due_on, lag(period_end) OVER (PARTITION BY ledger_id ORDER BY due_on) AS before_on
        FROM billed_periods WHERE ledger_id = ANY(${ledgerIds}::uuid[])
      ) period WHERE due_on > before_on + 1`,
    say: ({ one, other }) => `It is billed through ${one}, and then from ${other} on.`,
    isOfReports: true,
  },
  {
    invariant: 'I1',
    find: ({ ledgerIds }) => sql`
      SELECT c.ledger_id AS "ledgerId", c.entry_id AS what, a.amount_cents AS one
      FROM charges c JOIN allocations a ON a.charge_entry_id = c.entry_id
      JOIN entries e ON e.id = a.credit_entry_id
      LEFT JOIN credits waiver ON waiver.entry_id = a.credit_entry_id
      WHERE c.ledger_id = ANY(${ledgerIds}::uuid[])
        AND (e.ledger_id <> c.ledger_id OR waiver.charge_entry_id <> c.entry_id)`,
    say: ({ what, one }) =>
      `${money(one)} of the charge ${what} are settled by a credit that is for something else.`,
  },
  {
    invariant: 'I1',
    find: ({ ledgerIds }) => sql`
      SELECT e.ledger_id AS "ledgerId", e.id AS what, e.facility_id AS one, u.facility_id AS other
      FROM entries e JOIN ledgers l ON l.id = e.ledger_id JOIN units u ON u.id = l.unit_id
      WHERE e.ledger_id = ANY(${ledgerIds}::uuid[]) AND e.facility_id <> u.facility_id`,
    say: ({ what, one, other }) =>
      `The entry ${what} is of the facility ${one}, and its rental of ${other}.`,
    isOfReports: true,
  },
  {
    invariant: 'I1',
    find: ({ ledgerIds }) => sql`
      SELECT l.id AS "ledgerId", l.rate_since AS one, ${rateSinceByBills} AS other FROM ledgers l
      WHERE l.id = ANY(${ledgerIds}::uuid[])
        AND coalesce(l.rate_since, l.moved_in_on) <> coalesce(${rateSinceByBills}, l.moved_in_on)`,
    say: ({ one, other }) =>
      `It has its rent since ${one ?? 'the move-in'}, and by its billed periods since ${other ?? 'the move-in'}.`,
    isOfReports: true,
  },
  {
    invariant: 'I1',
    find: ({ ledgerIds }) => sql`
      SELECT e.ledger_id AS "ledgerId", e.id AS what, concat_ws(' ', d.type, d.cents) AS one,
        concat_ws(' ', passed.type, passed.cents) AS other
      FROM entries e
      LEFT JOIN drawer_entries d ON d.entry_id = e.id
      LEFT JOIN LATERAL (
        SELECT i.type, -e.amount_cents AS cents
        FROM payments p JOIN payment_intents i ON i.id = p.intent_id AND i.initiator = 'staff'
        WHERE p.entry_id = e.id
        UNION ALL
        SELECT i.type, -e.amount_cents FROM taken_back rev
        JOIN payments p ON p.entry_id = rev.payment_entry_id
        JOIN payment_intents i ON i.id = p.intent_id AND i.initiator = 'staff'
        WHERE rev.entry_id = e.id AND rev.reason = 'mistake'
        UNION ALL
        SELECT 'cash', -e.amount_cents
        FROM refund_parts part JOIN refunds r ON r.id = part.refund_id AND r.way = 'cash'
        WHERE part.reversal_entry_id = e.id
      ) passed ON true
      WHERE e.ledger_id = ANY(${ledgerIds}::uuid[]) AND (e.kind IN ('payment', 'reversal')
          OR e.id IN (SELECT entry_id FROM owed_again WHERE ledger_id = ANY(${ledgerIds}::uuid[])))
        AND (d.type, d.cents) IS DISTINCT FROM (passed.type, passed.cents)`,
    say: ({ what, one, other }) =>
      `Of the entry ${what} “${one}” is in the drawer, and by the books “${other}” is.`,
    isOfReports: true,
  },
  {
    invariant: 'I2',
    find: ({ ledgerIds }) => sql`
      SELECT ledger_id AS "ledgerId", id AS what, taken_cents AS one, posted_cents AS other
      FROM ${partsOf(ledgerIds)} part WHERE taken_cents <> posted_cents`,
    say: ({ what, one, other }) =>
      `Of the payment ${what} ${money(one)} were taken, and ${money(other)} are posted.`,
  },
  {
    invariant: 'I2',
    find: ({ ledgerIds }) => sql`
      SELECT part.ledger_id AS "ledgerId", part.id AS what, part.amount_cents AS one, every.cents AS other
      FROM ${partsOf(ledgerIds)} part CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM payment_intent_ledgers WHERE intent_id = part.id
      ) every WHERE part.amount_cents <> every.cents`,
    say: ({ what, one, other }) =>
      `The payment ${what} is of ${money(one)}, and its parts add up to ${money(other)}.`,
  },
  {
    invariant: 'I2',
    find: ({ ledgerIds }) => sql`
      SELECT part.ledger_id AS "ledgerId", part.id AS what,
        CASE part.state WHEN 'returned' THEN part.posted_cents ELSE 0 END AS one, back.cents AS other
      FROM ${partsOf(ledgerIds)} part CROSS JOIN LATERAL (
        SELECT coalesce(sum(e.amount_cents), 0)::bigint AS cents, count(*) FILTER (WHERE rev.reason = 'return') AS returns
        FROM reversals rev JOIN entries e ON e.id = rev.entry_id WHERE rev.payment_entry_id = part.entry_id
      ) back
      WHERE CASE part.state WHEN 'returned' THEN back.cents <> part.posted_cents OR back.returns > 1
        ELSE back.returns > 0 END`,
    say: ({ what, one, other }) =>
      `Of the payment ${what} the bank returned ${money(one)}, and ${money(other)} are taken back.`,
  },
  {
    invariant: 'I2',
    find: ({ ledgerIds }) => sql`
      SELECT ledger_id AS "ledgerId", intent_id AS what, given_cents AS one, taken_cents AS other
      FROM ${takenBackOf(ledgerIds, 'refund', sql`SELECT coalesce(sum(posted_cents), 0)::bigint AS cents FROM refunds WHERE intent_id = p.intent_id`)} back
      WHERE given_cents <> taken_cents`,
    say: ({ what, one, other }) =>
      `Of the payment ${what} ${money(one)} were refunded, and ${money(other)} are taken back.`,
  },
  {
    invariant: 'I2',
    // Staff take a payment of another gateway's back as a chargeback without a dispute of ours.
    find: ({ ledgerIds }) => sql`
      SELECT ledger_id AS "ledgerId", intent_id AS what, given_cents AS one, taken_cents AS other
      FROM ${takenBackOf(ledgerIds, 'chargeback', sql`SELECT coalesce(sum(posted_cents), 0)::bigint AS cents FROM disputes WHERE intent_id = p.intent_id`)} back
      WHERE given_cents > taken_cents`,
    say: ({ what, one, other }) =>
      `Of the payment ${what} ${money(one)} are disputed, and ${money(other)} are taken back.`,
  },
  {
    invariant: 'I3',
    find: ({ ledgerIds }) => sql`
      SELECT e.ledger_id AS "ledgerId", e.id AS what, e.amount_cents AS one
      FROM entries e WHERE e.ledger_id = ANY(${ledgerIds}::uuid[]) AND NOT CASE e.kind
        WHEN 'charge' THEN EXISTS (SELECT FROM charges c WHERE c.entry_id = e.id AND c.ledger_id = e.ledger_id)
        WHEN 'payment' THEN EXISTS (SELECT FROM payments p WHERE p.entry_id = e.id AND p.ledger_id = e.ledger_id)
        WHEN 'credit' THEN EXISTS (SELECT FROM credits c WHERE c.entry_id = e.id AND c.ledger_id = e.ledger_id)
        ELSE EXISTS (SELECT FROM reversals r WHERE r.entry_id = e.id AND r.ledger_id = e.ledger_id) END`,
    say: ({ what, one }) =>
      `The entry ${what} of ${money(one)} has lost the row that says what it is.`,
  },
  {
    invariant: 'I3',
    find: ({ ledgerIds }) => sql`
      SELECT c.ledger_id AS "ledgerId", c.entry_id AS what, e.amount_cents AS one, total.cents AS other
      FROM charges c JOIN entries e ON e.id = c.entry_id
      CROSS JOIN LATERAL (SELECT c.price_cents - c.discount_cents + c.tax1_cents + c.tax2_cents AS cents) total
      WHERE c.ledger_id = ANY(${ledgerIds}::uuid[]) AND (e.amount_cents <> total.cents OR e.ledger_id <> c.ledger_id)`,
    say: ({ what, one, other }) =>
      `The entry ${what} is of ${money(one)}, and its charge of ${money(other)}.`,
  },
  {
    invariant: 'I4',
    find: ({ ledgerIds }) => sql`
      SELECT e.ledger_id AS "ledgerId", e.id AS what, -e.amount_cents - back.cents - used.cents AS one
      FROM entries e
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(r.amount_cents), 0)::bigint AS cents
        FROM reversals rev JOIN entries r ON r.id = rev.entry_id WHERE rev.payment_entry_id = e.id
      ) back
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(cents), 0)::bigint AS cents, coalesce(min(cents), 0) AS least FROM (
          SELECT sum(a.amount_cents) AS cents FROM allocations a WHERE a.credit_entry_id = e.id GROUP BY a.charge_entry_id
        ) of_charge
      ) used
      WHERE e.ledger_id = ANY(${ledgerIds}::uuid[]) AND e.amount_cents < 0
        AND (-e.amount_cents < back.cents + used.cents OR used.least < 0)`,
    say: ({ what, one }) =>
      `More of the payment or credit ${what} is used than it was: ${money(one)} are left.`,
  },
  {
    invariant: 'I4',
    find: ({ ledgerIds }) => sql`
      SELECT c.ledger_id AS "ledgerId", c.entry_id AS what, total.cents AS one, sum(a.amount_cents)::bigint AS other
      FROM charges c JOIN allocations a ON a.charge_entry_id = c.entry_id
      CROSS JOIN LATERAL (SELECT c.price_cents - c.discount_cents + c.tax1_cents + c.tax2_cents AS cents) total
      WHERE c.ledger_id = ANY(${ledgerIds}::uuid[]) GROUP BY c.entry_id, total.cents
      HAVING sum(a.amount_cents) > total.cents OR sum(a.amount_cents) < 0`,
    say: ({ what, one, other }) =>
      `Of the charge ${what} of ${money(one)} ${money(other)} are settled.`,
  },
  {
    invariant: 'I5',
    find: ({ ledgerIds }) => sql`
      SELECT ledger_id AS "ledgerId", count(*) AS one FROM payment_intent_ledgers
      WHERE ledger_id = ANY(${ledgerIds}::uuid[]) AND state IN ('submitted', 'unknown') GROUP BY 1 HAVING count(*) > 1`,
    say: ({ one }) => `${one} payments are open at once.`,
  },
  {
    invariant: 'I5',
    find: ({ ledgerIds }) => sql`
      SELECT ledger_id AS "ledgerId", id AS what, state AS one, part_state AS other
      FROM ${partsOf(ledgerIds)} part WHERE state <> part_state`,
    say: ({ what, one, other }) =>
      `The payment ${what} is ${one}, and its part on this rental ${other}.`,
  },
  {
    invariant: 'I6',
    find: ({ ledgerIds }) => sql`
      SELECT ledger_id AS "ledgerId", id AS what, coalesce(receipt_number, '') AS one, payment_number AS other
      FROM ${partsOf(ledgerIds)} part
      WHERE payment_number IS NOT NULL AND (receipt_number IS NULL
        OR NOT (payment_number = receipt_number OR starts_with(payment_number, receipt_number || '-')))`,
    say: ({ what, one, other }) =>
      `The receipt of the payment ${what} is ${one}, and what is posted has ${other}.`,
  },
  {
    invariant: 'I7',
    find: ({ ledgerIds, unknownSince }) => sql`
      SELECT part.ledger_id AS "ledgerId", i.id AS what, i.created_at::text AS one
      FROM payment_intent_ledgers part JOIN payment_intents i ON i.id = part.intent_id
      WHERE part.ledger_id = ANY(${ledgerIds}::uuid[]) AND part.state IN ('submitted', 'unknown')
        AND i.created_at < ${unknownSince}
        AND NOT EXISTS (SELECT FROM alarms WHERE key = 'payment_unknown:' || i.id)`,
    say: ({ what, one }) =>
      `The payment ${what} of ${one} is unknown for too long, without an alarm.`,
  },
  {
    invariant: 'I8',
    find: ({ ledgerIds }) => sql`
      SELECT ledger_id AS "ledgerId", due_on AS what, count(*) AS one FROM autopay_items
      WHERE ledger_id = ANY(${ledgerIds}::uuid[]) GROUP BY 1, 2 HAVING count(*) > 1`,
    say: ({ what, one }) => `There are ${one} autopay items for the due date ${what}.`,
  },
  {
    invariant: 'I8',
    find: ({ ledgerIds }) => sql`
      SELECT i.ledger_id AS "ledgerId", i.due_on AS what, count(*) AS one FROM autopay_items i
      JOIN payment_intents attempt ON attempt.autopay_item_id = i.id
        AND attempt.state NOT IN ('declined', 'never_sent', 'returned')
      WHERE i.ledger_id = ANY(${ledgerIds}::uuid[]) GROUP BY i.id HAVING count(*) > 1`,
    say: ({ what, one }) => `The autopay item of ${what} has ${one} payments.`,
  },
];
