import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { formatDate } from './dates.ts';
import { methodName } from './saved-methods.ts';

/**
 * The description of a ledger entry, a line of a bill or a payment method in the current language.
 * The books hold the server's own descriptions in English; what staff or an import wrote is
 * unchanged.
 */
export function entryName(description: string): string {
  if (language() === 'en') return description;
  if (Object.hasOwn(names, description)) return names[description]!();
  for (const [pattern, name] of patterns) {
    const found = pattern.exec(description);
    if (found !== null) return name(found[1]!, found[2] ?? '');
  }
  return description;
}

const names: Record<string, () => string> = {
  // Charges, and lines of a bill.
  Rent: () => t('Rent'),
  'Protection plan': () => t('Protection plan'),
  'Card fee': () => t('Card fee'),
  'Late fee': () => t('Late fee'),
  'Returned payment fee': () => t('Returned payment fee'),
  'Returned check fee': () => t('Returned check fee'),
  Deposit: () => t('Deposit'),
  Discount: () => t('Discount'),
  Taxes: () => t('Taxes'),
  // Payments and credits.
  Payment: () => t('Payment'),
  Cash: () => t('Cash'),
  Card: () => t('Card'),
  Credit: () => t('Credit'),
  Waiver: () => t('Waiver'),
  'Card dispute won': () => t('Card dispute won'),
  'Deposit given back': () => t('Deposit given back'),
  // What was taken back.
  'Bank debit not collected': () => t('Bank debit not collected'),
  Chargeback: () => t('Chargeback'),
  'Disputed with the card issuer': () => t('Disputed with the card issuer'),
  'Insufficient funds': () => t('Insufficient funds'),
  'Recorded by mistake': () => t('Recorded by mistake'),
  'Refunded in cash': () => t('Refunded in cash'),
  'Moved to the next tenant': () => t('Moved to the next tenant'),
  'Moved from the tenant before': () => t('Moved from the tenant before'),
  'Paid out in cash': () => t('Paid out in cash'),
  'by the facility': () => t('by the facility'),
  'by the operator at the payment gateway': () => t('by the operator at the payment gateway'),
  // Why a bank takes a debit back (server/src/features/money/payments/return-codes.ts).
  'insufficient funds': () => t('insufficient funds'),
  'there was not enough money in the account': () => t('there was not enough money in the account'),
  'the account is closed': () => t('the account is closed'),
  'there is no such account': () => t('there is no such account'),
  'the account number is not valid': () => t('the account number is not valid'),
  'the debit was not authorized for this kind of account': () =>
    t('the debit was not authorized for this kind of account'),
  'the authorization was revoked': () => t('the authorization was revoked'),
  'the payment was stopped': () => t('the payment was stopped'),
  'the money in the account was not available yet': () =>
    t('the money in the account was not available yet'),
  'the account holder did not authorize the debit': () =>
    t('the account holder did not authorize the debit'),
  'the debit did not match the authorization': () => t('the debit did not match the authorization'),
  'the account is frozen': () => t('the account is frozen'),
  'the account does not take debits': () => t('the account does not take debits'),
  'the business that holds the account did not authorize the debit': () =>
    t('the business that holds the account did not authorize the debit'),
  'the bank gave no reason that we know': () => t('the bank gave no reason that we know'),
};

/** Descriptions with a value; those that contain another description come first. */
const patterns: [pattern: RegExp, name: (value: string, second: string) => string][] = [
  [
    /^(.+) before it was taken back$/,
    (value) => t('{entry} before it was taken back', { entry: entryName(value) }),
  ],
  [
    /^(.+) before it was refunded$/,
    (value) => t('{entry} before it was refunded', { entry: entryName(value) }),
  ],
  [/^Waived: (.+)$/, (value) => t('Waived: {entry}', { entry: entryName(value) })],
  [/^Written off: (.+)$/, (value) => t('Written off: {entry}', { entry: entryName(value) })],
  [
    /^Not rented any more: (.+)$/,
    (value) => t('Not rented any more: {entry}', { entry: entryName(value) }),
  ],
  [
    /^Returned by the bank: (.+)$/,
    (value) => t('Returned by the bank: {reason}', { reason: entryName(value) }),
  ],
  [/^Refunded: (.+)$/, (value) => t('Refunded: {reason}', { reason: entryName(value) })],
  [/^Refunded by check (.+)$/, (number) => t('Refunded by check {number}', { number })],
  [/^Paid out by check (.+)$/, (number) => t('Paid out by check {number}', { number })],
  [/^Moved from unit (.+)$/, (unit) => t('Moved from unit {unit}', { unit })],
  [/^Moved to unit (.+)$/, (unit) => t('Moved to unit {unit}', { unit })],
  [/^Rent ([\d/]+ - [\d/]+)$/, (days) => t('Rent {period}', { period: period(days) })],
  [
    /^Protection plan ([\d/]+ - [\d/]+)$/,
    (days) => t('Protection plan {period}', { period: period(days) }),
  ],
  [
    /^Unused days ([\d/]+ - [\d/]+)$/,
    (days) => t('Unused days {period}', { period: period(days) }),
  ],
  [
    /^Unused days ([\d/]+ - [\d/]+): (.+)$/,
    (days, value) =>
      t('Unused days {period}: {entry}', { period: period(days), entry: entryName(value) }),
  ],
  [/^Check (.+)$/, (number) => t('Check {number}', { number })],
  [/^Money order (.+)$/, (number) => t('Money order {number}', { number })],
  [/^(.+) ending in (\w+)$/, (brand, lastFour) => methodName(entryName(brand), lastFour)],
];

/** `11/5/2026 - 12/4/2026`, as the books have it, in the current language. */
function period(days: string): string {
  return days.replace(/(\d{1,2})\/(\d{1,2})\/(\d{4})/g, (_, month, day, year) =>
    formatDate(`${year}-${month}-${day}`),
  );
}
