import { randomUUID } from 'node:crypto';
import { checkTwilio } from '#adapters/text-messages/twilio-texts.ts';
import { openFiles } from '#app/start.ts';
import { fault, ok } from '#features/desk/going-live/finding.ts';
import type { Check } from './patient.ts';

/** Asks for the account only: a text message costs, and reaches a person. */
export const texts: Check = {
  subject: 'text messages',
  async run({ config }) {
    if (config.texts.kind === 'none') return [ok('None are sent: TEXTS is not set.')];
    if (config.texts.kind === 'sandbox') return [ok('They stay in the mailbox of the sandbox.')];
    const begun = performance.now();
    const why = await checkTwilio(config.texts);
    if (why !== null)
      return [
        fault(
          `Twilio does not take us in: ${why.replace(/\.$/, '')}.`,
          'See TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN, and the account in the console of Twilio. Reminders go by mail meanwhile.',
        ),
      ];
    return [ok(`Twilio answers in ${(performance.now() - begun).toFixed(0)} ms.`)];
  },
};

export const files: Check = {
  subject: 'photos',
  async run({ config }) {
    const key = randomUUID();
    const bytes = Buffer.from('written by the doctor');
    const where =
      config.files.kind === 's3' ? `the bucket ${config.files.bucket}` : `${config.dataDir}/files`;
    try {
      const store = await openFiles(config);
      await store.put(key, bytes, 'image/jpeg');
      const back = await store.get(key);
      await store.remove(key);
      if (back?.equals(bytes) !== true) throw new Error('it gives back something else');
      return [ok(`A file was written to ${where}, read and removed.`)];
    } catch (error) {
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      return [
        fault(
          `Photos cannot be stored in ${where}: ${reason.replace(/\.$/, '')}.`,
          'Free space or give the folder to this user; for a bucket see its name, region and keys. Uploads are refused with 503 until then, all else continues.',
        ),
      ];
    }
  },
};
