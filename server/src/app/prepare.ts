import { sql } from 'kysely';
import { clockOf } from '#adapters/clock.ts';
import type { FileStore } from '#adapters/files/files.ts';
import type { Config } from '#config/config.ts';
import {
  checkDatabase,
  migrate,
  openOwnerDatabase,
  takeTurn,
  type Database,
} from '#db/database.ts';
import { noteKeys } from '#db/known-keys.ts';
import { sealStoredValues } from '#db/seal.ts';
import { migrateQueue } from '#jobs/queue.ts';
import { demoSignIns, demoStaff, seedDemo } from '#seeds/demo.ts';
import { seedDemoPaper } from '#seeds/demo-paper.ts';
import { StartFault } from '#errors/start-fault.ts';
import { openVault } from '#crypto/vault.ts';

/**
 * Prepares the database as its owner, before anything is served: checks, migrations, the queue's
 * tables, encryption of sealed columns, and the demo data for an empty sandbox, unless `seed` is
 * false. Returns whether the demo data was created. `reset` empties the database first. Throws a
 * StartFault for a database that cannot be reached or used.
 */
export async function prepareDatabase(
  url: string,
  config: Config,
  { reset = false, seed = true } = {},
): Promise<boolean> {
  const owner = openOwnerDatabase(url);
  try {
    await checkUsable(owner);
    if (config.profile === 'live') await checkHasNoDemo(owner);
    await takeTurn(owner);
    if (reset) await empty(owner);
    await migrate(owner);
    await migrateQueue(owner);
    const vault = openVault(config.dataKeys);
    await sealStoredValues(owner, vault);
    await noteKeys(owner, config);
    if (config.profile === 'live' || !seed) return false;
    const clock = clockOf(config);
    return await seedDemo(owner, clock, vault, config.corporationCode);
  } catch (error) {
    throw preparationFault(error) ?? error;
  } finally {
    await owner.destroy();
  }
}

/** Adds what a new demo world has in the store of files; the database is its owner's. */
export async function addDemoFiles(url: string, config: Config, files: FileStore): Promise<void> {
  const owner = openOwnerDatabase(url);
  try {
    const clock = clockOf(config);
    await seedDemoPaper(owner, openVault(config.dataKeys), files, clock);
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

/**
 * Throws a StartFault for a database with the demo's sign-ins, whose password everybody knows: they
 * would open a live portal. Their addresses are reserved ones, which no tenant has.
 */
export async function checkHasNoDemo(owner: Database): Promise<void> {
  const { rows: tables } = await sql<{ isMade: boolean }>`
    SELECT to_regclass('public.staff_members') IS NOT NULL AS "isMade"`.execute(owner);
  if (!tables[0]!.isMade) return;
  const emails = demoSignIns.map(({ email }) => email);
  const staff = demoStaff.map(({ email }) => email);
  const { rows } = await sql<{ email: string }>`
    (SELECT email FROM users WHERE lower(email) = ANY(${emails}) ORDER BY email LIMIT 1)
    UNION ALL
    (SELECT email FROM staff_members WHERE lower(email) = ANY(${staff}) ORDER BY email LIMIT 1)`.execute(
    owner,
  );
  const [user] = rows;
  if (user !== undefined)
    throw new StartFault(
      `The database has the demo’s sign-ins, such as ${user.email}, whose password is public; the live profile needs a database without them.`,
    );
}

async function empty(owner: Database): Promise<void> {
  await sql`DROP SCHEMA IF EXISTS pgboss, sandbox_gateway, public CASCADE`.execute(owner);
  await sql`CREATE SCHEMA public`.execute(owner);
}

/**
 * An error of the first connection: the database is unreachable, is no PostgreSQL, or refuses the
 * login.
 */
function unusable(error: unknown): StartFault {
  const { code, message } = (error instanceof AggregateError ? error.errors[0] : error) as {
    code?: string;
    message?: string;
  };
  const reason = message === undefined || message === '' ? (code ?? 'no reason given') : message;
  return new StartFault(
    `The database that DATABASE_URL names cannot be used: ${reason.replace(/\.$/, '')}.`,
  );
}

/**
 * What the operator can put right while the tables are made; null for a bug. Migrating wraps what
 * it met.
 */
function preparationFault(error: unknown): StartFault | null {
  if (error instanceof StartFault) return error;
  const { code, message, cause } = error as { code?: string; message: string; cause?: unknown };
  if (code === '53100')
    return new StartFault('The disk of the database is full; free some and start again.');
  if (code === '42501' || code === '25006')
    return new StartFault(`The database cannot be prepared: ${message}.`);
  if (message.startsWith('corrupted migrations'))
    return new StartFault(
      'The database was made by a newer version of Gatehouse; start that version.',
    );
  return cause instanceof Error ? preparationFault(cause) : null;
}
