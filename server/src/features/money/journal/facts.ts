import { sql, type RawBuilder } from 'kysely';
import type { JournalBasis } from '@gatehouse/contract/office/journal';
import type { Database } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';
import type { Fact } from './lines.ts';

export type Range = { from: string; to: string };

/**
 * The day of the journal of what was posted on `postedOn` with this place (`position` of an entry,
 * `id` of an allocation): that day, or the first that was still open when it was posted.
 */
const journalDay = (
  postedOn: RawBuilder<unknown>,
  facilityId: RawBuilder<unknown>,
  place: RawBuilder<unknown>,
  through: 'entries_through' | 'allocations_through',
) => sql`greatest(${postedOn}, (
  SELECT max(m.last_day) + 1 FROM closed_months m WHERE m.facility_id = ${facilityId} AND m.${sql.ref(through)} < ${place}))`;

/** From which place on something may be later than a month that ended before or in the range. */
const lateFrom = (
  { from, to }: Range,
  places: Places,
  through: 'entries_through' | 'allocations_through',
) => sql`(
  SELECT min(m.${sql.ref(through)}) FROM closed_months m
  WHERE ${within(sql`m.facility_id`, places)} AND m.last_day BETWEEN ${from}::date - 1 AND ${to}::date - 1)`;

/** Whether an entry is of no import that was undone. */
const isNotUndone = (entry: RawBuilder<unknown>) => sql`NOT EXISTS (
  SELECT FROM ledgers undone WHERE undone.tenant_id IS NULL AND undone.id = ${entry}.ledger_id)`;

/** What a charge `c` is for, in the journal's words. */
const categoryOf = (c: RawBuilder<unknown>) => sql`CASE
  WHEN EXISTS (SELECT FROM owed_again a WHERE a.entry_id = ${c}.entry_id) THEN 'again'
  WHEN ${c}.late_for IS NOT NULL THEN 'lateFee'
  WHEN ${c}.category = 'fee' AND ${c}.description = 'Card fee' THEN 'cardFee'
  ELSE ${c}.category END`;

/** The credits that a payment became by moves, however often it was moved. */
const movedMoney = sql`moved AS (
  SELECT c.entry_id, r.payment_entry_id AS source
  FROM credits c JOIN reversals r ON r.entry_id = c.moved_by WHERE c.moved_by IS NOT NULL
  UNION ALL
  SELECT moved.entry_id, r.payment_entry_id
  FROM moved JOIN credits c ON c.entry_id = moved.source JOIN reversals r ON r.entry_id = c.moved_by
), moved_money AS (
  SELECT DISTINCT moved.entry_id FROM moved
  WHERE EXISTS (SELECT FROM payments p WHERE p.entry_id = moved.source)
    OR EXISTS (SELECT FROM dispute_parts won WHERE won.credit_entry_id = moved.source)
)`;

/** The facts of the journal's days, days included, of all that is posted by now. */
export async function readFacts(
  db: Database,
  range: Range,
  places: Places,
  basis: JournalBasis,
): Promise<Fact[]> {
  const [entries, settled] = await Promise.all([
    readEntries(db, range, places),
    basis === 'accrual' ? readSettled(db, range, places) : readSettledByMoney(db, range, places),
  ]);
  return [...entries, ...settled];
}

/** Of charges that are due later than they were posted, also those of days before. */
async function readEntries(db: Database, range: Range, places: Places): Promise<Fact[]> {
  const { from, to } = range;
  const isHere = sql`${within(sql`e.facility_id`, places)} AND ${isNotUndone(sql`e`)}`;
  const columns = sql`e.id, e.facility_id, e.kind, e.amount_cents,
    ${journalDay(sql`e.posted_on`, sql`e.facility_id`, sql`e.position`, 'entries_through')} AS day`;
  const dueLater = sql`charges c WHERE c.due_on BETWEEN ${from}::date AND ${to}::date`;
  const { rows } = await sql<Fact>`
    WITH RECURSIVE ${movedMoney}, base AS (
      SELECT ${columns} FROM entries e
      WHERE ${isHere} AND e.posted_on BETWEEN ${from}::date AND ${to}::date
      UNION ALL
      SELECT ${columns} FROM entries e
      WHERE ${isHere} AND e.posted_on < ${from}::date AND e.position > ${lateFrom(range, places, 'entries_through')}
      UNION ALL
      SELECT ${columns} FROM entries e
      WHERE ${isHere} AND e.posted_on < ${from}::date
        AND (e.position > ${lateFrom(range, places, 'entries_through')}) IS NOT TRUE AND e.id IN (
        SELECT c.entry_id FROM ${dueLater}
        UNION ALL SELECT w.entry_id FROM credits w WHERE w.charge_entry_id IN (SELECT c.entry_id FROM ${dueLater})
        UNION ALL SELECT r.entry_id FROM reversals r JOIN credits w ON w.entry_id = r.payment_entry_id
          WHERE w.charge_entry_id IN (SELECT c.entry_id FROM ${dueLater}))
    ), fact AS (
      SELECT b.facility_id, b.day, CASE
          WHEN again.entry_id IS NOT NULL THEN 'again'
          WHEN b.kind = 'charge' THEN 'charge'
          WHEN r.reason = 'moved' OR b.kind = 'credit' AND cr.moved_by IS NOT NULL THEN 'moved'
          WHEN i.id IS NOT NULL THEN 'money'
          WHEN out.id IS NOT NULL THEN 'paidOut'
          WHEN cr.is_write_off THEN 'writeOff'
          WHEN cr.is_assigned THEN 'assigned'
          WHEN cr.charge_entry_id IS NOT NULL THEN 'waiver'
          ELSE 'credit' END AS kind,
        CASE
          WHEN out.way = 'cash' THEN 'drawer' WHEN out.way = 'check' THEN 'bank'
          WHEN i.initiator = 'import' THEN 'before'
          WHEN coalesce(r.reason, again.reason) = 'nsf' THEN 'bank'
          WHEN i.type IN ('creditCard', 'ach') THEN 'gateway'
          WHEN i.id IS NOT NULL THEN 'drawer' END AS way,
        CASE WHEN about.entry_id IS NOT NULL THEN ${categoryOf(sql`about`)} END AS category,
        CASE WHEN about.category = 'deposit' THEN b.day ELSE greatest(b.day, about.due_on) END AS earned_on,
        coalesce(money.entry_id IS NOT NULL, false) AS is_money, b.kind = 'reversal' AS is_back,
        CASE WHEN b.kind = 'charge' THEN b.amount_cents ELSE -b.amount_cents END AS cents,
        about.tax1_cents + about.tax2_cents > 0 AS is_taxed, coalesce(c.price_cents, 0) AS price, coalesce(c.discount_cents, 0) AS discount,
        coalesce(c.tax1_cents, CASE WHEN b.kind = 'reversal' THEN -cr.tax1_cents ELSE cr.tax1_cents END, 0) AS tax1,
        coalesce(c.tax2_cents, CASE WHEN b.kind = 'reversal' THEN -cr.tax2_cents ELSE cr.tax2_cents END, 0) AS tax2
      FROM base b
      LEFT JOIN charges c ON c.entry_id = b.id
      LEFT JOIN owed_again again ON again.entry_id = b.id
      LEFT JOIN reversals r ON r.entry_id = b.id
      LEFT JOIN credits cr ON cr.entry_id = coalesce(r.payment_entry_id, b.id)
      LEFT JOIN charges about ON about.entry_id = coalesce(c.entry_id, cr.charge_entry_id)
      LEFT JOIN moved_money money ON money.entry_id = cr.entry_id
      LEFT JOIN payments p ON p.entry_id = coalesce(again.payment_entry_id, r.payment_entry_id, b.id)
      LEFT JOIN dispute_parts won ON won.credit_entry_id = coalesce(again.payment_entry_id, r.payment_entry_id, b.id)
      LEFT JOIN disputes d ON d.id = won.dispute_id
      LEFT JOIN payment_intents i ON i.id = coalesce(p.intent_id, d.intent_id)
      LEFT JOIN refund_parts part ON part.reversal_entry_id = b.id
      LEFT JOIN refunds out ON out.id = part.refund_id
    )
    SELECT facility_id AS "facilityId", day, kind, way, category, earned_on AS "earnedOn", is_money AS "isMoney",
      sum(cents)::bigint AS cents, sum(price)::bigint AS price, sum(discount)::bigint AS discount,
      sum(tax1)::bigint AS tax1, sum(tax2)::bigint AS tax2,
      coalesce(sum(cents - tax1 - tax2) FILTER (WHERE is_taxed), 0)::bigint AS taxed
    FROM fact GROUP BY facility_id, day, kind, way, category, earned_on, is_money, is_back
    ORDER BY 1, 2, 3, 4, 5, 6`.execute(db);
  return rows;
}

/** A payment over the counter may have come on an earlier day, at most this many before. */
const MOST_DAYS_BACK = 31;

/**
 * The allocations that may count in the range, each with its journal day: that of the latest of
 * what it is between, or of its making. `made_on` is null of what a version before has written.
 */
const allocationsIn = (range: Range, places: Places) => sql`(
  SELECT a.id, a.credit_entry_id, a.charge_entry_id, a.amount_cents, charge.facility_id, charge.amount_cents AS total_cents,
    ${journalDay(
      sql`greatest(a.made_on, credit.posted_on, charge.posted_on, back.posted_on)`,
      sql`charge.facility_id`,
      sql`a.id`,
      'allocations_through',
    )} AS day
  FROM allocations a
  JOIN entries credit ON credit.id = a.credit_entry_id
  JOIN entries charge ON charge.id = a.charge_entry_id
  LEFT JOIN entries back ON back.id = a.reversal_entry_id
  WHERE ${within(sql`charge.facility_id`, places)} AND ${isNotUndone(sql`charge`)} AND (
    a.made_on BETWEEN ${range.from}::date - ${MOST_DAYS_BACK}::int AND ${range.to}::date OR a.made_on IS NULL
    OR a.id > ${lateFrom(range, places, 'allocations_through')}))`;

async function readSettled(db: Database, range: Range, places: Places): Promise<Fact[]> {
  const { rows } = await sql<Fact>`
    SELECT 'settled' AS kind, facility_id AS "facilityId", day, 'rent' AS category, true AS "isMoney",
      sum(amount_cents)::bigint AS cents, 0 AS tax1, 0 AS tax2
    FROM ${allocationsIn(range, places)} a
    WHERE day BETWEEN ${range.from}::date AND ${range.to}::date
    GROUP BY facility_id, day, amount_cents < 0 ORDER BY 2, 3`.execute(db);
  return rows;
}

/**
 * What payments settled, with its tax: each part of a charge has its share of the charge's taxes,
 * so that all parts have all of them, to the cent.
 */
async function readSettledByMoney(db: Database, range: Range, places: Places): Promise<Fact[]> {
  const always = { from: '2000-01-01', to: range.to };
  const shareOf = (tax: 'tax1_cents' | 'tax2_cents', cents: RawBuilder<unknown>) =>
    sql`round(c.${sql.ref(tax)} * (${cents})::numeric / a.total_cents)`;
  const partOf = (tax: 'tax1_cents' | 'tax2_cents') =>
    sql`${shareOf(tax, sql`a.settled`)} - ${shareOf(tax, sql`a.settled - a.amount_cents`)}`;
  const { rows } = await sql<Fact>`
    WITH RECURSIVE ${movedMoney}, settled AS (
      SELECT a.*, sum(a.amount_cents) OVER (PARTITION BY a.charge_entry_id ORDER BY a.day, a.id) AS settled
      FROM ${allocationsIn(always, places)} a
      WHERE a.charge_entry_id IN (
        SELECT charge_entry_id FROM ${allocationsIn(range, places)} b
        WHERE day BETWEEN ${range.from}::date AND ${range.to}::date)
    )
    SELECT 'settled' AS kind, a.facility_id AS "facilityId", a.day, ${categoryOf(sql`c`)} AS category, true AS "isMoney",
      sum(a.amount_cents)::bigint AS cents, sum(${partOf('tax1_cents')})::bigint AS tax1,
      sum(${partOf('tax2_cents')})::bigint AS tax2
    FROM settled a JOIN charges c ON c.entry_id = a.charge_entry_id
    WHERE a.day BETWEEN ${range.from}::date AND ${range.to}::date AND (
      EXISTS (SELECT FROM payments p WHERE p.entry_id = a.credit_entry_id)
      OR EXISTS (SELECT FROM dispute_parts won WHERE won.credit_entry_id = a.credit_entry_id)
      OR a.credit_entry_id IN (SELECT entry_id FROM moved_money))
    GROUP BY a.facility_id, a.day, 4, a.amount_cents < 0 ORDER BY 2, 3, 4`.execute(db);
  return rows;
}
