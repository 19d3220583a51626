import { sql, type RawBuilder } from 'kysely';

/**
 * SQL, in a query that has an open charge as `c` and its entry as `e`: the day from which the
 * charge is late. That is its due date, but not before the day on which it was posted, nor before a
 * returned, refunded or reversed payment last opened it again after it was settled. A part that
 * comes back of a charge that was open anyway does not count: else a payment of a dollar that
 * bounces would stop the days of grace.
 */
export const owedSince = owedSinceWhere(sql`true`);

/** The same, where only those allocations `a` that came back open a charge again that `counts`. */
export function owedSinceWhere(counts: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`greatest(c.due_on, e.posted_on, (
    SELECT max(back.posted_on) FROM allocations a JOIN entries back ON back.id = a.reversal_entry_id
    WHERE a.charge_entry_id = c.entry_id AND ${counts} AND e.amount_cents = (
      SELECT sum(before.amount_cents) FROM allocations before
      WHERE before.charge_entry_id = c.entry_id AND before.id < a.id)
  ))`;
}
