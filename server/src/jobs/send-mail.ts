import { sendMails } from '#features/mail/mail.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Sends queued mails. */
export const sendMail: JobKind<'send-mail'> = {
  name: 'send-mail',
  // Each mail of a batch ends within 20 seconds (D31), so the batch ends within its lease.
  options: { ...forAboutADay, expireInSeconds: 70, batchSize: 3 },
  run: (ctx, batch) =>
    sendMails(
      ctx,
      batch.map(({ mailId }) => mailId),
    ),
};
