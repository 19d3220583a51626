import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@gatehouse/server/src/config.ts';
import { migrate, openOwnerDatabase } from '@gatehouse/server/src/db/database.ts';
import { startEmbedded } from '@gatehouse/server/src/db/embedded.ts';
import { migrateQueue } from '@gatehouse/server/src/jobs/queue.ts';
import { openVault } from '@gatehouse/server/src/vault.ts';
import { say } from './report.ts';
import { makeWorld, settle, type SignedIn } from './world.ts';

/** An empty database, and what is to be stopped in the end. */
export type BareFixture = Place & { url: string };
/** With 300 tenants in it. */
export type Fixture = BareFixture & { tenants: SignedIn[] };

/** Runs a bench on a database of its own with the world of 300 tenants. */
export function withFixture(bench: (fixture: Fixture) => Promise<void>): Promise<void> {
  return withBareFixture(async (fixture) => {
    const { url, folder } = fixture;
    say('Making a world of 300 tenants and 500 rentals');
    // The key of the servers that are measured.
    const { dataKeys } = readConfig({ ...process.env, DATA_DIR: folder });
    const tenants = await makeWorld(url, openVault(dataKeys));
    await settle(url);
    await bench({ ...fixture, tenants });
  });
}

/** A folder, and what is to be stopped in the end, the last first. */
export type Place = { folder: string; closers: (() => Promise<unknown>)[] };

/**
 * Runs a bench on an empty database of its own in a folder of its own, of which nothing is left, also after an interrupt; with `at`
 * in that folder, which is kept and may hold the database of a run before. `settings` are PostgreSQL's.
 */
export function withBareFixture(
  bench: (fixture: BareFixture) => Promise<void>,
  { at, settings }: { at?: string; settings?: Record<string, string> } = {},
): Promise<void> {
  return inPlace({ name: 'gatehouse-bench-', at }, async ({ folder, closers }) => {
    const embedded = await startEmbedded({ dataDir: folder, log: say, ...(settings !== undefined && { settings }) });
    closers.push(() => embedded.stop());
    const { url } = embedded;
    await prepare(url);
    await bench({ url, folder, closers });
  });
}

/** A new folder whose name begins so, or the one at `at`, which is kept. */
export type Where = { name: string; at?: string | undefined; isKept?: boolean };

/**
 * Runs work in a folder of its own, then stops what it has opened, also after an interrupt; nothing is left but a folder that is
 * to be kept.
 */
export async function inPlace<T>({ name, at, isKept }: Where, work: (place: Place) => Promise<T>): Promise<T> {
  const closers: Place['closers'] = [];
  let closing: Promise<void> | undefined;
  const close = async () => {
    for (const one of closers.reverse()) await one();
  };
  const closeAll = () => (closing ??= close());
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      // What is under way loses its database now, and that is no fault.
      process.on('uncaughtException', () => {});
      void closeAll().finally(() => process.exit(1));
    });
  try {
    if (at !== undefined) await mkdir(at, { recursive: true });
    const folder = at ?? (await mkdtemp(join(tmpdir(), name)));
    // At the exit, so that an interrupt in the middle of a query leaves nothing behind either.
    if (!isKept && at === undefined)
      process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    return await work({ folder, closers });
  } finally {
    await closeAll();
  }
}

async function prepare(url: string): Promise<void> {
  const owner = openOwnerDatabase(url);
  await migrate(owner);
  await migrateQueue(owner);
  await owner.destroy();
}
