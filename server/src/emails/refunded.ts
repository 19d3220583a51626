import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { t } from '@gatehouse/language/t';
import { questions } from './call-facility.ts';
import { facts, hello, money, paragraph, type Email, type Fact } from './email.ts';
import { owedBlocks, seePayments, type Owed } from './owed.ts';

/** A payment that was refunded, wholly or in part, or a credit that was paid out; cents. */
export type RefundedPayment = {
  firstName: string;
  facilityName: string;
  facilityPhone: string | null;
  /** The refund's own number. */
  number: string;
  /** The payment; null of a credit that is of none. */
  of: { method: string; paidOn: string } | null;
  cents: number;
  /** How it is given back, as in `to your Visa ending in 4242`. */
  way: () => string;
  /** What is taken back, by unit. */
  units: { unitName: string; cents: number }[];
  /**
   * By when what is owed again is to be paid; null where nothing is, as after the refund of a
   * credit.
   */
  owedOn: string | null;
  /** What the rentals owe then. */
  owed: Owed[];
};

/** Notifies the tenant of a refund and of what is owed again for it. */
export function refundedEmail(refund: RefundedPayment): Email {
  const { firstName, facilityName, facilityPhone, number, of, cents, way, units, owedOn, owed } =
    refund;
  const amount = money(cents);
  return {
    subject: t('Refund of {amount}', { amount }),
    blocks: [
      hello(firstName),
      paragraph(
        [
          t('{facilityName} has refunded {amount} {way}.', { facilityName, amount, way: way() }),
          ...(owedOn === null
            ? []
            : [
                t('What it had paid is owed again.'),
                t('Please pay it by {day}.', { day: formatDate(owedOn) }),
              ]),
        ].join(' '),
      ),
      facts([
        [t('Refund'), number],
        [t('Amount'), amount],
        ...(of === null
          ? []
          : [
              [t('Paid on'), formatDate(of.paidOn)] as Fact,
              [t('Paid with'), entryName(of.method)] as Fact,
            ]),
        ...units.map((unit): Fact => [
          t('Taken back from unit {unit}', { unit: unit.unitName }),
          money(unit.cents),
        ]),
      ]),
      ...owedBlocks(owed, seePayments()),
      paragraph(questions(facilityPhone)),
    ],
  };
}
