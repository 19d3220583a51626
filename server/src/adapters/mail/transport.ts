/** An attachment of a mail. */
export type Attachment = { fileName: string; contentType: string; content: Buffer };

/**
 * A mail to one recipient, as text and HTML. `id` is ours: a retry of the same mail carries the
 * same Message-ID. `attachments` render the attachments when the mail is sent. `unsubscribeUrl` is
 * where a mail program stops mails of this kind with one click (RFC 8058).
 */
export type MailMessage = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  at: Date;
  unsubscribeUrl?: string | undefined;
  attachments: (() => Promise<Attachment>)[];
};

/** Sends mails. */
export type MailTransport = {
  /**
   * Sends a mail; throws MailNotSent when that failed or is not certain. No error names an address
   * or quotes the mail.
   */
  send(message: MailMessage): Promise<void>;
};

/**
 * What the address or the mail itself is refused for. `mail`: for good. `mail_unclear`: by a reply
 * that may also be about us, such as a bare 550. `mail_later`: for now.
 */
export const mailFaults = ['mail', 'mail_unclear', 'mail_later'] as const;

/**
 * Why a mail was not sent: a fault of the mail (mailFaults), or none of it. `server`: the mail
 * server refuses us, for which the operator must act. `no_answer`: the server gave none. `later`:
 * it asks for another try, or our own server failed.
 */
export type MailFault = (typeof mailFaults)[number] | 'server' | 'no_answer' | 'later';

/** `reply` has the command and the reply code, such as `RCPT TO 550 5.1.1`, and no words. */
export class MailNotSent extends Error {
  override name = 'MailNotSent';
  readonly fault: MailFault;
  readonly reply: string;

  constructor(fault: MailFault, reply: string) {
    super(`the mail server did not take a mail ${reply}`.trim());
    this.fault = fault;
    this.reply = reply;
  }
}
