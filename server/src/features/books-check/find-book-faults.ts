import { formatMoney, toDollars } from '@gatehouse/contract/money';
import type { Database } from '#db/database.ts';
import { prepared } from '#db/prepared.ts';
import { UNKNOWN_MINUTES } from '#features/payments/intent.ts';

/** The invariants of docs/rules.md that can be checked from the tables of a ledger. */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8';

/**
 * A breach of an invariant on a ledger, in a sentence for the operator; it holds ids and sums, no
 * names. `isOfReports`: of what reports and lists read alone, so that no balance is wrong.
 */
export type BookFault = {
  ledgerId: string;
  invariant: Invariant;
  sentence: string;
  isOfReports: boolean;
};

/**
 * What was found: the row that it is about, and two values that differ, or of which one should not
 * be.
 */
type Found = { ledgerId: string; check: Check; what: string; one: string; other: string };

/**
 * Finds the breaches of I1 to I8 on the ledgers, in one statement and so of one instant: what is
 * being posted meanwhile is seen wholly or not at all. `db` may be a transaction, whose own writes
 * are seen then. I2 holds our intents against our entries; the gateway's list is reconciliation's.
 * Ids that are no ledger's are left out. Answers them by ledger, in the order of the invariants; an
 * empty list for sound books.
 */
export async function findBookFaults(
  db: Database,
  ledgerIds: string[],
  now: Date,
): Promise<BookFault[]> {
  const unknownSince = new Date(now.getTime() - (UNKNOWN_MINUTES + SWEEP_MINUTES) * 60_000);
  const { rows } = await prepared<Found>`
    WITH ledger AS MATERIALIZED (
      SELECT id, tenant_id, balance_cents, paid_through, billed_through FROM ledgers WHERE id = ANY(${ledgerIds}::uuid[])
    ), entry AS MATERIALIZED (
      SELECT e.id, e.ledger_id, e.kind, e.amount_cents FROM ledger l JOIN entries e ON e.ledger_id = l.id
    ), charge AS MATERIALIZED (
      SELECT c.entry_id, c.ledger_id, c.category, c.due_on, c.period_end,
        c.price_cents - c.discount_cents + c.tax1_cents + c.tax2_cents AS cents
      FROM ledger l JOIN charges c ON c.ledger_id = l.id
    ), payment AS MATERIALIZED (
      SELECT p.entry_id, p.ledger_id, p.intent_id, p.receipt_number FROM ledger l JOIN payments p ON p.ledger_id = l.id
    ), settled AS MATERIALIZED (
      SELECT a.charge_entry_id, sum(a.amount_cents)::bigint AS cents
      FROM charge c JOIN allocations a ON a.charge_entry_id = c.entry_id GROUP BY 1
    ), used AS MATERIALIZED (
      SELECT credit_entry_id, sum(cents)::bigint AS cents, min(cents)::bigint AS least FROM (
        SELECT a.credit_entry_id, a.charge_entry_id, sum(a.amount_cents) AS cents
        FROM entry e JOIN allocations a ON a.credit_entry_id = e.id WHERE e.amount_cents < 0 GROUP BY 1, 2
      ) pair GROUP BY 1
    ), back AS MATERIALIZED (
      SELECT rev.payment_entry_id, sum(r.amount_cents)::bigint AS cents,
        count(*) FILTER (WHERE rev.reason = 'return') AS returns
      FROM entry e JOIN reversals rev ON rev.payment_entry_id = e.id JOIN entries r ON r.id = rev.entry_id
      WHERE e.amount_cents < 0 GROUP BY 1
    ), owed AS MATERIALIZED (
      SELECT c.entry_id, c.ledger_id, c.category, c.due_on, e.amount_cents - coalesce(s.cents, 0) AS cents
      FROM charge c JOIN entry e ON e.id = c.entry_id LEFT JOIN settled s ON s.charge_entry_id = c.entry_id
    ), lefts AS MATERIALIZED (
      SELECT e.id, e.ledger_id, -e.amount_cents - coalesce(u.cents, 0) - coalesce(b.cents, 0) AS cents, coalesce(u.least, 0) AS least
      FROM entry e LEFT JOIN used u ON u.credit_entry_id = e.id LEFT JOIN back b ON b.payment_entry_id = e.id
      WHERE e.amount_cents < 0
    ), standing AS MATERIALIZED (
      SELECT l.*, coalesce(entries.cents, 0)::bigint AS entry_cents, coalesce(open.cents, 0)::bigint AS open_cents,
        coalesce(credit.cents, 0)::bigint AS credit_cents, coalesce(open.first_rent - 1, l.billed_through) AS paid_to
      FROM ledger l
      LEFT JOIN (SELECT ledger_id, sum(amount_cents) AS cents FROM entry GROUP BY 1) entries ON entries.ledger_id = l.id
      LEFT JOIN (
        SELECT ledger_id, sum(cents) AS cents, min(due_on) FILTER (WHERE category = 'rent') AS first_rent
        FROM owed WHERE cents > 0 GROUP BY 1
      ) open ON open.ledger_id = l.id
      LEFT JOIN (SELECT ledger_id, sum(cents) AS cents FROM lefts WHERE cents > 0 GROUP BY 1) credit ON credit.ledger_id = l.id
    ), period AS MATERIALIZED (
      SELECT b.ledger_id, b.due_on, b.period_end, b.rate_cents FROM ledger l JOIN billed_periods b ON b.ledger_id = l.id
    ), part AS MATERIALIZED (
      -- By the tenant's payments and by the ledger's: a row that names the wrong one is found from the other side.
      SELECT l.id AS ledger_id, i.id AS intent_id FROM ledger l
      JOIN payment_intents i ON i.tenant_id = l.tenant_id
      JOIN payment_intent_ledgers p ON p.intent_id = i.id AND p.ledger_id = l.id
      UNION SELECT ledger_id, intent_id FROM payment
    ), intent AS MATERIALIZED (
      SELECT part.ledger_id, i.id, i.state, i.amount_cents, i.receipt_number, i.created_at, p.state AS part_state,
        coalesce(p.amount_cents, 0) AS part_cents, payment.entry_id, payment.receipt_number AS payment_number,
        i.state IN ('succeeded', 'pending', 'settled', 'returned') AS is_money, coalesce(-e.amount_cents, 0) AS posted_cents
      FROM part
      JOIN payment_intents i ON i.id = part.intent_id
      LEFT JOIN payment_intent_ledgers p ON p.intent_id = part.intent_id AND p.ledger_id = part.ledger_id
      LEFT JOIN payment ON payment.intent_id = part.intent_id AND payment.ledger_id = part.ledger_id
      LEFT JOIN entry e ON e.id = payment.entry_id
    ), given_back AS MATERIALIZED (
      -- A refund or dispute is of a whole capture: it is held against all its payments, on whichever ledger.
      SELECT one.ledger_id, one.intent_id,
        (SELECT coalesce(sum(posted_cents), 0)::bigint FROM refunds WHERE intent_id = one.intent_id) AS refunded_cents,
        (SELECT coalesce(sum(posted_cents), 0)::bigint FROM disputes WHERE intent_id = one.intent_id) AS disputed_cents,
        taken.refund_taken, taken.dispute_taken
      FROM (
        SELECT p.ledger_id, p.intent_id FROM payment p
        JOIN reversals rev ON rev.payment_entry_id = p.entry_id AND rev.reason IN ('refund', 'chargeback')
        UNION SELECT p.ledger_id, p.intent_id FROM payment p JOIN refunds r ON r.intent_id = p.intent_id
        UNION SELECT p.ledger_id, p.intent_id FROM payment p JOIN disputes d ON d.intent_id = p.intent_id
      ) one
      JOIN payment_intents i ON i.id = one.intent_id
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(e.amount_cents) FILTER (WHERE rev.reason = 'refund'), 0)::bigint AS refund_taken,
          coalesce(sum(e.amount_cents) FILTER (WHERE rev.reason = 'chargeback'), 0)::bigint AS dispute_taken
        FROM payments p JOIN reversals rev ON rev.payment_entry_id = p.entry_id JOIN entries e ON e.id = rev.entry_id
        WHERE p.intent_id = one.intent_id
      ) taken
      -- An import names no refunds; of what the bank has returned as well, a refund finds nothing left to take back.
      WHERE i.initiator <> 'import' AND i.state <> 'returned'
        AND NOT EXISTS (SELECT FROM disputes d WHERE d.intent_id = i.id AND d.state = 'won')
    )
    SELECT ledger_id AS "ledgerId", check_name AS check, what::text, one::text, other::text FROM (
      SELECT id AS ledger_id, 'balance' AS check_name, '' AS what, balance_cents::text AS one, entry_cents::text AS other
      FROM standing WHERE balance_cents <> entry_cents
      UNION ALL
      SELECT id, 'open', '', balance_cents::text, (open_cents - credit_cents)::text
      FROM standing WHERE balance_cents <> open_cents - credit_cents
      UNION ALL
      SELECT coalesce(o.ledger_id, s.ledger_id), 'owed', coalesce(o.entry_id, s.entry_id)::text,
        coalesce(s.owed_cents, 0)::text, coalesce(o.cents, 0)::text
      FROM (SELECT entry_id, ledger_id, cents FROM owed WHERE cents > 0) o
      FULL JOIN (
        SELECT s.entry_id, s.ledger_id, s.owed_cents FROM ledger l JOIN owed_charges s ON s.ledger_id = l.id
      ) s ON s.entry_id = o.entry_id AND s.ledger_id = o.ledger_id
      WHERE s.owed_cents IS DISTINCT FROM o.cents
      UNION ALL
      SELECT s.ledger_id, 'owedWhere', s.entry_id::text, concat_ws(' ', s.facility_id, s.due_on, s.is_rent),
        concat_ws(' ', u.facility_id, c.due_on, c.category = 'rent')
      FROM ledger l JOIN owed_charges s ON s.ledger_id = l.id JOIN charge c ON c.entry_id = s.entry_id
      JOIN ledgers ON ledgers.id = l.id JOIN units u ON u.id = ledgers.unit_id
      WHERE (s.facility_id, s.due_on, s.is_rent) IS DISTINCT FROM (u.facility_id, c.due_on, c.category = 'rent')
      UNION ALL
      SELECT e.ledger_id, 'takings', e.id::text,
        concat_ws(' ', t.facility_id, t.posted_on, t.type, t.via, t.reason, t.intent_id, t.payout_id, t.cents),
        concat_ws(' ', r.facility_id, r.posted_on, r.type, r.via, r.reason, r.intent_id, r.payout_id, r.cents)
      FROM entry e
      LEFT JOIN takings t ON t.entry_id = e.id
      LEFT JOIN (SELECT r.* FROM ledger l JOIN reckoned_takings r ON r.ledger_id = l.id) r ON r.entry_id = e.id
      WHERE (t.facility_id, t.posted_on, t.type, t.via, t.reason, t.intent_id, t.payout_id, t.cents)
        IS DISTINCT FROM (r.facility_id, r.posted_on, r.type, r.via, r.reason, r.intent_id, r.payout_id, r.cents)
      UNION ALL
      SELECT id, 'unused', '', open_cents::text, credit_cents::text
      FROM standing WHERE open_cents > 0 AND credit_cents > 0
      UNION ALL
      SELECT id, 'paidThrough', '', paid_through::text, paid_to::text FROM standing WHERE paid_through <> paid_to
      UNION ALL
      SELECT l.id, 'billedThrough', '', l.billed_through::text, billed.last::text
      FROM ledger l JOIN (SELECT ledger_id, max(period_end) AS last FROM period GROUP BY 1) billed ON billed.ledger_id = l.id
      WHERE l.billed_through <> billed.last
      UNION ALL
      SELECT coalesce(b.ledger_id, c.ledger_id), 'period', coalesce(b.due_on, c.due_on)::text,
        (b.ledger_id IS NOT NULL)::text, (c.ledger_id IS NOT NULL)::text
      FROM period b
      FULL JOIN (SELECT ledger_id, due_on, period_end FROM charge WHERE category = 'rent') c
        ON c.ledger_id = b.ledger_id AND c.due_on = b.due_on AND c.period_end = b.period_end
      -- A rate of 0 bills a period without a charge.
      WHERE b.ledger_id IS NULL OR (c.ledger_id IS NULL AND b.rate_cents > 0)
      UNION ALL
      SELECT a.ledger_id, 'overlap', '', a.due_on::text, b.due_on::text
      FROM period a JOIN period b ON b.ledger_id = a.ledger_id AND b.due_on > a.due_on AND b.due_on <= a.period_end
      UNION ALL
      SELECT c.ledger_id, 'foreign', c.entry_id::text, a.amount_cents::text, ''
      FROM charge c JOIN allocations a ON a.charge_entry_id = c.entry_id
      JOIN entries e ON e.id = a.credit_entry_id
      LEFT JOIN credits waiver ON waiver.entry_id = a.credit_entry_id
      WHERE e.ledger_id <> c.ledger_id OR waiver.charge_entry_id <> c.entry_id
      UNION ALL
      SELECT ledger_id, 'posted', id::text, CASE WHEN is_money THEN part_cents ELSE 0 END::text, posted_cents::text
      FROM intent WHERE CASE WHEN is_money THEN part_cents ELSE 0 END <> posted_cents
      UNION ALL
      SELECT i.ledger_id, 'parts', i.id::text, i.amount_cents::text, parts.cents::text
      FROM intent i, LATERAL (
        SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM payment_intent_ledgers WHERE intent_id = i.id
      ) parts WHERE i.amount_cents <> parts.cents
      UNION ALL
      SELECT i.ledger_id, 'returned', i.id::text, (CASE i.state WHEN 'returned' THEN i.posted_cents ELSE 0 END)::text,
        coalesce(b.cents, 0)::text
      FROM intent i LEFT JOIN back b ON b.payment_entry_id = i.entry_id
      WHERE CASE i.state WHEN 'returned' THEN coalesce(b.cents, 0) <> i.posted_cents OR coalesce(b.returns, 0) > 1
        ELSE coalesce(b.returns, 0) > 0 END
      UNION ALL
      SELECT ledger_id, 'refunded', intent_id::text, refunded_cents::text, refund_taken::text
      FROM given_back WHERE refunded_cents <> refund_taken
      UNION ALL
      SELECT ledger_id, 'disputed', intent_id::text, disputed_cents::text, dispute_taken::text
      -- Staff take a payment of another gateway's back as a chargeback without a dispute of ours.
      FROM given_back WHERE disputed_cents > dispute_taken
      UNION ALL
      SELECT e.ledger_id, 'lost', e.id::text, e.amount_cents::text, '' FROM entry e
      WHERE NOT CASE e.kind
        WHEN 'charge' THEN EXISTS (SELECT FROM charge c WHERE c.entry_id = e.id)
        WHEN 'payment' THEN EXISTS (SELECT FROM payment p WHERE p.entry_id = e.id)
        WHEN 'credit' THEN EXISTS (SELECT FROM credits c WHERE c.entry_id = e.id AND c.ledger_id = e.ledger_id)
        ELSE EXISTS (SELECT FROM reversals r WHERE r.entry_id = e.id AND r.ledger_id = e.ledger_id) END
      UNION ALL
      SELECT c.ledger_id, 'changed', c.entry_id::text, e.amount_cents::text, c.cents::text
      FROM charge c JOIN entries e ON e.id = c.entry_id WHERE e.amount_cents <> c.cents OR e.ledger_id <> c.ledger_id
      UNION ALL
      SELECT ledger_id, 'left', id::text, cents::text, least::text FROM lefts WHERE cents < 0 OR least < 0
      UNION ALL
      SELECT c.ledger_id, 'settled', c.entry_id::text, c.cents::text, s.cents::text
      FROM charge c JOIN settled s ON s.charge_entry_id = c.entry_id WHERE s.cents > c.cents OR s.cents < 0
      UNION ALL
      SELECT p.ledger_id, 'open payments', '', count(*)::text, ''
      FROM ledger l JOIN payment_intent_ledgers p ON p.ledger_id = l.id AND p.state IN ('submitted', 'unknown')
      GROUP BY 1 HAVING count(*) > 1
      UNION ALL
      SELECT ledger_id, 'state', id::text, state, part_state FROM intent WHERE state <> part_state
      UNION ALL
      SELECT ledger_id, 'receipt', id::text, coalesce(receipt_number, ''), payment_number FROM intent
      WHERE payment_number IS NOT NULL
        AND (receipt_number IS NULL
          OR NOT (payment_number = receipt_number OR starts_with(payment_number, receipt_number || '-')))
      UNION ALL
      SELECT ledger_id, 'unknown', id::text, created_at::text, '' FROM intent
      WHERE state IN ('submitted', 'unknown') AND created_at < ${unknownSince}
        AND NOT EXISTS (SELECT FROM alarms WHERE key = 'payment_unknown:' || intent.id)
      UNION ALL
      SELECT i.ledger_id, 'items', i.due_on::text, count(*)::text, ''
      FROM ledger l JOIN autopay_items i ON i.ledger_id = l.id GROUP BY 1, i.due_on HAVING count(*) > 1
      UNION ALL
      SELECT i.ledger_id, 'paid items', i.due_on::text, count(*)::text, ''
      FROM ledger l JOIN autopay_items i ON i.ledger_id = l.id
      JOIN payment_intents attempt ON attempt.autopay_item_id = i.id
        AND attempt.state NOT IN ('declined', 'never_sent', 'returned')
      GROUP BY 1, i.id, i.due_on HAVING count(*) > 1
    ) found`.execute(db);
  const faults = rows.map(({ ledgerId, check, what, one, other }) => {
    const [invariant, say] = checks[check];
    const isOfReports = ofReports.includes(check);
    return { ledgerId, invariant, sentence: say(what, one, other), isOfReports };
  });
  const place = ({ ledgerId, invariant, sentence }: BookFault) =>
    `${ledgerId} ${invariant} ${sentence}`;
  return faults.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** What is unknown for too long has its alarm within this time after it. */
const SWEEP_MINUTES = 5;

const money = (cents: string) => formatMoney(toDollars(Number(cents)));

type Say = (what: string, one: string, other: string) => string;

const checks = {
  balance: [
    'I1',
    (_, one, other) => `The balance is ${money(one)}, and the entries add up to ${money(other)}.`,
  ],
  open: [
    'I1',
    (_, one, other) =>
      `The balance is ${money(one)}, and what is open of its entries is ${money(other)}.`,
  ],
  owed: [
    'I1',
    (what, one, other) =>
      `Of the charge ${what} ${money(one)} are noted as owed, and by what settles it ${money(other)} are.`,
  ],
  owedWhere: [
    'I1',
    (what, one, other) =>
      `The open charge ${what} is noted as of ${one}, and by the books it is of ${other}.`,
  ],
  takings: [
    'I1',
    (what, one, other) =>
      `Of the entry ${what} “${one}” is noted as taken or given back, and by the books “${other}” is.`,
  ],
  unused: [
    'I1',
    (_, one, other) => `${money(one)} are owed beside ${money(other)} of open credits.`,
  ],
  paidThrough: [
    'I1',
    (_, one, other) => `It is paid through ${one}, and by its open rent it should be ${other}.`,
  ],
  billedThrough: [
    'I1',
    (_, one, other) => `It is billed through ${one}, and its last billed period ends on ${other}.`,
  ],
  period: [
    'I1',
    (what, isBilled) =>
      isBilled === 'true'
        ? `The period of ${what} is billed without rent.`
        : `The rent of ${what} is of no billed period.`,
  ],
  overlap: ['I1', (_, one, other) => `The billed periods of ${one} and ${other} overlap.`],
  foreign: [
    'I1',
    (what, one) =>
      `${money(one)} of the charge ${what} are settled by a credit that is for something else.`,
  ],
  posted: [
    'I2',
    (what, one, other) =>
      `Of the payment ${what} ${money(one)} were taken, and ${money(other)} are posted.`,
  ],
  parts: [
    'I2',
    (what, one, other) =>
      `The payment ${what} is of ${money(one)}, and its parts add up to ${money(other)}.`,
  ],
  returned: [
    'I2',
    (what, one, other) =>
      `Of the payment ${what} the bank returned ${money(one)}, and ${money(other)} are taken back.`,
  ],
  refunded: [
    'I2',
    (what, one, other) =>
      `Of the payment ${what} ${money(one)} were refunded, and ${money(other)} are taken back.`,
  ],
  disputed: [
    'I2',
    (what, one, other) =>
      `Of the payment ${what} ${money(one)} are disputed, and ${money(other)} are taken back.`,
  ],
  lost: [
    'I3',
    (what, one) => `The entry ${what} of ${money(one)} has lost the row that says what it is.`,
  ],
  changed: [
    'I3',
    (what, one, other) =>
      `The entry ${what} is of ${money(one)}, and its charge of ${money(other)}.`,
  ],
  left: [
    'I4',
    (what, one) =>
      `More of the payment or credit ${what} is used than it was: ${money(one)} are left.`,
  ],
  settled: [
    'I4',
    (what, one, other) => `Of the charge ${what} of ${money(one)} ${money(other)} are settled.`,
  ],
  'open payments': ['I5', (_, one) => `${one} payments are open at once.`],
  state: [
    'I5',
    (what, one, other) => `The payment ${what} is ${one}, and its part on this rental ${other}.`,
  ],
  receipt: [
    'I6',
    (what, one, other) =>
      `The receipt of the payment ${what} is ${one}, and what is posted has ${other}.`,
  ],
  unknown: [
    'I7',
    (what, one) => `The payment ${what} of ${one} is unknown for too long, without an alarm.`,
  ],
  items: ['I8', (what, one) => `There are ${one} autopay items for the due date ${what}.`],
  'paid items': ['I8', (what, one) => `The autopay item of ${what} has ${one} payments.`],
} satisfies Record<string, [Invariant, Say]>;

type Check = keyof typeof checks;

/** What of these is noted for reports and lists alone. */
const ofReports: Check[] = ['owedWhere', 'takings'];
