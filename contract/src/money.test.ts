import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, paymentAmount, sumDollars, toCents, toDollars } from './money.ts';

describe('money', () => {
  // spec 9.13
  test.each([
    [0, '$0.00'],
    [214.5, '$214.50'],
    [12345.67, '$12,345.67'],
    [1234567.8, '$1,234,567.80'],
    [-12, '-$12.00'],
  ])('%d shows with a dollar sign, two decimals and comma thousands: %s', (dollars, text) => {
    expect(formatMoney(dollars)).toBe(text);
  });

  test('every amount of whole cents shows as the platform’s own format has it', () => {
    const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (cents) => {
        expect(formatMoney(toDollars(cents))).toBe(usd.format(toDollars(cents)));
      }),
    );
  });

  test('dollars travel and come back as the same cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        expect(toCents(JSON.parse(JSON.stringify(toDollars(cents))) as number)).toBe(cents);
      }),
    );
  });

  test('a sum of dollars is the sum of their cents, with credits too', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 })), (parts) => {
        const cents = parts.reduce((sum, part) => sum + part, 0);
        expect(sumDollars(parts.map(toDollars))).toBe(toDollars(cents));
      }),
    );
  });

  test('every amount of whole cents up to a million dollars is a payment amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (cents) => {
        expect(paymentAmount.safeParse(toDollars(cents)).success).toBe(true);
      }),
    );
  });

  // asvs 1.4.2
  test.each([
    0,
    -0.01,
    0.001,
    10.005,
    1_000_000.01,
    1e21,
    Number.NaN,
    Infinity,
    '12',
    true,
    null,
    [12],
  ])('%o is no payment amount', (amount) => {
    expect(paymentAmount.safeParse(amount).success).toBe(false);
  });
});
