import type { Email } from '#emails/email.ts';
import { factsOf, staffEmail, type StaffMessage } from './staff-message.ts';

/** The e-sign documents are asked for again; `pending` names those that wait for the tenant's signature. */
export type EsignFacts = { pending: string[] };

export function esignRequestEmail(message: StaffMessage, { pending }: EsignFacts): Email {
  return staffEmail('E-sign documents to send again', message, [
    factsOf([
      ['Waiting for a signature', pending.join(', ') || 'none'],
      ['Send to', message.tenant.email],
    ]),
  ]);
}
