import { availableParallelism, cpus } from 'node:os';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { sql } from 'kysely';

/** Prints a line. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Prints what figures were measured on. */
export async function printMachine(owner: Database): Promise<void> {
  const { rows } = await sql<{ server_version: string }>`SHOW server_version`.execute(owner);
  say(`Machine: ${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores`);
  const today = new Date().toISOString().slice(0, 10);
  say(`Node ${process.versions.node}, PostgreSQL ${rows[0]!.server_version}, ${today}`);
}

/** Statistics for the planner, as a database has them that has served for a day. */
export async function settle(owner: Database): Promise<void> {
  await sql`VACUUM (ANALYZE)`.execute(owner);
}
