import type { AutopayAttempt } from '@gatehouse/contract/autopay';
import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, expect, it } from 'vitest';
import { attemptSentence } from './attempts.ts';

afterEach(() => setLanguageSource(() => 'en'));

const attempt = (
  outcome: AutopayAttempt['outcome'],
  rest: Partial<AutopayAttempt> = {},
): AutopayAttempt => ({
  date: '2026-11-14',
  amount: 182,
  outcome,
  message: null,
  retryOn: null,
  ...rest,
});

it('says why a charge was declined and on which day it is tried again', () => {
  const declined = attempt('declined', {
    message: 'Your card was declined.',
    retryOn: '2026-11-17',
  });
  expect(attemptSentence(declined, true)).toBe(
    'Your card was declined. We try again on 11/17/2026.',
  );
  expect(attemptSentence(attempt('declined', { retryOn: '2026-11-17' }), true)).toBe(
    'We try again on 11/17/2026.',
  );
});

it('names no day to come for an attempt that was tried again already', () => {
  const earlier = attempt('declined', {
    message: 'Your card was declined.',
    retryOn: '2026-11-17',
  });
  expect(attemptSentence(earlier, false)).toBe('Your card was declined.');
  expect(attemptSentence(attempt('declined', { retryOn: '2026-11-17' }), false)).toBeNull();
});

it('adds nothing to a charge that was paid, and its own words where the outcome leaves a question', () => {
  expect(attemptSentence(attempt('succeeded'), true)).toBeNull();
  expect(attemptSentence(attempt('pending'), true)).toBe('Your bank still has to confirm it.');
  expect(
    attemptSentence(attempt('returned', { message: 'The account is closed (R02).' }), true),
  ).toBe('The account is closed (R02).');
});

it('names the day of the next attempt in Spanish', () => {
  setLanguageSource(() => 'es');
  expect(attemptSentence(attempt('declined', { retryOn: '2026-11-17' }), true)).toBe(
    'Lo intentaremos de nuevo el 17\u00a0nov\u00a02026.',
  );
});
