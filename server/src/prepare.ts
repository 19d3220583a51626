import { sql } from 'kysely';
import { systemClock } from '#adapters/clock.ts';
import type { Config } from '#config.ts';
import { checkDatabase, migrate, openOwnerDatabase, takeTurn, type Database } from '#db/database.ts';
import { noteKeys } from '#db/known-keys.ts';
import { sealStoredValues } from '#db/seal.ts';
import { migrateQueue } from '#jobs/queue.ts';
import { seedDemo } from '#seeds/demo.ts';
import { StartFault } from '#start-fault.ts';
import { openVault } from '#vault.ts';

/**
 * What the owner does before anything is served: checks, migrations, the queue's tables, the seals and, in the sandbox
 * where nothing is there yet, the demo world. Answers whether it made that. `reset` empties the database first.
 * Throws a StartFault for a database that cannot be reached or used.
 */
export async function prepareDatabase(url: string, config: Config, { reset = false } = {}): Promise<boolean> {
  const owner = openOwnerDatabase(url);
  try {
    await checkUsable(owner);
    await takeTurn(owner);
    if (reset) await empty(owner);
    await migrate(owner);
    await migrateQueue(owner);
    const vault = openVault(config.dataKeys);
    await sealStoredValues(owner, vault);
    await noteKeys(owner, config);
    if (config.profile === 'live') return false;
    return await seedDemo(owner, systemClock, vault, config.corporationCode);
  } catch (error) {
    throw preparationFault(error) ?? error;
  } finally {
    await owner.destroy();
  }
}

/** Throws a StartFault for a database that cannot be reached or used. */
export async function checkUsable(owner: Database): Promise<void> {
  await checkDatabase(owner).catch((error: unknown) => {
    throw error instanceof StartFault ? error : unusable(error);
  });
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

/** What the operator can put right while the tables are made; null for a fault of ours. Migrating wraps what it met. */
function preparationFault(error: unknown): StartFault | null {
  if (error instanceof StartFault) return error;
  const { code, message, cause } = error as { code?: string; message: string; cause?: unknown };
  if (code === '53100') return new StartFault('The disk of the database is full; free some and start again.');
  if (code === '42501' || code === '25006') return new StartFault(`The database cannot be prepared: ${message}.`);
  if (message.startsWith('corrupted migrations'))
    return new StartFault('The database was made by a newer version of Gatehouse; start that version.');
  return cause instanceof Error ? preparationFault(cause) : null;
}
