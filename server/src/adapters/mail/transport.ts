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
   * Sends a mail; throws when that failed or is not certain, and the mail is retried. No error
   * names an address or quotes the mail (D26).
   */
  send(message: MailMessage): Promise<void>;
};
