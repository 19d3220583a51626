import { sql } from 'kysely';
import type { Place, Target } from './rows.ts';

/**
 * Joins to a row `s` of ledgers.csv its ledger in the books, `here`, and the rent and move-out that
 * the import sets, `given`. A value equal to the one last imported, `said`, changes nothing, so
 * that what staff changed since stays. This holds for the rent, the scheduled rate with its day,
 * and the move-out day, also where that is empty. For a ledger that was never imported, `said` is
 * the rent before its last rate change and no schedule.
 */
export const termsGiven = sql`
  LEFT JOIN ledgers here ON here.id = s.row_id AND NOT s.is_new
  LEFT JOIN LATERAL (
    SELECT rental_rate_cents, scheduled_rate_cents, scheduled_rate_on, true AS is_by_file, moved_out_on
    FROM imported_ledgers WHERE ledger_id = here.id
    UNION ALL (SELECT from_cents, to_cents, effective_on, false, NULL FROM rate_changes
      WHERE ledger_id = here.id AND NOT EXISTS (SELECT FROM imported_ledgers WHERE ledger_id = here.id)
      ORDER BY effective_on DESC LIMIT 1)
  ) said ON true
  CROSS JOIN LATERAL (SELECT
    s.rental_rate IS NOT DISTINCT FROM said.rental_rate_cents AS is_old_rate,
    (s.scheduled_rate, s.scheduled_rate_on) IS NOT DISTINCT FROM (said.scheduled_rate_cents, said.scheduled_rate_on)
      OR said.is_by_file IS NOT TRUE AND s.scheduled_rate_on IS NULL AS is_old_schedule,
    said.is_by_file AND s.moved_out_on IS NOT DISTINCT FROM said.moved_out_on AS is_old_end
  ) old
  CROSS JOIN LATERAL (SELECT
    CASE WHEN old.is_old_rate THEN here.rental_rate_cents ELSE s.rental_rate END AS rate_cents,
    CASE WHEN old.is_old_schedule THEN here.scheduled_rate_cents ELSE s.scheduled_rate END AS scheduled_cents,
    CASE WHEN old.is_old_schedule THEN here.scheduled_rate_on ELSE s.scheduled_rate_on END AS scheduled_on,
    CASE WHEN old.is_old_end THEN here.moved_out_on ELSE s.moved_out_on END AS moved_out_on
  ) given`;

/** Where the given terms go. */
export const termColumns: Target[] = [
  ['rental_rate_cents', sql`given.rate_cents`, 'rental_rate'],
  ['scheduled_rate_cents', sql`given.scheduled_cents`, 'scheduled_rate'],
  ['scheduled_rate_on', sql`given.scheduled_on`, 'scheduled_rate_on'],
  ['moved_out_on', sql`given.moved_out_on`, 'moved_out_on'],
];

/** Keeps what the facility's rows say, for the next time that they come. */
export async function keepSaidTerms({ db, staging, facility }: Place): Promise<void> {
  const columns = staging.columns.get('ledgers');
  const kept = (column: string, from: string) =>
    columns?.has(from) ? sql.ref(`excluded.${column}`) : sql.ref(`imported_ledgers.${column}`);
  await sql`
    INSERT INTO imported_ledgers (ledger_id, rental_rate_cents, scheduled_rate_cents, scheduled_rate_on, balance_cents, moved_out_on)
    SELECT row_id, rental_rate, scheduled_rate, scheduled_rate_on, balance, moved_out_on FROM staged_ledgers WHERE facility = ${facility}
    ON CONFLICT (ledger_id) DO UPDATE SET rental_rate_cents = excluded.rental_rate_cents,
      scheduled_rate_cents = ${kept('scheduled_rate_cents', 'scheduled_rate')},
      scheduled_rate_on = ${kept('scheduled_rate_on', 'scheduled_rate_on')}, balance_cents = excluded.balance_cents,
      moved_out_on = ${kept('moved_out_on', 'moved_out_on')}
    WHERE imported_ledgers IS DISTINCT FROM excluded`.execute(db);
}
