import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { howToCall } from './call-facility.ts';
import type { Email } from './email.ts';
import { namesOfUnits } from './units.ts';

/**
 * A card that autopay charges and that ends soon; `nextCharge` in cents, null where none is known.
 */
export type ExpiringCard = {
  firstName: string;
  unitNames: string[];
  facilityName: string;
  facilityPhone: string | null;
  /** `Visa ending in 4242`. */
  method: string;
  lastDay: string;
  nextCharge: { date: string; cents: number } | null;
};

/** Warns of a card that autopay will soon not be able to charge. */
export function cardExpiresEmail(card: ExpiringCard): Email {
  const { firstName, facilityName, nextCharge } = card;
  const lastDay = formatDate(card.lastDay);
  return {
    subject: t('The card of your autopay expires on {lastDay}', { lastDay }),
    blocks: [
      { kind: 'paragraph', text: t('Hello {firstName},', { firstName }) },
      {
        kind: 'paragraph',
        text: t(
          '{method} pays for {units} at {facilityName} by autopay, and its last day is {lastDay}.',
          {
            method: entryName(card.method),
            units: namesOfUnits(card.unitNames),
            facilityName,
            lastDay,
          },
        ),
      },
      ...(nextCharge === null
        ? []
        : [
            {
              kind: 'paragraph' as const,
              text: t('The next charge is {sum} on {day}.', {
                sum: formatMoney(toDollars(nextCharge.cents)),
                day: formatDate(nextCharge.date),
              }),
            },
          ]),
      {
        kind: 'paragraph',
        text: t(
          'Please set up autopay with your new card under Billing Info; one change does for all units. If you have a question, {call}.',
          { call: howToCall(card.facilityPhone) },
        ),
      },
    ],
  };
}
