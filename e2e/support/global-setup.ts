import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testClockShift } from '../../server/test/test-day.ts';

/**
 * Sets the clock of the run, which every process inherits, and starts its PostgreSQL cluster;
 * answers how to end it.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  if (process.env.PORTAL_CHROMIUM === undefined)
    throw new Error('Run the browser tests with: npm test -- browser');
  testClockShift();
  const cluster = fork(join(import.meta.dirname, 'cluster.ts'), { execArgv: [], stdio: 'inherit' });
  const ended = once(cluster, 'exit').then(() => {
    throw new Error('the cluster for the browser tests did not start');
  });
  const [message] = (await Promise.race([once(cluster, 'message'), ended])) as [{ url: string }];
  process.env.E2E_CLUSTER_URL = message.url;
  ended.catch(() => {});
  return async () => {
    const gone = once(cluster, 'exit');
    cluster.disconnect();
    await gone;
  };
}
