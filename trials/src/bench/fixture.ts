import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openOwnerDatabase, type Database } from '@gatehouse/server/src/db/database.ts';
import { startEmbedded } from '@gatehouse/server/src/db/embedded.ts';
import { makeTables } from '../harness/cluster.ts';
import { makeWorld, type Payer } from '../harness/world.ts';
import { inScratchFolder, type ScratchFolder } from '../harness/scratch-folder.ts';
import { say, settle } from '../harness/report.ts';

/** An empty database and its owner, and what is to be stopped in the end. */
export type BareFixture = ScratchFolder & { url: string; owner: Database };
/** How many charges a rental of each group of tenants has had: of 7, 23 and 59 months. */
export const CHARGES = [9, 25, 61] as const;

/**
 * With tenants in it who ask and pay, of three rentals each, by how many charges each rental has
 * had. Every second one owes.
 */
export type Fixture = BareFixture & { tenants: Record<(typeof CHARGES)[number], Payer[]> };

/** Rentals of the tenants who ask and pay; besides them there are as many others with one. */
const RENTALS = 3;
/** A rental has had a rent and a protection plan more than months before. */
const RUNNING = 2;
/** So large that no round of one-cent payments settles it. */
const OWED_CENTS = 10_000_000;

/** How many tenants of nine charges ask and pay. */
export const TENANTS = 100;

/**
 * Runs a bench on a new database in which indexes matter. `asking` tenants have nine charges, and a
 * fifth as many each have 25 and 61 where the bench is about `manyCharges`.
 */
export function withFixture(
  bench: (fixture: Fixture) => Promise<void>,
  {
    asking,
    manyCharges = false,
    settings = {},
  }: { asking: number; manyCharges?: boolean; settings?: Record<string, string> },
): Promise<void> {
  const onEmpty = async (fixture: BareFixture) => {
    const groups = CHARGES.flatMap((charges) => {
      const length = charges === 9 ? asking : manyCharges ? asking / 5 : 0;
      return Array.from({ length }, () => charges);
    });
    say(`Making a world of ${groups.length * 2} tenants and ${groups.length * 4} rentals`);
    const payers = await makeWorld(fixture.owner, {
      payers: groups.length * 2,
      rentals: (payer) => (payer < groups.length ? RENTALS : 1),
      paidMonths: (payer) => (groups[payer] ?? CHARGES[0]) - RUNNING,
      owedCents: (_rental, payer) => (payer % 2 === 0 ? OWED_CENTS : 0),
    });
    await settle(fixture.owner);
    const of = (charges: number) => payers.filter((_, index) => groups[index] === charges);
    await bench({ ...fixture, tenants: { 9: of(9), 25: of(25), 61: of(61) } });
  };
  return withBareFixture(onEmpty, { settings });
}

/** Those who owe: they can pay, and their reads look for open charges. */
export function owing(payers: Payer[]): Payer[] {
  return payers.filter(({ rentals }) => rentals.some(({ owedCents }) => owedCents > 0));
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
