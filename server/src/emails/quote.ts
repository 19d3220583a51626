import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import type { quoteMoveIn } from '@gatehouse/contract/moves';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { t } from '@gatehouse/language/t';
import { callAction, howToAsk, type FacilityContact } from './call-facility.ts';
import { facts, hello, paragraph, type Email, type Fact } from './email.ts';

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
  quote: VerbReply<typeof quoteMoveIn>;
}): Email {
  return {
    subject: t('Quote for unit {unitName} from {day}: {sum}', {
      unitName,
      day: formatDate(movedInOn),
      sum: formatMoney(total),
    }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          'This is what a rental of unit {unitName} at {facilityName} from {day} costs: {rate} a month, and this first bill.',
          {
            unitName,
            facilityName: facility.name,
            day: formatDate(movedInOn),
            rate: formatMoney(rate),
          },
        ),
      ),
      facts([
        ...charges.map((charge): Fact => [
          t('{entry}, due {day}', {
            entry: entryName(charge.description),
            day: formatDate(charge.dueOn),
          }),
          sumOf(charge),
        ]),
        [t('First bill in all'), formatMoney(total)],
      ]),
      paragraph(
        t('The unit is not reserved, and the prices are those of today. To rent it, {ask}.', {
          ask: howToAsk(facility),
        }),
      ),
      callAction(facility.phone),
    ],
  };
}

type Charge = VerbReply<typeof quoteMoveIn>['charges'][number];

/** `$46.67`, or with what it is made of. */
function sumOf({ price, discount, tax1, tax2, amount }: Charge): string {
  const parts = [
    ...(discount > 0 ? [t('less {sum} discount', { sum: formatMoney(discount) })] : []),
    ...(tax1 + tax2 > 0
      ? [t('with {sum} tax', { sum: formatMoney(sumDollars([tax1, tax2])) })]
      : []),
  ];
  return parts.length === 0
    ? formatMoney(amount)
    : `${formatMoney(amount)} (${[formatMoney(price), ...parts].join(', ')})`;
}
