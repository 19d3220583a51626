import { raiseAlarm } from '#features/alarms/alarms.ts';
import { reconcileToday } from '#features/reconciliation/reconciliation.ts';
import { forAboutADay, type JobKind } from './job.ts';

/**
 * Daily, after the night's autopay runs in all American zones: compares our books with the
 * gateway's list (D9). A run that fails raises an alarm, one a day.
 */
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
    try {
      await reconcileToday(ctx);
    } catch (error) {
      const day = ctx.clock.now().toISOString().slice(0, 10);
      await raiseAlarm(ctx, ctx.db, {
        kind: 'reconciliation_failed',
        key: `reconciliation_failed:${day}`,
        facilityId: null,
        sentence: `The books could not be held against the gateway’s list on ${day}. It is tried again; the log says why.`,
        facts: { day },
      });
      throw error;
    }
  },
};
