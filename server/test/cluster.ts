import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { systemClock } from '#adapters/clock.ts';
import { migrate, openOwnerDatabase, type Database } from '#db/database.ts';
import { startEmbedded } from '#db/embedded.ts';
import { migrateQueue } from '#jobs/queue.ts';
import { seedDemo } from '#seeds/demo.ts';
import { createDatabase, databaseUrl, type Template } from './templates.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    clusterUrl: string;
  }
}

/** One cluster a run, with two migrated databases to copy: an empty one and the demo world. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const cluster = await startEmbedded({ dataDir, log: () => {} });
  const maintenance = openOwnerDatabase(cluster.url);
  await createDatabase(maintenance, 'empty_template' satisfies Template, 'template0');
  await inDatabase(cluster.url, 'empty_template', async (owner) => {
    await migrate(owner);
    await migrateQueue(owner);
  });
  await createDatabase(maintenance, 'demo_template' satisfies Template, 'empty_template');
  await inDatabase(cluster.url, 'demo_template', (owner) => seedDemo(owner, systemClock, 'ANCHOR'));
  await maintenance.destroy();
  project.provide('clusterUrl', cluster.url);
  return async () => {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function inDatabase(
  clusterUrl: string,
  name: Template,
  work: (owner: Database) => Promise<unknown>,
): Promise<void> {
  const owner = openOwnerDatabase(databaseUrl(clusterUrl, name));
  try {
    await work(owner);
  } finally {
    await owner.destroy();
  }
}
