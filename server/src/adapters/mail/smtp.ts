import { emailAddress } from '@gatehouse/contract/text';
import { createTransport } from 'nodemailer';
import { MailNotSent, type Attachment, type MailFault, type MailTransport } from './transport.ts';

// The times of every call to the outside.
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
      // Nodemailer splits an address that looks like a list into several recipients, in the
      // envelope too.
      const recipient = oneAddress.safeParse(to);
      if (!recipient.success) throw new MailNotSent('mail', 'is not an address');
      const sent = transport.sendMail({
        from,
        to: recipient.data,
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
        throw new MailNotSent(faultOf(error as SmtpFault), wordsOf(error as SmtpFault));
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

type SmtpFault = { code?: string; command?: string; responseCode?: number; response?: string };

/**
 * What a failure is about, by the enhanced status code (RFC 3463), where the server gives one, or
 * else by the command that it refused.
 */
function faultOf(fault: SmtpFault): MailFault {
  const { code = '', command, responseCode } = fault;
  if (responseCode === undefined) {
    if (['EAUTH', 'ETLS', 'EREQUIRETLS'].includes(code) || command === 'MAIL FROM') return 'server';
    // Nodemailer refuses itself what the server said that it does not take, such as its size.
    return ['EENVELOPE', 'EMESSAGE'].includes(code) ? 'mail' : 'no_answer';
  }
  const status = statusOf(fault);
  const isAfterSender = command === 'RCPT TO' || command === 'DATA';
  // x.1.7 and x.1.8 are about the sender's address.
  const isOfMail = isAfterSender && /^.\.(1\.(?![78]$)|2\.|6\.)/.test(status);
  // 503 is about the order of commands, so of this connection only.
  if (responseCode < 500 || responseCode === 503) return isOfMail ? 'mail_later' : 'later';
  // 552: the message is too large.
  if (isOfMail || responseCode === 552) return 'mail';
  if (!isAfterSender || /^5\.(1|7)\./.test(status)) return 'server';
  // A bare 550 may be an unknown mailbox or a relay that does not know us.
  if ([551, 553].includes(responseCode)) return 'mail';
  return [530, 535, 554].includes(responseCode) ? 'server' : 'mail_unclear';
}

function statusOf({ response = '' }: SmtpFault): string {
  return /^\d{3}[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '';
}

/**
 * Only command and reply codes: the server's text often quotes the address. What is no reply about
 * a mail is named by Nodemailer's code.
 */
function wordsOf(fault: SmtpFault): string {
  const { code, command, responseCode } = fault;
  const isOfReply = responseCode !== undefined && ['EENVELOPE', 'EMESSAGE'].includes(code ?? '');
  return [!isOfReply && code, command, responseCode, statusOf(fault)].filter(Boolean).join(' ');
}
