import { sendMails } from '#features/mail-sending/send.ts';
import { forAboutADay, type JobKind } from './job.ts';

/**
 * Sends queued mails, those to one domain one after another: many mails to it, or a mail server of
 * it that is slow, leave the other workers to the rest.
 */
export const deliverMail: JobKind<'deliver-mail'> = {
  name: 'deliver-mail',
  // A mail ends within 20 seconds (D31), so within its lease. Mails are given up by their age, so
  // the retry limit must be high enough not to end them earlier.
  options: {
    ...forAboutADay,
    retryLimit: 200,
    expireInSeconds: 70,
    batchSize: 1,
    workers: 3,
    workersOfGroup: 1,
  },
  run: (ctx, batch) =>
    sendMails(
      ctx,
      batch.map(({ mailId }) => mailId),
    ),
};
