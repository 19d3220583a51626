import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import type { Email } from './email.ts';

/** A payment that was refunded, wholly or in part; cents. */
export type RefundedPayment = {
  firstName: string;
  facilityName: string;
  facilityPhone: string | null;
  /** The refund's own number. */
  number: string;
  method: string;
  paidOn: string;
  cents: number;
  /** How it is given back, as in `to your Visa ending in 4242`. */
  way: string;
  /** What is taken back, by unit. */
  units: { unitName: string; cents: number }[];
  /** Whether something is owed then; a refund of a credit leaves nothing owed. */
  isOwedAgain: boolean;
};

/** Notifies the tenant of a refund and of what is owed again for it. */
export function refundedEmail(refund: RefundedPayment): Email {
  const {
    firstName,
    facilityName,
    facilityPhone,
    number,
    method,
    paidOn,
    cents,
    way,
    units,
    isOwedAgain,
  } = refund;
  const amount = formatMoney(toDollars(cents));
  const call = facilityPhone === null ? '' : ` at ${formatPhone(facilityPhone)}`;
  return {
    subject: `Refund of ${amount}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `${facilityName} has refunded ${amount} ${way}.${isOwedAgain ? ' What it had paid is owed again.' : ''}`,
      },
      {
        kind: 'facts',
        facts: [
          ['Refund', number],
          ['Amount', amount],
          ['Paid on', formatDate(paidOn)],
          ['Paid with', method],
          ...units.map((unit): [string, string] => [
            `Taken back from unit ${unit.unitName}`,
            formatMoney(toDollars(unit.cents)),
          ]),
        ],
      },
      { kind: 'paragraph', text: `Questions? Please call your facility${call}.` },
    ],
  };
}
