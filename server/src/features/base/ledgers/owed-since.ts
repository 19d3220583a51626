import { addDays } from '@gatehouse/contract/dates';
import { sql, type RawBuilder } from 'kysely';
import type { ReversalReason } from '#db/tables.ts';

/**
 * How many days a tenant has for what an act of the operator's opens again: a refund, the reversal
 * of what was recorded by mistake. The mail about it names the day.
 */
const DAYS_AGAIN = 10;

/** The day, in the facility's calendar, from which what such an act opens again is enforced. */
export function owedAgainOn(today: string): string {
  return addDays(today, DAYS_AGAIN);
}

/** The same of what is taken back on `on` for a reason; null where that was no act of ours. */
export function owedOnAfter(reason: ReversalReason, on: string): string | null {
  return reason === 'refund' || reason === 'mistake' ? owedAgainOn(on) : null;
}

/** Charges of what had left a payment before such an act, as `o` with their entries `again`. */
const chargesAgain = sql`owed_again o JOIN entries again ON again.id = o.entry_id AND o.reason IN ('refund', 'mistake')`;
const againOn = sql`again.posted_on + ${sql.lit(DAYS_AGAIN)}`;

/** SQL, of a charge `c`: the day that the tenant was given for it where it is such a charge. */
const chargedAgainOn = sql`(SELECT ${againOn} FROM ${chargesAgain} WHERE o.entry_id = c.entry_id)`;

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
  return sql<string>`greatest(c.due_on, e.posted_on, ${chargedAgainOn}, (
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

/** SQL, of an open charge `c`: what of it is not enforced on a day yet, in cents. */
export const notEnforcedOf = (day: RawBuilder<unknown> | string) => sql<number>`
  CASE WHEN ${chargedAgainOn} > ${day}::date THEN c.owed_cents ELSE
    least(c.owed_cents, (SELECT coalesce(-sum(a.amount_cents), 0) FROM ${reopenings} > ${day}::date))::bigint END`;

/** SQL, of a ledger `l`: the days from which what acts of the operator opened again is enforced. */
const days = sql`(
  SELECT r.owed_on AS day FROM reversals r WHERE r.ledger_id = l.id AND r.owed_on IS NOT NULL
  UNION SELECT ${againOn} FROM ${chargesAgain} WHERE o.ledger_id = l.id)`;

/** SQL: the ledgers of which a day so given is from one day on and before another. */
export const withDayGiven = (from: RawBuilder<unknown>, before: RawBuilder<unknown>) => sql`
  SELECT r.ledger_id FROM reversals r WHERE r.owed_on >= ${from} AND r.owed_on < ${before}
  UNION SELECT o.ledger_id FROM ${chargesAgain} WHERE ${againOn} >= ${from} AND ${againOn} < ${before}`;

/** SQL, of a ledger `l`: what of its balance is not enforced on a day yet, in cents. */
export const notEnforcedCents = (day: RawBuilder<unknown> | string) => sql<number>`
  CASE WHEN EXISTS (SELECT FROM ${days} given WHERE given.day > ${day}::date)
  THEN (SELECT coalesce(sum(${notEnforcedOf(day)}), 0)::bigint FROM open_charges c WHERE c.ledger_id = l.id) ELSE 0 END`;

/** From a day on, what of a balance is not enforced then, in cents. */
export type NotEnforced = { from: string; cents: number };

/** SQL, of a ledger `l`: each later day on which more is enforced, as `NotEnforced[]`, in JSON. */
export const enforcedLater = (day: RawBuilder<unknown> | string) => sql`(
  SELECT coalesce(json_agg(json_build_object('from', given.day, 'cents', ${notEnforcedCents(sql`given.day`)})
    ORDER BY given.day), '[]') FROM ${days} given WHERE given.day > ${day}::date)`;

/** SQL, of an open charge `c`: its due date, or the day given for it where all of it was opened. */
const lateOf = sql`greatest(c.due_on, ${chargedAgainOn}, (
  SELECT CASE WHEN -sum(a.amount_cents) >= c.owed_cents THEN max(r.owed_on) END FROM ${reopenings} IS NOT NULL))`;

/**
 * SQL, of a ledger `l`: the due date of the first charge that something is owed of, where what acts
 * of the operator opened again is due on the day that the tenant was given; late after it.
 */
export const lateSince = sql<string | null>`CASE WHEN EXISTS ${days}
  THEN (SELECT min(${lateOf}) FROM open_charges c WHERE c.ledger_id = l.id) ELSE l.owed_since END`;

/** The same of the rent. */
export const rentLateSince = sql<string | null>`CASE WHEN l.paid_through < l.billed_through THEN
  CASE WHEN EXISTS ${days} THEN (SELECT min(${lateOf}) FROM open_charges c WHERE c.ledger_id = l.id AND c.category = 'rent')
    ELSE l.paid_through + 1 END END`;
