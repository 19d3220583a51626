import { askForWholePush } from '#features/gate-controllers/push.ts';
import type { JobKind } from './job.ts';

/** Nightly: every gate is told all of its units, and says what it had otherwise. The sweep of gates does it. */
export const reconcileGates: JobKind<'reconcile-gates'> = {
  name: 'reconcile-gates',
  cron: '20 9 * * *',
  options: { policy: 'exclusive', retryLimit: 3, expireInSeconds: 60, batchSize: 1 },
  run: (ctx) => askForWholePush(ctx),
};
