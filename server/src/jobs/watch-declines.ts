import { watchDeclines } from '#features/payment-methods/declines.ts';
import type { JobKind } from './job.ts';

/** Every five minutes: detects card testing while it happens (T22). */
export const watchForDeclines: JobKind<'watch-declines'> = {
  name: 'watch-declines',
  cron: '*/5 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 60, batchSize: 1 },
  run: watchDeclines,
};
