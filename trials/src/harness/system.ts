import type { Database } from '@gatehouse/server/src/db/database.ts';
import { AppPool } from './app-pool.ts';
import type { AppSettings } from './app-process.ts';
import type { NewDatabase } from './cluster.ts';
import type { Stage } from './proof.ts';
import { startSimulator, type Simulator } from './simulator.ts';

/** What is tested: servers as `npm start` runs them, on a real PostgreSQL and the simulator. */
export type System<Made> = AsyncDisposable & {
  db: NewDatabase;
  /** What `fill` put into the database. */
  made: Made;
  simulator: Simulator;
  /** How its servers are started; for further ones. */
  settings: AppSettings;
  pool: AppPool;
  close(): Promise<void>;
};

/** `env`: what of the servers' environment differs. */
export type SystemOptions = {
  servers: number;
  latencyMs?: number;
  slowMs?: number;
  env?: Record<string, string>;
};

export async function openSystem<Made>(
  stage: Stage,
  fill: (owner: Database) => Promise<Made>,
  { servers, env, ...simulated }: SystemOptions,
): Promise<System<Made>> {
  const cluster = await stage.cluster();
  const [db, simulator] = await Promise.all([
    cluster.newDatabase(),
    startSimulator(stage.folder, simulated),
  ]);
  const made = await fill(db.owner);
  const settings: AppSettings = {
    databaseUrl: db.url,
    simulatorUrl: simulator.url,
    folder: stage.folder,
    logName: `servers-${db.name}.log`,
    env,
  };
  const pool = new AppPool(settings);
  await pool.start(servers);
  const close = async () => {
    await pool.stop();
    await simulator.stop();
    await db.close();
  };
  return { db, made, simulator, settings, pool, close, [Symbol.asyncDispose]: close };
}
