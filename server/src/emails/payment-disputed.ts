import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { t } from '@gatehouse/language/t';
import { howToCall, questions } from './call-facility.ts';
import { facts, hello, money, paragraph, type Email, type Fact } from './email.ts';
import { owedBlocks, seePayments, type Owed } from './owed.ts';

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
export function paymentDisputedEmail(payment: DisputedPayment & { owed: Owed[] }): Email {
  const { firstName, facilityName } = payment;
  const amount = money(payment.cents);
  return {
    subject: t('Your payment of {amount} is disputed', { amount }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          'The issuer of your card has told us that {amount} of your payment at {facilityName} is disputed, and has taken the money back. What it had paid is owed again.',
          { amount, facilityName },
        ),
      ),
      facts(factsOf(payment, (unit) => t('Taken back from unit {unit}', { unit }))),
      ...owedBlocks(payment.owed, seePayments()),
      paragraph(
        t('If you did not dispute it, {call}.', { call: howToCall(payment.facilityPhone) }),
      ),
    ],
  };
}

/**
 * Notifies the tenant that a dispute was decided in the facility's favor, so that the payment
 * counts again, and of the late fees that are taken back with it, `feeCents`.
 */
export function disputeWonEmail(payment: DisputedPayment & { feeCents: number }): Email {
  const { firstName, facilityName, facilityPhone, feeCents } = payment;
  const amount = money(payment.cents);
  const credited = money(payment.units.reduce((sum, { cents }) => sum + cents, 0));
  return {
    subject: t('The dispute about your payment of {amount} is over', { amount }),
    blocks: [
      hello(firstName),
      paragraph(
        payment.units.length > 0
          ? t(
              'The dispute about {amount} of your payment at {facilityName} was decided: the payment stands. {credited} is credited to your account again.',
              { amount, facilityName, credited },
            )
          : t(
              'The dispute about {amount} of your payment at {facilityName} was decided: the payment stands.',
              { amount, facilityName },
            ),
      ),
      facts([
        ...factsOf(payment, (unit) => t('Credited to unit {unit}', { unit })),
        ...(feeCents > 0 ? [[t('Late fee taken back'), money(feeCents)] satisfies Fact] : []),
      ]),
      seePayments(),
      paragraph(questions(facilityPhone)),
    ],
  };
}

function factsOf(
  { method, paidOn, units }: DisputedPayment,
  label: (unit: string) => string,
): Fact[] {
  return [
    [t('Paid on'), formatDate(paidOn)],
    [t('Paid with'), entryName(method)],
    ...units.map(({ unitName, cents }): Fact => [label(unitName), money(cents)]),
  ];
}
