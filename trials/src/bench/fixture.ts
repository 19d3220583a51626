import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openOwnerDatabase, type Database } from '@gatehouse/server/src/db/database.ts';
import { startEmbedded } from '@gatehouse/server/src/db/embedded.ts';
import { makeTables } from '../harness/cluster.ts';
import { makeWorld, type Payer, type WorldSize } from '../harness/world.ts';
import { inScratchFolder, type ScratchFolder } from '../harness/scratch-folder.ts';
import { say, settle } from '../harness/report.ts';

/** An empty database and its owner, and what is to be stopped in the end. */
export type BareFixture = ScratchFolder & { url: string; owner: Database };
/** With 300 tenants in it, of which these ask and pay. */
export type Fixture = BareFixture & { tenants: Payer[] };

const SIGNED_IN = 100;
/**
 * In which indexes matter, and with debts so large that no round of one-cent payments settles them.
 */
const WORLD: WorldSize = {
  payers: 300,
  rentals: (payer) => (payer < SIGNED_IN ? 3 : 1),
  paidMonths: 8,
  owedCents: () => 10_000_000,
};

/** Runs a bench on a new database with 300 tenants. */
export function withFixture(bench: (fixture: Fixture) => Promise<void>): Promise<void> {
  return withBareFixture(async (fixture) => {
    say('Making a world of 300 tenants and 500 rentals');
    const payers = await makeWorld(fixture.owner, WORLD);
    await settle(fixture.owner);
    await bench({ ...fixture, tenants: payers.slice(0, SIGNED_IN) });
  });
}

/**
 * Runs a bench on an empty database in a temporary folder, of which nothing is left, also after an
 * interrupt; with `at` in that folder, which is kept and may hold the database of a run before.
 * `settings` are PostgreSQL's.
 */
export function withBareFixture(
  bench: (fixture: BareFixture) => Promise<void>,
  { at, settings }: { at?: string; settings?: Record<string, string> } = {},
): Promise<void> {
  return inScratchFolder({ name: 'gatehouse-bench-', at }, async ({ folder, closers }) => {
    const embedded = await startEmbedded({
      dataDir: folder,
      log: say,
      ...(settings !== undefined && { settings }),
    });
    closers.push(() => embedded.stop());
    const { url } = embedded;
    const owner = openOwnerDatabase(url);
    closers.push(() => owner.destroy());
    await makeTables(owner);
    await bench({ url, owner, folder, closers });
  });
}

/**
 * Runs this file once with each of these arguments, in processes of their own, and answers what
 * they have reported.
 */
export async function inProcesses<Figures>(file: string, runs: string[][]): Promise<Figures[]> {
  const all: Figures[] = [];
  for (const args of runs) {
    const child = fork(fileURLToPath(file), args);
    // It ends in its own order, and its figures are missed then.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => child.kill(signal));
    child.on('message', (message) => all.push(message as Figures));
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error(`the run of ${args.join(' ')} failed`);
  }
  return all;
}
