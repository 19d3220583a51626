import { doEach } from '#context/each.ts';
import { handleLeftEvents } from '#features/gateway-events/gateway-events.ts';
import { reconcileOpenIntents } from '#features/reconciliation/reconciliation.ts';
import type { JobKind } from './job.ts';

const works = [handleLeftEvents, reconcileOpenIntents];

/**
 * Hourly: handles the remaining events of the gateway, looks up payments that have been open for
 * too long, and records the run (D8, D9).
 */
export const reconcileOpenPayments: JobKind<'reconcile-open-payments'> = {
  name: 'reconcile-open-payments',
  cron: '7 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 1800, batchSize: 1 },
  run: (ctx) =>
    doEach(works, { atOnce: 1, what: 'works on open payments failed' }, (work) => work(ctx)),
};
