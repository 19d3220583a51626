import { sendMails } from '#features/mail/mail.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Hands a queued mail to the transport. */
export const sendMail: JobKind<'send-mail'> = {
  name: 'send-mail',
  // Each of a batch ends within 20 seconds (D31): nobody else gets its jobs before it is over.
  options: { ...forAboutADay, expireInSeconds: 70, batchSize: 3 },
  run: (ctx, batch) =>
    sendMails(
      ctx,
      batch.map(({ mailId }) => mailId),
    ),
};
