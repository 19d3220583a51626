import type { MailTransport } from './transport.ts';

/**
 * The sandbox's mail transport: the row of a queued mail already is the mailbox, so nothing is
 * sent.
 */
export const mailbox: MailTransport = { send: () => Promise.resolve() };
