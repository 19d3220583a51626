import { rmSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#db/embedded.ts';
import { movedClock } from './moved-clock.ts';

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 2 ** 31;

/** A PostgreSQL for tests, and its data folder. */
export type TestCluster = { url: string; stop(): Promise<void> };

/**
 * Starts a PostgreSQL in memory where the system offers enough of it, else on disk. Its settings
 * stay durable, as the server demands, but syncing memory costs nothing. Autovacuum is off, because
 * it would connect to a template while a test copies it.
 */
export async function startMemoryCluster(): Promise<TestCluster> {
  const dataDir = await mkdtemp(join(await findFolder(), 'gatehouse-test-'));
  // Also after an interrupt, because what is left in memory stays until the next boot.
  const removeAtExit = () => rmSync(dataDir, { recursive: true, force: true });
  process.on('exit', removeAtExit);
  const cluster = await startEmbedded({
    dataDir,
    log: () => {},
    settings: { autovacuum: 'off' },
    env: movedClock,
  });
  return {
    url: cluster.url,
    async stop() {
      await cluster.stop();
      await rm(dataDir, { recursive: true, force: true });
      process.off('exit', removeAtExit);
    },
  };
}

async function findFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= NEEDED_BYTES ? MEMORY : tmpdir();
}
