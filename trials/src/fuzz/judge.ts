import type { WireAnswer } from './wire.ts';

/** An answer that comes later than this is a fault (R28). */
export const SLOWEST_MS = 5000;

/** What is wrong with an answer, each in a word or two; nothing for a good one. */
export function faultsOf(
  answer: WireAnswer,
  asked: { isWhole: boolean; isHead: boolean },
): string[] {
  const { status, body, ms } = answer;
  const faults = ms > SLOWEST_MS ? ['slow'] : [];
  if (status === 0) return asked.isWhole ? [...faults, 'unanswered'] : faults;
  if (status >= 500) faults.push('5xx');
  if (status >= 400 && !asked.isHead && !isSentence(messageOf(answer))) faults.push('no sentence');
  if (status >= 400 && /\n\s+at |node_modules|\.[mc]?[tj]s:\d/.test(body)) faults.push('stack');
  return faults;
}

/** The message of an error that is JSON with only that; the empty text for anything else. */
function messageOf({ contentType, body }: WireAnswer): string {
  if (!contentType.startsWith('application/json')) return '';
  try {
    const { message, ...others } = JSON.parse(body) as { message?: unknown }; // or anything: the next line looks
    return typeof message === 'string' && Object.keys(others).length === 0 ? message : '';
  } catch {
    return '';
  }
}

/** It begins with a capital letter or a sum of money. */
function isSentence(message: string): boolean {
  return message.length <= 200 && /^(?:\p{Lu}|\$\d)[^\n]*[.?]$/u.test(message);
}
