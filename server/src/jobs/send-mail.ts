import { sendMails } from '#features/mail/mail.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Hands a queued mail to the transport. */
export const sendMail: JobKind<'send-mail'> = {
  name: 'send-mail',
  // A batch is sent side by side and each send ends within 20 seconds (D31): nobody else gets the job before it is over.
  options: { ...forAboutADay, expireInSeconds: 60, batchSize: 10 },
  run: (ctx, batch) =>
    sendMails(
      ctx,
      batch.map(({ mailId }) => mailId),
    ),
};
