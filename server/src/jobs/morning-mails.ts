import { sendMorningMails } from '#features/office/morning-mails.ts';
import type { JobKind } from './job.ts';

/** Every five minutes: queues the mails of each facility where it is past seven in the morning. */
export const morningMails: JobKind<'morning-mails'> = {
  name: 'morning-mails',
  cron: '*/5 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 240, batchSize: 1 },
  run: async (ctx) => {
    const mails = await sendMorningMails(ctx);
    if (mails > 0) ctx.log.info({ mails }, 'morning mails were queued');
  },
};
