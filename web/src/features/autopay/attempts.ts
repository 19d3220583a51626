import type { AutopayAttempt } from '@gatehouse/contract/autopay';
import { formatDate } from '@gatehouse/contract/dates';
import { t } from '@gatehouse/language/t';

/** What became of an attempt, in the words and the tone of a chip. */
export const outcomes = {
  succeeded: { words: t('Paid'), tone: 'good' },
  pending: { words: t('Pending at the bank'), tone: 'neutral' },
  declined: { words: t('Declined'), tone: 'bad' },
  returned: { words: t('Returned by the bank'), tone: 'bad' },
  unconfirmed: { words: t('Being confirmed'), tone: 'warn' },
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
    isNewest && retryOn ? t('We try again on {day}.', { day: formatDate(retryOn) }) : null,
  ];
  return parts.filter((part) => part !== null).join(' ') || null;
}

/** What is said where the server has nothing to add. */
const ownWords: Record<AutopayAttempt['outcome'], string | null> = {
  succeeded: null,
  pending: t('Your bank still has to confirm it.'),
  declined: null,
  returned: t('What it had paid is due again.'),
  unconfirmed: t('We do not know yet whether it was taken, and ask until we do.'),
};
