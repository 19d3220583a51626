import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reported, mustBe, type Figure, type Stage } from './proof.ts';
import { AppPool } from './app-pool.ts';
import { appLogOf, type AppSettings } from './app-process.ts';
import { checkPayments } from './checker.ts';
import type { NewDatabase } from './cluster.ts';
import { Driver } from './driver.ts';
import { startSimulator, type Simulator } from './simulator.ts';
import { makeWorld, type Payer, type WorldSize } from './world.ts';

/** What a proof of payments stands on: a database with tenants who owe, the simulator, servers and the driver. */
export type Fixture = {
  db: NewDatabase;
  payers: Payer[];
  simulator: Simulator;
  driver: Driver;
  /** How its servers are started; for further ones. */
  settings: AppSettings;
  pool: AppPool;
  /** Compares the three witnesses; for the end, when all is quiet. `expected`: of 500 and above, what no fault is. */
  check(expected?: number): Promise<Figure[]>;
  close(): Promise<void>;
};

type Options = {
  servers: number;
  world: WorldSize;
  /** A database that is there already and the main file of the version that serves it, with what makes its world. */
  older?: { db: NewDatabase; main: string; makeWorld: typeof makeWorld };
  latencyMs?: number;
  slowMs?: number;
  /** What of the servers' environment differs. */
  env?: Record<string, string>;
};

export async function openFixture(
  stage: Stage,
  { servers, world, older, env, ...simulated }: Options,
): Promise<Fixture> {
  const cluster = await stage.cluster();
  const [db, simulator] = await Promise.all([
    older?.db ?? cluster.newDatabase(),
    startSimulator(stage.folder, simulated),
  ]);
  const payers = await (older?.makeWorld ?? makeWorld)(db.owner, world);
  const driver = await Driver.open(join(stage.folder, `driver-${db.name}.jsonl`));
  const settings: AppSettings = {
    databaseUrl: db.url,
    simulatorUrl: simulator.url,
    folder: stage.folder,
    logName: `servers-${db.name}.log`,
    ...(older !== undefined && { main: older.main }),
    ...(env !== undefined && { env }),
  };
  const pool = new AppPool(settings);
  await pool.start(servers);
  return {
    db,
    payers,
    simulator,
    driver,
    settings,
    pool,
    async check(expected) {
      const [journal, lines] = await Promise.all([simulator.journal(), driver.lines()]);
      const faulty = [...driver.statuses]
        .filter(([status]) => status >= 500 && status !== expected)
        .reduce((sum, [, count]) => sum + count, 0);
      return [
        ...(await checkPayments({ owner: db.owner, journal, lines })),
        mustBe(`answers of 500 and above${expected === undefined ? '' : ` other than ${expected}`}`, faulty, 0),
        mustBe('servers that ended by themselves', pool.deaths, 0),
        reported('errors in the servers’ logs', await countErrors(appLogOf(settings))),
      ];
    },
    async close() {
      await pool.stop();
      await driver.close();
      await simulator.stop();
      await db.close();
    },
  };
}

async function countErrors(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line.includes('"level":50')).length;
}
