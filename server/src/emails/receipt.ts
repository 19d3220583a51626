import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import type { Email } from './email.ts';

type ReceiptFacts = {
  firstName: string;
  facilityName: string;
  unitName: string;
  number: string;
  postedOn: string;
  cents: number;
  method: string;
  isPending: boolean;
  isAutopay: boolean;
};

/** Notifies the tenant of a posted payment; the receipt is attached as a PDF. */
export function receiptEmail(facts: ReceiptFacts): Email {
  const { firstName, facilityName, unitName, isPending, isAutopay } = facts;
  const begun = isAutopay ? 'Your autopay payment' : 'Your payment';
  return {
    subject: `Receipt ${facts.number} for unit ${unitName}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      { kind: 'paragraph', text: `${begun} at ${facilityName} was received. Your receipt is attached.` },
      {
        kind: 'facts',
        facts: [
          ['Receipt number', facts.number],
          ['Date', formatDate(facts.postedOn)],
          ['Unit', unitName],
          ['Amount', formatMoney(toDollars(facts.cents))],
          ['Paid with', facts.method],
        ],
      },
      ...(isPending
        ? [
            {
              kind: 'paragraph' as const,
              text: 'This bank payment is pending. It counts as paid now; your bank may still return it.',
            },
          ]
        : []),
    ],
  };
}
