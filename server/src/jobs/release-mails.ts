import { releaseHeldMails } from '#features/mail-sending/release.ts';
import type { JobKind } from './job.ts';

/** Every minute: sends or merges the mails that were held until then. */
export const releaseMails: JobKind<'release-mails'> = {
  name: 'release-mails',
  cron: '* * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 300, batchSize: 1 },
  run: releaseHeldMails,
};
