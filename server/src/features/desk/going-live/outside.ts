import { randomUUID } from 'node:crypto';
import { clockOf } from '#adapters/clock.ts';
import { askAddress } from '#adapters/public-address.ts';
import { createSmtpTransport, verifyMailServer } from '#adapters/mail/smtp.ts';
import type { Config } from '#config/config.ts';
import { fault, ok, warning, type Check, type Found } from './finding.ts';
import type { Live } from './live.ts';

/** A mail server that is slower than this delays the codes of tenants. */
const SLOW_GREETING_MS = 5000;
const DAY_MS = 86_400_000;
/** certbot renews 30 days before the end. */
const LITTLE_DAYS = 21;

const NGINX = 'docs/operations.md, “TLS and HTTP/2”';

/** Whether tenants reach the portal at PUBLIC_URL. */
export const portalAddress: Check<Live> = {
  subject: 'address',
  async run({ config }) {
    if (config.profile !== 'live') return [ok(`The portal is at ${config.publicUrl}.`)];
    return visit(config, {
      name: 'portal',
      setting: 'PUBLIC_URL',
      url: config.publicUrl,
      path: '/',
    });
  },
};

/** Whether staff reach the office at OFFICE_URL. */
export const office: Check<Live> = {
  subject: 'office',
  async run({ config }) {
    if (config.office === null)
      return [
        fault(
          'No office is served: OFFICE_URL is not set.',
          `Set OFFICE_URL to an https address with a host of its own, such as https://office.example.com, have the proxy pass that host on (${NGINX}), and restart the server.`,
        ),
      ];
    const { url } = config.office;
    if (config.profile !== 'live') return [ok(`The office is at ${url}.`)];
    return visit(config, { name: 'office', setting: 'OFFICE_URL', url, path: '/office/' });
  },
};

/** Asks for a page as a browser would, and looks at the certificate. */
async function visit(
  config: Config,
  { name, setting, url, path }: { name: string; setting: string; url: string; path: string },
): Promise<Found[]> {
  const { status, error, certificateEndsAt } = await askAddress(`${url}${path}`);
  const todo = `See the DNS, the firewall, the server_name and certificate of the proxy (${NGINX}), and ${setting}. A network may also keep a machine from its own public address: then try it in a browser.`;
  if (error !== null) return [fault(`The ${name} does not answer at ${url} (${error}).`, todo)];
  if (status !== 200)
    return [fault(`${url}${path} answers ${status} instead of the ${name}.`, todo)];
  if (certificateEndsAt === null) return [ok(`The ${name} answers at ${url}.`)];
  const days = Math.floor((certificateEndsAt.getTime() - clockOf(config).now().getTime()) / DAY_MS);
  const says = `The ${name} answers at ${url}; its certificate ends in ${days} days.`;
  return [
    days < LITTLE_DAYS
      ? warning(
          says,
          'certbot renew, and see why its timer does not: systemctl status certbot.timer.',
        )
      : ok(says),
  ];
}

export const mail: Check<Live> = {
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

/** Looks up a reference that was never charged: the answer is “not found”, and nothing changes. */
export const gateway: Check<Live> = {
  subject: 'gateway',
  async run({ config, prepared, gateway: open }) {
    const { kind } = config.payments;
    if (kind === 'sandbox' && (await prepared()) === null) return [];
    const begun = performance.now();
    try {
      const { outcome } = await (
        await open()
      ).lookup(randomUUID(), { customer: null, since: new Date() });
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

function isNear(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
