import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';

/**
 * Integer cents of a dollar amount with at most two decimals (tables and rules hold cents, the wire
 * holds dollars).
 */
export function toCents(dollars: number): number {
  return Math.round(dollars * 100);
}

/** Dollars, as they travel, of integer cents. */
export function toDollars(cents: number): number {
  return cents / 100;
}

/** The sum of dollar amounts, in dollars, added in cents. */
export function sumDollars(amounts: number[]): number {
  return toDollars(amounts.reduce((cents, amount) => cents + toCents(amount), 0));
}

/**
 * Dollars as a tenant reads them: dollar sign, comma thousands, two decimals. Not by `Intl`: a
 * phone takes 50 ms for its first format, and the first paint of the rentals would wait for it.
 */
export function formatMoney(dollars: number): string {
  const [whole = '', cents] = Math.abs(dollars).toFixed(2).split('.');
  return `${dollars < 0 ? '-' : ''}$${whole.replace(/\B(?=(\d{3}){1,6}$)/g, ',')}.${cents}`;
}

/** Dollars in a reply: a JSON number, possibly 0 or negative (a credit). */
export const dollars = z.number();

/**
 * The largest sum one payment line may name, in dollars; far above any balance, it keeps cents
 * exact.
 */
const MOST_DOLLARS = 1_000_000;

/**
 * Dollars in a payment: above 0, at most two decimals. Never coerced: `"12"` and `true` are
 * refused.
 */
export const paymentAmount = z.number({ error: () => t('Amount must be a number.') }).check(
  z.gt(0, { error: () => t('Amount must be above $0.00.') }),
  z.lte(MOST_DOLLARS, { error: () => t('Amount is too large.') }),
  z.refine((value) => Number(value.toFixed(2)) === value, {
    error: () => t('Amount must have at most two decimals.'),
  }),
);
