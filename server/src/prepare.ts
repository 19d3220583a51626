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
    await checkDatabase(owner).catch((error: unknown) => {
      throw error instanceof StartFault ? error : unusable(error);
    });
    if (reset) await empty(owner);
    await migrate(owner);
    await migrateQueue(owner);
    return await seedDemo(owner, systemClock, config.corporationCode);
  } catch (error) {
    throw isDiskFull(error) ? new StartFault('The disk of the database is full; free some and start again.') : error;
  } finally {
    await owner.destroy();
  }
}

async function empty(owner: Database): Promise<void> {
  await sql`DROP SCHEMA IF EXISTS pgboss, sandbox_gateway, public CASCADE`.execute(owner);
  await sql`CREATE SCHEMA public`.execute(owner);
}

/** Whatever the first question to a database meets: it is not there, it is no PostgreSQL, or it lets nobody in. */
function unusable(error: unknown): StartFault {
  const { code, message } = (error instanceof AggregateError ? error.errors[0] : error) as {
    code?: string;
    message?: string;
  };
  const reason = message === undefined || message === '' ? (code ?? 'no reason given') : message;
  return new StartFault(`The database that DATABASE_URL names cannot be used: ${reason.replace(/\.$/, '')}.`);
}

/** Migrating wraps what it met. */
function isDiskFull(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return code === '53100' || (cause instanceof Error && isDiskFull(cause));
}
