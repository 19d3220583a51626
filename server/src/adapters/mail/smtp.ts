import { emailAddress } from '@gatehouse/contract/text';
import { createTransport } from 'nodemailer';
import type { Attachment, MailTransport } from './transport.ts';

// D31.
const limits = { connectMs: 3000, silenceMs: 10_000, totalMs: 20_000 };

const oneAddress = emailAddress('Recipient');

/** The sender of all mails. */
export type Sender = { name: string; address: string };

/** Sends through the mail server of an `smtp:` or `smtps:` URL, one connection a mail. */
export function createSmtpTransport(
  url: string,
  from: Sender,
  { connectMs, silenceMs, totalMs } = limits,
): MailTransport {
  const transport = open(url, { connectMs, silenceMs });
  const domain = from.address.split('@')[1]!;
  return {
    async send({ id, to, subject, text, html, at, unsubscribeUrl, attachments }) {
      // One after another: a merged mail may have many.
      const files: Attachment[] = [];
      for (const draw of attachments) files.push(await draw());
      const sent = transport.sendMail({
        from,
        // Nodemailer splits an address that looks like a list into several recipients, in the
        // envelope too (T17).
        to: oneAddress.parse(to),
        messageId: `<${id}@${domain}>`,
        date: at,
        subject,
        text,
        html,
        attachments: files.map(({ fileName, ...file }) => ({ ...file, filename: fileName })),
        headers: { 'Auto-Submitted': 'auto-generated', ...oneClick(unsubscribeUrl) },
        signal: AbortSignal.timeout(totalMs),
      });
      await sent.catch((error: unknown) => {
        throw new MailNotSent(error as SmtpFault);
      });
    },
  };
}

/** The headers by which a mail program offers to stop mails with one click (RFC 8058). */
function oneClick(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return {
    'List-Unsubscribe': `<${url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/**
 * Connects to the mail server and signs in without sending a mail. Returns null, or the fault
 * without the server's own text.
 */
export async function verifyMailServer(url: string): Promise<string | null> {
  const transport = open(url, limits);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return wordsOf(error as SmtpFault);
  } finally {
    transport.close();
  }
}

function open(
  url: string,
  { connectMs, silenceMs }: Pick<typeof limits, 'connectMs' | 'silenceMs'>,
) {
  return createTransport({
    url,
    connectionTimeout: connectMs,
    dnsTimeout: connectMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

type SmtpFault = { code?: string; command?: string; responseCode?: number };

/** Names the reply code alone: the server's text often quotes the address. */
class MailNotSent extends Error {
  override name = 'MailNotSent';

  constructor(fault: SmtpFault) {
    super(`the mail server did not take a mail ${wordsOf(fault)}`.trim());
  }
}

function wordsOf({ code, command, responseCode }: SmtpFault): string {
  return [code, command, responseCode].filter(Boolean).join(' ');
}
