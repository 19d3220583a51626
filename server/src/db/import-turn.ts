import { sql, type RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction } from './database.ts';

const turn: RawBuilder<unknown> = sql`hashtext('gatehouse import')`;

/** Waits for the import that is under way, and keeps others waiting until the connection ends. */
export async function takeImportTurn(db: Database): Promise<void> {
  await sql`SELECT pg_advisory_lock(${turn})`.execute(db);
}

/** The same until the transaction ends; does not wait for others that hold imports up. */
export async function holdImports(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${turn})`.execute(trx);
}
