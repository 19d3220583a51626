import { sql } from 'kysely';

/**
 * The day from which on the open charge `c` with its entry `e` is late in a query: its due date, but
 * not before the day on which it was posted, nor before a returned, refunded or reversed payment
 * last opened it again after it was settled. A part that comes back of a charge that was open
 * anyway does not count: else a payment of a dollar that bounces would stop the days of grace.
 */
export const owedSince = sql<string>`greatest(c.due_on, e.posted_on, (
    SELECT max(back.posted_on) FROM allocations a JOIN entries back ON back.id = a.reversal_entry_id
    WHERE a.charge_entry_id = c.entry_id AND e.amount_cents = (
      SELECT sum(before.amount_cents) FROM allocations before
      WHERE before.charge_entry_id = c.entry_id AND before.id < a.id)
  ))`;
