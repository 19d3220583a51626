import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import type { Email } from './email.ts';

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
  const { unitNames, method, lastDay, nextCharge, facilityPhone } = card;
  const units = `unit${unitNames.length === 1 ? '' : 's'} ${unitNames.join(', ')}`;
  const call = facilityPhone === null ? '' : ` at ${formatPhone(facilityPhone)}`;
  return {
    subject: `The card of your autopay expires on ${formatDate(lastDay)}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${card.firstName},` },
      {
        kind: 'paragraph',
        text: `${method} pays for ${units} at ${card.facilityName} by autopay, and its last day is ${formatDate(lastDay)}.`,
      },
      ...(nextCharge === null
        ? []
        : [
            {
              kind: 'paragraph' as const,
              text: `The next charge is ${formatMoney(toDollars(nextCharge.cents))} on ${formatDate(nextCharge.date)}.`,
            },
          ]),
      {
        kind: 'paragraph',
        text: `Please set up autopay with your new card under Billing Info; one change does for all units. If you have a question, please call your facility${call}.`,
      },
    ],
  };
}
