import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openOwnerDatabase, type Database } from '@gatehouse/server/src/db/database.ts';
import { startEmbedded } from '@gatehouse/server/src/db/embedded.ts';
import { makeTables } from '../harness/cluster.ts';
import { makeWorld, type Payer, type WorldSize } from '../harness/world.ts';
import { say } from './report.ts';
import { settle } from './world.ts';

/** An empty database and its owner, and what is to be stopped in the end. */
export type BareFixture = Place & { url: string; owner: Database };
/** With 300 tenants in it, of which these ask and pay. */
export type Fixture = BareFixture & { tenants: Payer[] };

const SIGNED_IN = 100;
/** In which indexes matter, and with debts so large that no round of one-cent payments settles them. */
const WORLD: WorldSize = {
  payers: 300,
  rentals: (payer) => (payer < SIGNED_IN ? 3 : 1),
  paidMonths: 8,
  owedCents: () => 10_000_000,
};

/** Runs a bench on a database of its own with the world of 300 tenants. */
export function withFixture(bench: (fixture: Fixture) => Promise<void>): Promise<void> {
  return withBareFixture(async (fixture) => {
    const { url, owner } = fixture;
    say('Making a world of 300 tenants and 500 rentals');
    const payers = await makeWorld(owner, WORLD);
    await settle(url);
    await bench({ ...fixture, tenants: payers.slice(0, SIGNED_IN) });
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
    const owner = openOwnerDatabase(url);
    closers.push(() => owner.destroy());
    await makeTables(owner);
    await bench({ url, owner, folder, closers });
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
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const)
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
    process.removeAllListeners('disconnect');
    process.disconnect?.();
  }
}

/** Runs this file once with each of these arguments, in processes of their own, and answers what they have reported. */
export async function inProcesses<Figures>(file: string, runs: string[][]): Promise<Figures[]> {
  const all: Figures[] = [];
  for (const args of runs) {
    const child = fork(fileURLToPath(file), args);
    // It ends in its own order, and its figures are missed then.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
    child.on('message', (message) => all.push(message as Figures));
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error(`the run of ${args.join(' ')} failed`);
  }
  return all;
}
