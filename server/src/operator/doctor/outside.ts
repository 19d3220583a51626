import { randomUUID } from 'node:crypto';
import { createSmtpTransport, verifyMailServer } from '#adapters/mail/smtp.ts';
import { checkTwilio } from '#adapters/text-messages/twilio-texts.ts';
import { openFiles, openGateway } from '#app/start.ts';
import { fault, ok, warning, type Check } from './finding.ts';

/** A mail server that is slower than this delays the codes of tenants. */
const SLOW_GREETING_MS = 5000;

export const mail: Check = {
  subject: 'mail',
  async run({ config, sendMailTo }) {
    const { smtpUrl, mailFrom } = config;
    if (smtpUrl === undefined) {
      const says = 'Mails stay in the mailbox of the sandbox.';
      return [sendMailTo === undefined ? ok(says) : warning(says, 'Set SMTP_URL to send one.')];
    }
    const begun = performance.now();
    const refusal = await verifyMailServer(smtpUrl);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    if (refusal !== null)
      return [
        fault(
          `The mail server does not take us in (${refusal}).`,
          'Put SMTP_URL right: host, port, smtps for 465 or smtp for 587, user and password. Nothing is lost meanwhile: mails wait for a day.',
        ),
      ];
    const found = [
      performance.now() - begun > SLOW_GREETING_MS
        ? warning(
            `The mail server takes ${seconds} s to answer.`,
            'Ask its operator; tenants wait for their codes.',
          )
        : ok(`The mail server answers in ${seconds} s.`),
    ];
    if (
      new URL(smtpUrl).protocol === 'smtp:' &&
      !isNear(smtpUrl) &&
      !smtpUrl.includes('requireTLS=true')
    )
      found.push(
        warning(
          'Whether mails are encrypted on their way is left to the mail server.',
          'Use smtps://, or add ?requireTLS=true to SMTP_URL.',
        ),
      );
    if (sendMailTo === undefined) return found;
    const message = {
      id: randomUUID(),
      to: sendMailTo,
      subject: 'A mail from your Gatehouse',
      text: `You asked the doctor of Gatehouse for this mail. It was sent as ${mailFrom.address}.`,
      html: `<p>You asked the doctor of Gatehouse for this mail.</p>`,
      at: new Date(),
      attachments: [],
    };
    return createSmtpTransport(smtpUrl, mailFrom)
      .send(message)
      .then(
        () => [
          ...found,
          ok(`A mail to ${sendMailTo} was handed over; see whether it arrives, and not as spam.`),
        ],
        (error: unknown) => [
          ...found,
          fault(
            `${(error as Error).message}.`,
            `See whether the mail server lets ${mailFrom.address} send (SPF, DKIM, DMARC).`,
          ),
        ],
      );
  },
};

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

/** Looks up a reference that was never charged: the answer is “not found”, and nothing changes. */
export const gateway: Check = {
  subject: 'gateway',
  async run({ config, db }) {
    const { kind } = config.payments;
    if (kind === 'sandbox' && db === null) return [];
    const begun = performance.now();
    try {
      const asked = await openGateway(config, db!);
      const { outcome } = await asked.lookup(randomUUID(), { customer: null, since: new Date() });
      if (outcome !== 'notFound') throw new Error(`it says ${outcome} of what was never charged`);
    } catch (error) {
      return [
        fault(
          `The gateway (${kind}) does not answer as it should: ${(error as Error).message}.`,
          'See whether its keys are right and of the right mode, and whether this machine reaches it. Payments are refused or stay “being confirmed” until then.',
        ),
      ];
    }
    const says = `The gateway (${kind}) answers in ${(performance.now() - begun).toFixed(0)} ms.`;
    return [
      kind === 'stripe' || config.profile === 'sandbox'
        ? ok(says)
        : fault(says, 'Set PAYMENTS=stripe.'),
    ];
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

function isNear(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
