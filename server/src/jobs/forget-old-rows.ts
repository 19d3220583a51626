import { forgetOldRows } from '#features/retention/retention.ts';
import type { JobKind } from './job.ts';

/** Hourly: what was kept for long enough goes (docs/retention.md). */
export const forgetOld: JobKind<'forget-old-rows'> = {
  name: 'forget-old-rows',
  cron: '52 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 3600, batchSize: 1 },
  run: (ctx) => forgetOldRows(ctx),
};
