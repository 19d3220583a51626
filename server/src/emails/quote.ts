import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import type { moveIn } from '@gatehouse/contract/rentals';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

/** What a move-in would charge, line by line, as the move-in itself computed it. */
export function quoteEmail({
  firstName,
  facility,
  unitName,
  quote: { movedInOn, rate, charges, total },
}: {
  firstName: string;
  facility: FacilityContact;
  unitName: string;
  quote: VerbReply<typeof moveIn>;
}): Email {
  return {
    subject: `Quote for unit ${unitName} from ${formatDate(movedInOn)}: ${formatMoney(total)}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `This is what a rental of unit ${unitName} at ${facility.name} from ${formatDate(movedInOn)} costs: ${formatMoney(rate)} a month, and this first bill.`,
      },
      {
        kind: 'facts',
        facts: [
          ...charges.map((charge): [string, string] => [
            `${charge.description}, due ${formatDate(charge.dueOn)}`,
            sumOf(charge),
          ]),
          ['First bill in all', formatMoney(total)],
        ],
      },
      {
        kind: 'paragraph',
        text: `The unit is not reserved, and the prices are those of today. To rent it, ${howToAsk(facility)}.`,
      },
    ],
  };
}

type Charge = VerbReply<typeof moveIn>['charges'][number];

/** `$46.67`, or with what it is made of. */
function sumOf({ price, discount, tax1, tax2, amount }: Charge): string {
  const parts = [
    ...(discount > 0 ? [`less ${formatMoney(discount)} discount`] : []),
    ...(tax1 + tax2 > 0 ? [`with ${formatMoney(sumDollars([tax1, tax2]))} tax`] : []),
  ];
  return parts.length === 0
    ? formatMoney(amount)
    : `${formatMoney(amount)} (${[formatMoney(price), ...parts].join(', ')})`;
}
