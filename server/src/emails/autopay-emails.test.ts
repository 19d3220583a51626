import { expect, test } from 'vitest';
import { cardExpiresEmail } from './autopay-card-expires.ts';
import { autopayDeclinedEmail } from './autopay-declined.ts';
import { autopayOffEmail } from './autopay-off.ts';
import type { Email } from './email.ts';
import { blockText } from './render.ts';

const addressee = {
  firstName: 'Dana',
  facilityName: 'Anchor & Axle Eagle Mountain',
  facilityPhone: '8175550103',
};
const decline = {
  ...addressee,
  unitName: 'A101',
  on: '2026-11-14',
  cents: 21_450,
  method: 'Visa ending in 4242',
  message: 'Your card has insufficient funds.',
  owed: [],
};
const words = ({ subject, blocks }: Email) =>
  [
    subject,
    ...blocks.map((block) =>
      block.kind === 'facts' ? block.facts.flat().join(' ') : blockText(block),
    ),
  ].join('\n');

test.each([
  ['2026-11-17', 'We try again on 11/17/2026. You can pay before'],
  [null, 'We do not try this charge again. Please pay in the portal'],
])('the mail of a declined attempt says what, why and what comes next (%s)', (retryOn, next) => {
  const text = words(autopayDeclinedEmail({ ...decline, retryOn }));
  expect(text).toContain('Autopay of $214.50 for unit A101 was declined');
  expect(text).toContain('at Anchor & Axle Eagle Mountain. Your card has insufficient funds.');
  expect(text).toContain('Date 11/14/2026 Amount $214.50 Payment method Visa ending in 4242');
  expect(text).toContain(next);
  expect(text).toContain('call your facility at (817) 555-0103');
});

test('the mail of autopay that was switched off, or stopped by a return, says which', () => {
  const off = { ...addressee, unitNames: ['A101', 'B207'] };
  expect(words(autopayOffEmail({ ...off, reason: 'switchedOff' }))).toContain(
    'was switched off for units A101, B207',
  );
  const stopped = words(
    autopayOffEmail({ ...off, reason: 'returned', because: 'the account is closed' }),
  );
  expect(stopped).toContain(
    'The bank returned a payment: the account is closed. Autopay is off for units A101, B207',
  );
  expect(stopped).toContain('set up autopay again with another card or account');
});

test('the warning of a card leaves the next charge out where none is known', () => {
  const card = {
    ...addressee,
    unitNames: ['A101'],
    method: 'Visa ending in 4242',
    lastDay: '2026-12-31',
  };
  expect(words(cardExpiresEmail({ ledgerId: 'l1', ...card, nextCharge: null }))).not.toContain(
    'next charge',
  );
  expect(
    words(
      cardExpiresEmail({
        ledgerId: 'l1',
        ...card,
        nextCharge: { date: '2026-12-14', cents: 19_300 },
      }),
    ),
  ).toContain('The next charge is $193.00 on 12/14/2026.');
});
