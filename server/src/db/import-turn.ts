import { sql, type RawBuilder } from 'kysely';
import { StartFault } from '#errors/start-fault.ts';
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

/** As `takeImportTurn`, until the transaction ends. */
export async function takeImportTurnOf(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${turn})`.execute(trx);
}

/**
 * Throws a StartFault where an import was cancelled; a cancel waits until the transaction has
 * ended.
 */
export async function holdRunning(trx: DatabaseTransaction, importId: string): Promise<void> {
  const { rows } = await sql`
    SELECT FROM lease_imports WHERE id = ${importId} AND state = 'running' FOR NO KEY UPDATE`.execute(
    trx,
  );
  if (rows.length === 0) throw new StartFault('The import was cancelled.');
}
