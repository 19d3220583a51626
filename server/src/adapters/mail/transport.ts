/** A file that goes with a mail. */
export type Attachment = { fileName: string; contentType: string; content: Buffer };

/**
 * A mail to one recipient, in both forms. `id` is ours: a repeat of the same mail carries the same Message-ID. `attachment`
 * makes the file that goes with it, for who sends it on.
 */
export type MailMessage = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  at: Date;
  attachment: (() => Promise<Attachment>) | null;
};

/** Where mails go. */
export type MailTransport = {
  /**
   * Hands a mail on; throws when that did not work or is not certain, and the mail is tried again.
   * No error names an address or quotes the mail (D26).
   */
  send(message: MailMessage): Promise<void>;
};
