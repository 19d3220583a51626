import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate, openOwnerDatabase, type Database } from '@gatehouse/server/src/db/database.ts';
import { startEmbedded } from '@gatehouse/server/src/db/embedded.ts';
import { migrateQueue } from '@gatehouse/server/src/jobs/queue.ts';
import { sql } from 'kysely';

/** A PostgreSQL of this run, as the server runs it: its own folder, fsync on. */
export type Cluster = {
  /** A new migrated database without a row, and its owner. It lasts as long as the cluster. */
  newDatabase(): Promise<NewDatabase>;
  /** A new database without a table, as `createdb` makes it. */
  bareDatabase(): Promise<NewDatabase>;
  /**
   * Ends it as `pg_ctl stop -m immediate` does, with every connection, and starts it again after so
   * long: it has to recover from its log. Resolves when it answers.
   */
  breakDown(awayMs: number): Promise<void>;
  stop(): Promise<void>;
};

export type NewDatabase = { name: string; url: string; owner: Database; close(): Promise<void> };

const TEMPLATE = 'proof_template';

/** Starts the cluster and makes the migrated database that the others are copied from. */
export async function startCluster(): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-proof-'));
  let embedded = await startEmbedded({ dataDir, log: () => {} });
  const maintenance = openOwnerDatabase(embedded.url);
  await sql`CREATE DATABASE ${sql.id(TEMPLATE)} TEMPLATE template0`.execute(maintenance);
  const template = openOwnerDatabase(urlOf(embedded.url, TEMPLATE));
  await makeTables(template);
  await template.destroy();
  let made = 0;
  const copyOf = async (source: string): Promise<NewDatabase> => {
    const name = `proof_${(made += 1)}`;
    await sql`CREATE DATABASE ${sql.id(name)} TEMPLATE ${sql.id(source)}`.execute(maintenance);
    const url = urlOf(embedded.url, name);
    const owner = openOwnerDatabase(url);
    return { name, url, owner, close: () => owner.destroy() };
  };
  return {
    newDatabase: () => copyOf(TEMPLATE),
    bareDatabase: () => copyOf('template0'),
    async breakDown(awayMs) {
      const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
      process.kill(Number.parseInt(file), 'SIGQUIT');
      await embedded.stop();
      await delay(awayMs);
      embedded = await startEmbedded({ dataDir, log: () => {} });
    },
    async stop() {
      await maintenance.destroy();
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Everything that the server needs in a database before it starts. */
export async function makeTables(owner: Database): Promise<void> {
  await migrate(owner);
  await migrateQueue(owner);
}

function urlOf(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
