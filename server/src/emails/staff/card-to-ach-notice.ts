import type { Email } from '#emails/email.ts';
import { factsOf, staffEmail, type StaffMessage } from './staff-message.ts';

/**
 * Autopay changed from a card to a bank account; both as words that end in the last four digits.
 */
export type CardToAchFacts = { from: string; to: string };

export function cardToAchNoticeEmail(message: StaffMessage, { from, to }: CardToAchFacts): Email {
  return staffEmail('Autopay changed from card to ACH', message, [
    factsOf([
      ['Autopay before', from],
      ['Autopay now', to],
    ]),
  ]);
}
