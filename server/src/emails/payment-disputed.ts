import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { howToCall, questions } from './call-facility.ts';
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
  const { firstName, facilityName } = payment;
  const amount = formatMoney(toDollars(payment.cents));
  return {
    subject: t('Your payment of {amount} is disputed', { amount }),
    blocks: [
      { kind: 'paragraph', text: t('Hello {firstName},', { firstName }) },
      {
        kind: 'paragraph',
        text: t(
          'The issuer of your card has told us that {amount} of your payment at {facilityName} is disputed, and has taken the money back. What it had paid is owed again.',
          { amount, facilityName },
        ),
      },
      {
        kind: 'facts',
        facts: factsOf(payment, (unit) => t('Taken back from unit {unit}', { unit })),
      },
      {
        kind: 'paragraph',
        text: t('If you did not dispute it, {call}.', { call: howToCall(payment.facilityPhone) }),
      },
    ],
  };
}

/**
 * Notifies the tenant that a dispute was decided in the facility's favor, so that the payment
 * counts again.
 */
export function disputeWonEmail(payment: DisputedPayment): Email {
  const { firstName, facilityName, facilityPhone } = payment;
  const amount = formatMoney(toDollars(payment.cents));
  const credited = formatMoney(toDollars(payment.units.reduce((sum, { cents }) => sum + cents, 0)));
  return {
    subject: t('The dispute about your payment of {amount} is over', { amount }),
    blocks: [
      { kind: 'paragraph', text: t('Hello {firstName},', { firstName }) },
      {
        kind: 'paragraph',
        text: t(
          'The dispute about {amount} of your payment at {facilityName} was decided: the payment stands. {credited} is credited to your account again.',
          { amount, facilityName, credited },
        ),
      },
      { kind: 'facts', facts: factsOf(payment, (unit) => t('Credited to unit {unit}', { unit })) },
      { kind: 'paragraph', text: questions(facilityPhone) },
    ],
  };
}

function factsOf(
  { method, paidOn, units }: DisputedPayment,
  label: (unit: string) => string,
): [string, string][] {
  return [
    [t('Paid on'), formatDate(paidOn)],
    [t('Paid with'), entryName(method)],
    ...units.map(({ unitName, cents }): [string, string] => [
      label(unitName),
      formatMoney(toDollars(cents)),
    ]),
  ];
}
