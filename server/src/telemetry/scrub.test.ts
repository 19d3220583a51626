import { describe, expect, test } from 'vitest';
import { holdsCardNumber } from './scrub.ts';

describe('a card number', () => {
  test.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    'Visa 4242 4242 4242 4242 04/28',
    '3782 822463 10005',
    'card=4222222222222',
    '6304000000000000000',
  ])('is seen in %s', (text) => {
    expect(holdsCardNumber(text)).toBe(true);
  });

  test.each([
    '4242424242424241',
    'Visa ending in 4242',
    '1Z12345E0205271688',
    '(817) 555-0142',
    '2026-11-14 - 2026-12-13',
    '42424242-4242-4242-8424-242424242424',
    'sandbox_42424242-4242-4242-8424-242424242424',
    '5B4MP67G123353230',
  ])('is not seen in %s', (text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });
});
