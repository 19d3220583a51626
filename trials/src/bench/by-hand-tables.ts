import type { Database } from '@gatehouse/server/src/db/database.ts';
import { sql } from 'kysely';

/**
 * The tables of the statements that are written by hand: what is owed of each open charge, indexed
 * by its rental, and the least that a payment has to keep.
 */
export async function makeByHandTables(owner: Database): Promise<void> {
  await sql`CREATE SCHEMA bench`.execute(owner);
  await sql`
    CREATE TABLE bench.open_charges AS
    SELECT c.ledger_id, row_number() OVER (PARTITION BY c.ledger_id ORDER BY c.due_on, c.position)::int AS place,
      c.entry_id AS id, c.category, c.description, c.owed_cents::int, c.discount_cents::int, c.tax1_cents::int,
      c.tax2_cents::int
    FROM open_charges c`.execute(owner);
  await sql`ALTER TABLE bench.open_charges ADD PRIMARY KEY (ledger_id, place)`.execute(owner);
  await sql`
    CREATE TABLE bench.intents (id uuid PRIMARY KEY, ledger_id uuid NOT NULL, amount_cents bigint NOT NULL,
      state text NOT NULL)`.execute(owner);
  await sql`
    CREATE TABLE bench.gateway_charges (id uuid PRIMARY KEY, intent_id uuid NOT NULL, amount_cents bigint NOT NULL)`.execute(
    owner,
  );
  await sql`
    CREATE TABLE bench.entries (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, intent_id uuid NOT NULL,
      ledger_id uuid NOT NULL, amount_cents bigint NOT NULL)`.execute(owner);
  await sql`CREATE INDEX ON bench.entries (ledger_id)`.execute(owner);
  await sql`
    CREATE TABLE bench.balances AS
    SELECT id AS ledger_id, balance_cents, 0 AS attempts FROM ledgers`.execute(owner);
  await sql`ALTER TABLE bench.balances ADD PRIMARY KEY (ledger_id)`.execute(owner);
  await sql`ANALYZE`.execute(owner);
}

/** How many payments are in the books of the statements that are written by hand. */
export async function countByHandPayments(owner: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int FROM bench.entries e JOIN bench.gateway_charges g USING (intent_id)
    JOIN bench.intents i ON i.id = intent_id AND i.state = 'charged'`.execute(owner);
  return rows[0]!.count;
}
