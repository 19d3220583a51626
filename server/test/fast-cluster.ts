import { startEmbedded, type EmbeddedPostgres } from '#db/embedded.ts';

/**
 * Starts a cluster for tests that end with it: what it commits need not outlive a crash of the machine. Tests of recovery start
 * the server's own cluster, with the settings that it has.
 */
export function startFastCluster(dataDir: string): Promise<EmbeddedPostgres> {
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', shared_buffers: '256MB' };
  return startEmbedded({ dataDir, log: () => {}, settings });
}
