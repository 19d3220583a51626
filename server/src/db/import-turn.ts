import { sql, type RawBuilder } from 'kysely';
import { StartFault } from '#errors/start-fault.ts';
import type { Database, DatabaseTransaction } from './database.ts';

const turn: RawBuilder<unknown> = sql`hashtext('gatehouse import')`;

/**
 * Waits for the import that is under way, and keeps others waiting until the connection ends.
 * Throws a StartFault where that takes longer than the lock timeout.
 */
export async function takeImportTurn(db: Database): Promise<void> {
  await orFault(sql`SELECT pg_advisory_lock(${turn})`.execute(db));
}

/** The same until the transaction ends; does not wait for others that hold imports up. */
export async function holdImports(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${turn})`.execute(trx);
}

/** As `takeImportTurn`, until the transaction ends. */
export async function takeImportTurnOf(trx: DatabaseTransaction): Promise<void> {
  await orFault(sql`SELECT pg_advisory_xact_lock(${turn})`.execute(trx));
}

async function orFault(taking: Promise<unknown>): Promise<void> {
  try {
    await taking;
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw new StartFault(
      'Another import or the close of a month is under way. Wait until it is through.',
    );
  }
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
