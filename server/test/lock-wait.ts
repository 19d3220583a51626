import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '#db/database.ts';
import { patience } from './patience.ts';

/** Resolves once statements in this database wait for a lock that another transaction holds. */
export async function untilLockWait(db: Database, statements = 1): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
    expect(rows.length).toBeGreaterThanOrEqual(statements);
  }, patience);
}
