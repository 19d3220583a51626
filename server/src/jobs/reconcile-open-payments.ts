import { reconcileOpenIntents } from '#features/reconciliation/reconciliation.ts';
import type { JobKind } from './job.ts';

/** Hourly: looks up what is open for too long, and tells the operator what stays unknown (D9, I7). */
export const reconcileOpenPayments: JobKind<'reconcile-open-payments'> = {
  name: 'reconcile-open-payments',
  cron: '7 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 1800, batchSize: 1 },
  run: reconcileOpenIntents,
};
