import { startMemoryCluster } from '../../server/test/memory-cluster.ts';
import { makeTemplates } from '../../server/test/templates.ts';

// A process of its own, run by Node itself: the cluster of a run. Sends its URL to the process that
// started it, and ends with that process.
const cluster = await startMemoryCluster();
await makeTemplates(cluster.url);
process.once('disconnect', () => void stop());
process.send?.({ url: cluster.url });

async function stop(): Promise<void> {
  await cluster.stop();
  process.exit(0);
}
