import { reconcileToday } from '#features/reconciliation/reconciliation.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Daily, when the night's autopay runs of all American zones are over: our books against the gateway's list (D9). */
export const reconcileDay: JobKind<'reconcile-day'> = {
  name: 'reconcile-day',
  cron: '30 16 * * *',
  options: {
    ...forAboutADay,
    policy: 'exclusive',
    retryLimit: 8,
    retryDelay: 600,
    expireInSeconds: 7200,
    batchSize: 1,
  },
  run: async (ctx) => {
    await reconcileToday(ctx);
  },
};
