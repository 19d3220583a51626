import { sql } from 'kysely';
import { systemClock } from '#adapters/clock.ts';
import type { Config } from '#config.ts';
import { checkDatabase, migrate, openOwnerDatabase, type Database } from '#db/database.ts';
import { migrateQueue } from '#jobs/queue.ts';
import { seedDemo } from '#seeds/demo.ts';
import { StartFault } from '#start-fault.ts';

/**
 * What the owner does before anything is served: checks, migrations, the queue's tables and, where nothing is there yet,
 * the demo world. Answers whether it made that. `reset` empties the database first.
 * Throws a StartFault for a database that cannot be reached or used.
 */
export async function prepareDatabase(url: string, config: Config, { reset = false } = {}): Promise<boolean> {
  const owner = openOwnerDatabase(url);
  try {
    await checkDatabase(owner);
    if (reset) await empty(owner);
    await migrate(owner);
    await migrateQueue(owner);
    return await seedDemo(owner, systemClock, config.corporationCode);
  } catch (error) {
    throw databaseFault(error) ?? error;
  } finally {
    await owner.destroy();
  }
}

async function empty(owner: Database): Promise<void> {
  await sql`DROP SCHEMA IF EXISTS pgboss, sandbox_gateway, public CASCADE`.execute(owner);
  await sql`CREATE SCHEMA public`.execute(owner);
}

/** An unreachable or refusing database as a sentence; null for any other error. */
function databaseFault(error: unknown): StartFault | null {
  const { code, message } = (error instanceof AggregateError ? error.errors[0] : error) as {
    code?: string;
    message?: string;
  };
  if (
    code !== undefined &&
    ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOENT'].includes(code)
  )
    return new StartFault(`The database that DATABASE_URL names cannot be reached (${code}).`);
  if (code !== undefined && /^(28|3D000)/.test(code))
    return new StartFault(`The database refuses the connection: ${message}.`);
  if (code === '53100') return new StartFault('The disk of the database is full.');
  if (message === 'timeout expired' || message?.startsWith('Connection terminated due to connection timeout'))
    return new StartFault('The database that DATABASE_URL names does not answer.');
  return null;
}
