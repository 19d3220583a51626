import { sql } from 'kysely';
import type { DatabaseTransaction } from '#db/database.ts';

/** What of a part of a won dispute, by its reversal, is the next tenant's. */
export type NextTenants = {
  reversalId: string;
  /** The ledger that continues the rental. */
  ledgerId: string;
  cents: number;
};

/**
 * What of the credits of a won dispute is another tenant's. A rental goes to the next tenant with
 * its balance (`rentals.assign`): what the dispute had taken back before, and was still owed or
 * lacked in the tenant's credit then, the next tenant has lost and gets back. What was paid again
 * before, or taken back after it, the tenant before has lost. Without one for a part that has none.
 */
export async function findNextTenants(
  trx: DatabaseTransaction,
  disputeId: string,
): Promise<NextTenants[]> {
  const { rows } = await sql<NextTenants>`
    SELECT * FROM (
      SELECT e.id AS "reversalId", next.id AS "ledgerId", (coalesce(opened.owed, 0)
        + CASE WHEN e.posted_on <= l.moved_out_on THEN e.amount_cents - coalesce(opened.cents, 0) ELSE 0 END)::bigint AS cents
      FROM dispute_parts part
      JOIN entries e ON e.id = part.reversal_entry_id AND e.kind = 'reversal'
      JOIN ledgers l ON l.id = e.ledger_id
      JOIN ledgers next ON next.continues_ledger_id = l.id
      CROSS JOIN LATERAL (
        SELECT sum(charge.cents) AS cents, sum(least(charge.cents, waived.owed)) AS owed
        FROM (SELECT charge_entry_id AS id, -sum(amount_cents) AS cents FROM allocations
          WHERE reversal_entry_id = e.id GROUP BY charge_entry_id) charge
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(-w.amount_cents - released.cents), 0) AS owed
          FROM credits cr JOIN entries w ON w.id = cr.entry_id
          CROSS JOIN LATERAL (
            SELECT coalesce(-sum(amount_cents), 0) AS cents FROM allocations WHERE reversal_entry_id = w.id
          ) released
          WHERE cr.charge_entry_id = charge.id AND cr.is_assigned AND w.position > e.position
        ) waived
      ) opened
      WHERE part.dispute_id = ${disputeId}
    ) one WHERE cents > 0`.execute(trx);
  return rows;
}

/**
 * The rents of a next tenant that are instead of what a dispute had opened on a ledger before, each
 * with what the dispute had opened of it, in cents; not where that had a late fee before.
 */
export async function findRentsOfNext(
  trx: DatabaseTransaction,
  disputeId: string,
  ledgerId: string,
): Promise<{ id: string; cents: number }[]> {
  const { rows } = await sql<{ id: string; cents: number }>`
    SELECT rent.entry_id AS id, -sum(a.amount_cents)::bigint AS cents
    FROM ledgers next
    JOIN charges rent ON rent.ledger_id = next.id AND rent.category = 'rent'
    JOIN charges opened ON opened.ledger_id = next.continues_ledger_id AND opened.category = 'rent' AND opened.due_on = rent.due_on
    JOIN allocations a ON a.charge_entry_id = opened.entry_id
    JOIN dispute_parts part ON part.reversal_entry_id = a.reversal_entry_id AND part.dispute_id = ${disputeId}
    JOIN entries e ON e.id = part.reversal_entry_id
    WHERE next.id = ${ledgerId} AND NOT EXISTS (
      SELECT FROM charges fee JOIN entries f ON f.id = fee.entry_id
      WHERE fee.late_for = opened.entry_id AND f.position < e.position)
    GROUP BY rent.entry_id`.execute(trx);
  return rows;
}
