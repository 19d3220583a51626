import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import type { Email } from './email.ts';

/**
 * A rate change as its notice says it: sums in cents, `bill` the first one at the new rate, line by
 * line.
 */
export type RateChange = {
  firstName: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
  fromCents: number;
  toCents: number;
  on: string;
  bill: { dueOn: string; lines: [label: string, cents: number][]; totalCents: number };
  /** What autopay charges, as in "Visa ending in 4242"; null without autopay. */
  autopayMethod: string | null;
};

/**
 * The notice of a rate change (domain.md section 5): old and new rate, the date, and the next bill
 * in full.
 */
export function rateChangeEmail(change: RateChange): Email {
  const { unitName, facilityName, facilityPhone, bill, autopayMethod } = change;
  const money = (cents: number) => formatMoney(toDollars(cents));
  const call = facilityPhone === null ? '' : ` at ${formatPhone(facilityPhone)}`;
  return {
    subject: `The rent of unit ${unitName} changes on ${formatDate(change.on)}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${change.firstName},` },
      {
        kind: 'paragraph',
        text: `The rent of unit ${unitName} at ${facilityName} changes with the first bill that is due on ${formatDate(change.on)} or later.`,
      },
      {
        kind: 'facts',
        facts: [
          ['Rent now', money(change.fromCents)],
          ['New rent', money(change.toCents)],
          ['From', formatDate(change.on)],
        ],
      },
      {
        kind: 'paragraph',
        text: `Your first bill at the new rent, due on ${formatDate(bill.dueOn)}:`,
      },
      {
        kind: 'facts',
        facts: [
          ...bill.lines.map(([label, cents]): [string, string] => [label, money(cents)]),
          ['In all', money(bill.totalCents)],
        ],
      },
      ...(autopayMethod === null
        ? []
        : [
            {
              kind: 'paragraph' as const,
              text: `Autopay is on: ${autopayMethod} will be charged what is due on ${formatDate(bill.dueOn)}, ${money(bill.totalCents)} if nothing else changes. You can switch autopay off under Billing Info until that day.`,
            },
          ]),
      { kind: 'paragraph', text: `If you have a question, please call your facility${call}.` },
    ],
  };
}
