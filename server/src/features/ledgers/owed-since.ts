import { sql } from 'kysely';

/**
 * The day from which on the open charge `c` with its entry `e` is late in a query: its due date, but not before the day on
 * which it was posted, nor before a returned, refunded or reversed payment opened it again for the last time.
 */
export const owedSince = sql<string>`greatest(c.due_on, e.posted_on, (
    SELECT max(back.posted_on) FROM allocations a JOIN entries back ON back.id = a.reversal_entry_id
    WHERE a.charge_entry_id = c.entry_id
  ))`;
