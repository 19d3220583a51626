import type { Email } from '#emails/email.ts';
import { factsOf, staffEmail, type StaffMessage } from './staff-message.ts';

/**
 * The e-sign documents are asked for again; `pending` names those that wait for the tenant's
 * signature, or is null where the signing service did not say.
 */
export type EsignFacts = { pending: string[] | null };

export function esignRequestEmail(message: StaffMessage, { pending }: EsignFacts): Email {
  return staffEmail('E-sign documents to send again', message, [
    factsOf([
      [
        'Waiting for a signature',
        pending === null
          ? 'not known: the signing service does not answer'
          : pending.join(', ') || 'none',
      ],
      ['Send to', message.tenant.email],
    ]),
  ]);
}
