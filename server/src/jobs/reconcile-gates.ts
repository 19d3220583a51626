import { askForWholePush } from '#features/gate-controllers/push.ts';
import type { JobKind } from './job.ts';

/**
 * Nightly: marks every gate for a push of all its units, whose differences it reports. The sweep of
 * gates sends it.
 */
export const reconcileGates: JobKind<'reconcile-gates'> = {
  name: 'reconcile-gates',
  cron: '20 9 * * *',
  options: { policy: 'exclusive', retryLimit: 3, expireInSeconds: 60, batchSize: 1 },
  run: (ctx) => askForWholePush(ctx),
};
