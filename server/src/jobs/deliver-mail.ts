import { sendMails } from '#features/mail-sending/send.ts';
import { forAboutADay, type JobKind } from './job.ts';

/**
 * Sends queued mails, those to one domain one after another: many mails to it, or a mail server of
 * it that is slow, leave the other workers to the rest.
 */
export const deliverMail: JobKind<'deliver-mail'> = { name: 'deliver-mail', ...sending() };

/**
 * The queue of the version before, whose servers put plain mails into it while an upgrade is under
 * way and would send sealed ones as they are. TODO: remove it, with the constraints that refuse
 * plain texts, once no server of that version can run beside this one.
 */
export const sendMail: JobKind<'send-mail'> = { name: 'send-mail', ...sending() };

function sending() {
  return {
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
  } satisfies Omit<JobKind<'deliver-mail'>, 'name'>;
}
