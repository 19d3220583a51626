import type { AutopayAttempt } from '@gatehouse/contract/autopay';
import { formatDate } from '@gatehouse/contract/dates';

/** What became of an attempt, in the words and the tone of a chip. */
export const outcomes = {
  succeeded: { words: 'Paid', tone: 'good' },
  pending: { words: 'Pending at the bank', tone: 'neutral' },
  declined: { words: 'Declined', tone: 'bad' },
  returned: { words: 'Returned by the bank', tone: 'bad' },
  unconfirmed: { words: 'Being confirmed', tone: 'warn' },
} as const satisfies Record<AutopayAttempt['outcome'], { words: string; tone: string }>;

/**
 * What an attempt's message says and what happens next, or null where the outcome says it all. Only
 * the newest attempt can name a day to come: those before it were tried again already.
 */
export function attemptSentence(
  { outcome, message, retryOn }: AutopayAttempt,
  isNewest: boolean,
): string | null {
  const parts = [
    message ?? ownWords[outcome],
    isNewest && retryOn ? `We try again on ${formatDate(retryOn)}.` : null,
  ];
  return parts.filter((part) => part !== null).join(' ') || null;
}

/** What is said where the server has nothing to add. */
const ownWords: Record<AutopayAttempt['outcome'], string | null> = {
  succeeded: null,
  pending: 'Your bank still has to confirm it.',
  declined: null,
  returned: 'What it had paid is due again.',
  unconfirmed: 'We do not know yet whether it was taken, and ask until we do.',
};
