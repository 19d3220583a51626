import type { Email, Fact } from '#emails/email.ts';
import { factsOf, NOTHING_CHANGED, staffEmail, type StaffMessage } from './staff-message.ts';

/** A field of the contact that the tenant wants changed; an empty text is no entry. */
export type ContactChange = { label: string; from: string; to: string };

export function contactUpdateRequestEmail(
  message: StaffMessage,
  { changes }: { changes: ContactChange[] },
): Email {
  const rows = changes.map(({ label, from, to }): Fact => [
    label,
    `${from || 'none'} → ${to || 'none'}`,
  ]);
  return staffEmail('Contact information update', message, [
    factsOf(rows.length === 0 ? [['Changes', 'none: all of it is as the record has it']] : rows),
    NOTHING_CHANGED,
  ]);
}
