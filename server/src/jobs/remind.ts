import { sendReminders } from '#features/reminders/send.ts';
import type { JobKind } from './job.ts';

/** Every five minutes: queues the reminders of each facility whose day is done, in its daytime. */
export const remind: JobKind<'remind'> = {
  name: 'remind',
  cron: '*/5 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 3600, batchSize: 1 },
  run: async (ctx) => {
    const done = await sendReminders(ctx);
    if (done > 0) ctx.log.info({ done }, 'reminders were queued');
  },
};
