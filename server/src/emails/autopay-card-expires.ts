import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { t } from '@gatehouse/language/t';
import { howToCall } from './call-facility.ts';
import { action, hello, money, paragraph, type Email } from './email.ts';
import { namesOfUnits } from './units.ts';

/**
 * A card that autopay charges and that ends soon; `nextCharge` in cents, null where none is known.
 */
export type ExpiringCard = {
  firstName: string;
  /** One of the rentals. */
  ledgerId: string;
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
      hello(firstName),
      paragraph(
        t(
          '{method} pays for {units} at {facilityName} by autopay, and its last day is {lastDay}.',
          {
            method: entryName(card.method),
            units: namesOfUnits(card.unitNames),
            facilityName,
            lastDay,
          },
        ),
      ),
      ...(nextCharge === null
        ? []
        : [
            paragraph(
              t('The next charge is {sum} on {day}.', {
                sum: money(nextCharge.cents),
                day: formatDate(nextCharge.date),
              }),
            ),
          ]),
      paragraph(
        t(
          'Please set up autopay with your new card; one change does for all units. If you have a question, {call}.',
          { call: howToCall(card.facilityPhone) },
        ),
      ),
      action(t('Update autopay'), `/billing-info?autopay=${card.ledgerId}`),
    ],
  };
}
