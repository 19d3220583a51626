import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import type { Email } from './email.ts';

/** A card payment that its cardholder disputes, or whose dispute the facility has won; cents. */
export type DisputedPayment = {
  firstName: string;
  facilityName: string;
  facilityPhone: string | null;
  method: string;
  paidOn: string;
  /** The dispute's amount. */
  cents: number;
  /** What was taken back from, or restored to, which unit. */
  units: { unitName: string; cents: number }[];
};

/**
 * Notifies the tenant that a dispute has taken a payment back, and of what is owed again for it.
 */
export function paymentDisputedEmail(payment: DisputedPayment): Email {
  const amount = formatMoney(toDollars(payment.cents));
  return {
    subject: `Your payment of ${amount} is disputed`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${payment.firstName},` },
      {
        kind: 'paragraph',
        text: `The issuer of your card has told us that ${amount} of your payment at ${payment.facilityName} is disputed, and has taken the money back. What it had paid is owed again.`,
      },
      { kind: 'facts', facts: factsOf(payment, 'Taken back from unit') },
      {
        kind: 'paragraph',
        text: callText(payment, 'If you did not dispute it, please call your facility'),
      },
    ],
  };
}

/**
 * Notifies the tenant that a dispute was decided in the facility's favor, so that the payment
 * counts again.
 */
export function disputeWonEmail(payment: DisputedPayment): Email {
  const amount = formatMoney(toDollars(payment.cents));
  const credited = formatMoney(toDollars(payment.units.reduce((sum, { cents }) => sum + cents, 0)));
  return {
    subject: `The dispute about your payment of ${amount} is over`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${payment.firstName},` },
      {
        kind: 'paragraph',
        text: `The dispute about ${amount} of your payment at ${payment.facilityName} was decided: the payment stands. ${credited} is credited to your account again.`,
      },
      { kind: 'facts', facts: factsOf(payment, 'Credited to unit') },
      { kind: 'paragraph', text: callText(payment, 'Questions? Please call your facility') },
    ],
  };
}

function factsOf({ method, paidOn, units }: DisputedPayment, label: string): [string, string][] {
  return [
    ['Paid on', formatDate(paidOn)],
    ['Paid with', method],
    ...units.map(({ unitName, cents }): [string, string] => [
      `${label} ${unitName}`,
      formatMoney(toDollars(cents)),
    ]),
  ];
}

function callText({ facilityPhone }: DisputedPayment, text: string): string {
  return facilityPhone === null ? `${text}.` : `${text} at ${formatPhone(facilityPhone)}.`;
}
