import { addDays } from '@gatehouse/contract/dates';
import { sql, type RawBuilder } from 'kysely';

/**
 * How many days a tenant has for what an act of the operator's opens again: a refund, the reversal
 * of what was recorded by mistake. The mail about it names the day.
 */
const DAYS_AGAIN = 10;

/** The day, in the facility's calendar, from which what such an act opens again is enforced. */
export function owedAgainOn(today: string): string {
  return addDays(today, DAYS_AGAIN);
}

/**
 * SQL, in a query that has an open charge as `c` and its entry as `e`: the day from which the
 * charge is late. That is its due date, but not before the day on which it was posted, nor before a
 * returned, refunded or reversed payment last opened it again after it was settled, or the day that
 * the tenant was given then. A part that comes back of a charge that was open anyway does not
 * count: else a payment of a dollar that bounces would stop the days of grace.
 */
export const owedSince = owedSinceWhere(sql`true`);

/** The same, where only those allocations `a` that came back open a charge again that `counts`. */
export function owedSinceWhere(counts: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`greatest(c.due_on, e.posted_on, (
    SELECT max(coalesce(r.owed_on, back.posted_on)) FROM allocations a JOIN entries back ON back.id = a.reversal_entry_id
    LEFT JOIN reversals r ON r.entry_id = back.id
    WHERE a.charge_entry_id = c.entry_id AND ${counts} AND e.amount_cents = (
      SELECT sum(before.amount_cents) FROM allocations before
      WHERE before.charge_entry_id = c.entry_id AND before.id < a.id)
  ))`;
}

/** What came back of an open charge `c` by acts of the operator, as `a` and `r`. */
const reopenings = sql`allocations a JOIN reversals r ON r.entry_id = a.reversal_entry_id
  WHERE a.charge_entry_id = c.entry_id AND r.owed_on`;

/** SQL, of an open charge `c`: `reopened` of an `OpenCharge`, as JSON. */
export const reopenedOf = sql`(
  SELECT json_build_object('cents', -sum(a.amount_cents), 'on', max(r.owed_on)) FROM ${reopenings} IS NOT NULL
  HAVING count(*) > 0)`;

/** A charge of what had left a payment before such an act, as `o` and its entry `paid`. */
const chargedAgain = (day: RawBuilder<unknown> | string) => sql`owed_again o
  JOIN entries paid ON paid.id = o.entry_id AND paid.posted_on + ${sql.lit(DAYS_AGAIN)} > ${day}::date
  WHERE o.reason IN ('refund', 'mistake')`;

/** SQL, of an open charge `c`: what of it is not enforced on a day yet, in cents. */
export const notEnforcedOf = (day: RawBuilder<unknown> | string) => sql<number>`
  CASE WHEN EXISTS (SELECT FROM ${chargedAgain(day)} AND o.entry_id = c.entry_id) THEN c.owed_cents ELSE
    least(c.owed_cents, (SELECT coalesce(-sum(a.amount_cents), 0) FROM ${reopenings} > ${day}::date))::bigint END`;

/** SQL, of a ledger `l`: what of its balance is not enforced on a day yet, in cents. */
export const notEnforcedCents = (day: RawBuilder<unknown> | string) => sql<number>`
  CASE WHEN EXISTS (SELECT FROM reversals r WHERE r.ledger_id = l.id AND r.owed_on > ${day}::date)
    OR EXISTS (SELECT FROM ${chargedAgain(day)} AND o.ledger_id = l.id)
  THEN (SELECT coalesce(sum(${notEnforcedOf(day)}), 0)::bigint FROM open_charges c WHERE c.ledger_id = l.id) ELSE 0 END`;
