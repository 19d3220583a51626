import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../server/src/db/embedded.ts';
import { makeTemplates } from '../../server/test/templates.ts';

// A process of its own, run by Node itself: the cluster of a run. Says its URL, and ends with whoever started it.
const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-e2e-'));
const cluster = await startEmbedded({ dataDir, log: () => {} });
await makeTemplates(cluster.url);
process.once('disconnect', () => void stop());
process.send?.({ url: cluster.url });

async function stop(): Promise<void> {
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true });
  process.exit(0);
}
