import type { MailTransport } from './transport.ts';

/** The sandbox's stand-in for a mail server: a queued mail's row is already in the mailbox, so nothing is left to do. */
export const mailbox: MailTransport = { send: () => Promise.resolve() };
