import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatPhone } from '@gatehouse/contract/phone';
import { t } from '@gatehouse/language/t';
import { facts, hello, money, paragraph, type Email, type Fact } from './email.ts';
import { owedBlocks, seePayments, type Owed } from './owed.ts';
import { namesOfUnits } from './units.ts';

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
  /** What the rentals owe then. */
  owed: Owed[];
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
    owed,
  } = payment;
  const amount = money(cents);
  const units = namesOfUnits(unitNames);
  const rows: Fact[] = [
    [t('Amount'), amount],
    [t('Paid on'), formatDate(paidOn)],
    [t('Paid with'), entryName(method)],
  ];
  if (feeCents > 0) rows.push([entryName(feeName), money(feeCents)]);
  const pay = t('Please pay in the portal with another card or account.');
  const call =
    facilityPhone === null
      ? ''
      : ` ${t('Questions? Call your facility at {phone}.', { phone: formatPhone(facilityPhone) })}`;
  return {
    subject: t('Your bank returned your payment of {amount}', { amount }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          'Your bank returned your payment for {units} at {facilityName}: {reason}. What it had paid is owed again.',
          { units, facilityName, reason: entryName(reason) },
        ),
      ),
      facts(rows),
      paragraph(`${pay}${call}`),
      ...owedBlocks(owed, seePayments()),
    ],
  };
}
