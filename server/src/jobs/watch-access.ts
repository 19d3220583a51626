import { watchAccess } from '#features/session/watch-access.ts';
import type { JobKind } from './job.ts';

/** Every five minutes: detects guessed passwords and probed ids while it happens (T4, D28). */
export const watchForProbing: JobKind<'watch-access'> = {
  name: 'watch-access',
  cron: '*/5 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 60, batchSize: 1 },
  run: watchAccess,
};
