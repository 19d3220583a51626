import { sql } from 'kysely';
import type { Place, Target } from './rows.ts';

/**
 * Joins to a row `s` of ledgers.csv the ledger as it is `here`, with the rent that the row gives it, `given`. A rent that the
 * file `said` when it was last taken over is none: what became of it here stays. The same holds for a scheduled rate with
 * its day. Of a ledger that no file was taken over for, an old file says what the last rate change here began with.
 */
export const rentGiven = sql`
  LEFT JOIN ledgers here ON here.id = s.row_id AND NOT s.is_new
  LEFT JOIN LATERAL (
    SELECT rental_rate_cents, scheduled_rate_cents, scheduled_rate_on FROM imported_ledgers WHERE ledger_id = here.id
    UNION ALL (SELECT from_cents, to_cents, effective_on FROM rate_changes
      WHERE ledger_id = here.id AND NOT EXISTS (SELECT FROM imported_ledgers WHERE ledger_id = here.id)
      ORDER BY effective_on DESC LIMIT 1)
  ) said ON true
  CROSS JOIN LATERAL (SELECT
    s.rental_rate IS NOT DISTINCT FROM said.rental_rate_cents AS is_old_rate,
    here.id IS NOT NULL AND said.rental_rate_cents IS NOT NULL AND (s.scheduled_rate, s.scheduled_rate_on)
      IS NOT DISTINCT FROM (said.scheduled_rate_cents, said.scheduled_rate_on) AS is_old_schedule
  ) old
  CROSS JOIN LATERAL (SELECT
    CASE WHEN old.is_old_rate THEN here.rental_rate_cents ELSE s.rental_rate END AS rate_cents,
    CASE WHEN old.is_old_schedule THEN here.scheduled_rate_cents ELSE s.scheduled_rate END AS scheduled_cents,
    CASE WHEN old.is_old_schedule THEN here.scheduled_rate_on ELSE s.scheduled_rate_on END AS scheduled_on
  ) given`;

/** Where the given rent goes. */
export const rentColumns: Target[] = [
  ['rental_rate_cents', sql`given.rate_cents`, 'rental_rate'],
  ['scheduled_rate_cents', sql`given.scheduled_cents`, 'scheduled_rate'],
  ['scheduled_rate_on', sql`given.scheduled_on`, 'scheduled_rate_on'],
];

/** Keeps what the facility's rows say, for the next time that they come. */
export async function keepSaid({ db, staging, facility }: Place): Promise<void> {
  const columns = staging.told.get('ledgers');
  const kept = (column: string, from: string) =>
    columns?.has(from) ? sql.ref(`excluded.${column}`) : sql.ref(`imported_ledgers.${column}`);
  await sql`
    INSERT INTO imported_ledgers (ledger_id, rental_rate_cents, scheduled_rate_cents, scheduled_rate_on, balance_cents)
    SELECT row_id, rental_rate, scheduled_rate, scheduled_rate_on, balance FROM staged_ledgers WHERE facility = ${facility}
    ON CONFLICT (ledger_id) DO UPDATE SET rental_rate_cents = excluded.rental_rate_cents,
      scheduled_rate_cents = ${kept('scheduled_rate_cents', 'scheduled_rate')},
      scheduled_rate_on = ${kept('scheduled_rate_on', 'scheduled_rate_on')}, balance_cents = excluded.balance_cents
    WHERE imported_ledgers IS DISTINCT FROM excluded`.execute(db);
}
