import { handleLeftEvents } from '#features/gateway-events/gateway-events.ts';
import { reconcileOpenIntents } from '#features/reconciliation/reconciliation.ts';
import type { JobKind } from './job.ts';

/** Hourly: handles the gateway's events that are left, looks up what is open for too long, and notes it (D8, D9). */
export const reconcileOpenPayments: JobKind<'reconcile-open-payments'> = {
  name: 'reconcile-open-payments',
  cron: '7 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 1800, batchSize: 1 },
  run: async (ctx) => {
    await handleLeftEvents(ctx);
    await reconcileOpenIntents(ctx);
  },
};
