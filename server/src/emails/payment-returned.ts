import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import type { Email } from './email.ts';

/**
 * A payment by bank or check that was returned; cents. `feeCents` is the fee charged for it, 0 for
 * none.
 */
export type ReturnedPayment = {
  firstName: string;
  facilityName: string;
  facilityPhone: string | null;
  unitNames: string[];
  method: string;
  paidOn: string;
  cents: number;
  feeCents: number;
  /** The fee's charge as the ledger has it. */
  feeName: string;
  /** Why, as a clause. */
  reason: string;
};

/**
 * Notifies the tenant that a payment was returned by the bank, what is owed again for it, and what
 * to do.
 */
export function paymentReturnedEmail(payment: ReturnedPayment): Email {
  const {
    firstName,
    facilityName,
    facilityPhone,
    unitNames,
    method,
    paidOn,
    cents,
    feeCents,
    feeName,
    reason,
  } = payment;
  const amount = formatMoney(toDollars(cents));
  const units = `${unitNames.length === 1 ? 'unit' : 'units'} ${unitNames.join(', ')}`;
  const facts: [string, string][] = [
    ['Amount', amount],
    ['Paid on', formatDate(paidOn)],
    ['Paid with', method],
  ];
  if (feeCents > 0) facts.push([feeName, formatMoney(toDollars(feeCents))]);
  const call =
    facilityPhone === null
      ? ''
      : ` Questions? Call your facility at ${formatPhone(facilityPhone)}.`;
  return {
    subject: `Your bank returned your payment of ${amount}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `Your bank returned your payment for ${units} at ${facilityName}: ${reason}. What it had paid is owed again.`,
      },
      { kind: 'facts', facts },
      { kind: 'paragraph', text: `Please pay in the portal with another card or account.${call}` },
    ],
  };
}
