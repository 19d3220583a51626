import { doEach } from '#each.ts';
import { handleLeftEvents } from '#features/gateway-events/gateway-events.ts';
import { reconcileOpenIntents } from '#features/reconciliation/reconciliation.ts';
import type { JobKind } from './job.ts';

const works = [handleLeftEvents, reconcileOpenIntents];

/** Hourly: handles the gateway's events that are left, looks up what is open for too long, and notes it (D8, D9). */
export const reconcileOpenPayments: JobKind<'reconcile-open-payments'> = {
  name: 'reconcile-open-payments',
  cron: '7 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 1800, batchSize: 1 },
  run: (ctx) => doEach(works, { atOnce: 1, what: 'works on open payments failed' }, (work) => work(ctx)),
};
