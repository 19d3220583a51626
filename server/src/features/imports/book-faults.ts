import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** What is wrong with the books of a ledger: the invariant (safety.md section 3), and a sentence about it. */
export type BookFault = { ledgerId: string; invariant: string; sentence: string };

/** The ledgers whose balance is not the sum of their entries, or not what is open less what is left (I1). */
export async function findBookFaults(db: Database, ledgerIds: string[]): Promise<BookFault[]> {
  const { rows } = await sql<BookFault>`
    SELECT l.id AS "ledgerId", 'I1' AS invariant, 'the balance is not what its entries come to' AS sentence
    FROM ledgers l
    CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS cents FROM entries WHERE ledger_id = l.id) entered
    CROSS JOIN LATERAL (SELECT coalesce(sum(owed_cents), 0) AS cents FROM open_charges WHERE ledger_id = l.id) owed
    CROSS JOIN LATERAL (SELECT coalesce(sum(left_cents), 0) AS cents FROM open_credits WHERE ledger_id = l.id) unused
    WHERE l.id = ANY(${ledgerIds}::uuid[])
      AND (l.balance_cents <> entered.cents OR l.balance_cents <> owed.cents - unused.cents
        OR (owed.cents > 0 AND unused.cents > 0))`.execute(db);
  return rows;
}
