import type { TestProject } from 'vitest/node';
import { startMemoryCluster } from './memory-cluster.ts';
import { makeTemplates } from './templates.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    clusterUrl: string;
  }
}

/** One cluster for each run, with two migrated template databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startMemoryCluster();
  await makeTemplates(cluster.url);
  project.provide('clusterUrl', cluster.url);
  return () => cluster.stop();
}
