import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';

/**
 * SQL, in a statement that has a ledger as `l`: what `rate_since` must be by the periods that were
 * billed. It is null where no other rent was billed, since the rent is as old as the rental then;
 * a rent that is not billed yet begins with the next period.
 */
export const rateSinceByBills = sql<string | null>`(
  SELECT CASE WHEN other.on_day IS NOT NULL THEN coalesce((
    SELECT min(b.due_on) FROM billed_periods b WHERE b.ledger_id = l.id AND b.due_on > other.on_day), l.billed_through + 1) END
  FROM (
    SELECT max(b.due_on) AS on_day FROM billed_periods b WHERE b.ledger_id = l.id AND b.rate_cents <> l.rental_rate_cents
  ) other)`;

/** Writes it for the rentals that the condition names, as `l`, where it is otherwise. */
export async function writeRateSince(db: Database, condition: RawBuilder<boolean>): Promise<void> {
  await sql`
    UPDATE ledgers l SET rate_since = ${rateSinceByBills}
    WHERE ${condition} AND l.rate_since IS DISTINCT FROM ${rateSinceByBills}`.execute(db);
}
