import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';

/**
 * Ends the autopay of rentals that were moved out of, with its mandate and what was still to be
 * charged. `where` says which, of the ledger `l` and its unit `u`.
 */
export async function endMovedOut(
  db: Database,
  at: Date,
  where: RawBuilder<boolean>,
): Promise<void> {
  await sql`
    WITH off AS (
      UPDATE autopays a SET active = false, updated_at = ${at}::timestamptz
      FROM ledgers l JOIN units u ON u.id = l.unit_id
      WHERE l.id = a.ledger_id AND a.active AND ${where}
      RETURNING a.ledger_id
    ), item AS (
      UPDATE autopay_items i SET state = 'skipped', try_on = NULL, note = 'The unit was moved out of.', updated_at = ${at}::timestamptz
      FROM off WHERE i.ledger_id = off.ledger_id AND i.state = 'waiting'
    )
    INSERT INTO mandate_ends (mandate_id, ended_at, reason)
    SELECT m.id, ${at}::timestamptz, 'moved_out' FROM mandates m JOIN off ON off.ledger_id = m.ledger_id
    WHERE NOT EXISTS (SELECT FROM mandate_ends e WHERE e.mandate_id = m.id)
    ON CONFLICT (mandate_id) DO NOTHING`.execute(db);
}
