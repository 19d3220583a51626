import { forgetLimits } from '#features/limits/limits.ts';
import { forgetOldTries } from '#features/session/sign-in-tries.ts';
import type { JobKind } from './job.ts';

/** Hourly: what no limit needs any more goes. */
export const forgetOldLimits: JobKind<'forget-limits'> = {
  name: 'forget-limits',
  cron: '37 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 300, batchSize: 1 },
  run: async (ctx) => {
    await forgetLimits(ctx);
    await forgetOldTries(ctx);
  },
};
