import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

/**
 * A rate change that does not come: `toCents` from `on` was the notice, `rateCents` stays the rent;
 * in cents.
 */
export type CancelledRate = FacilityContact & {
  firstName: string;
  unitName: string;
  rateCents: number;
  toCents: number;
  on: string;
};

/** Notifies a tenant that a rate change is cancelled for which a notice was mailed. */
export function rateCancelledEmail(change: CancelledRate): Email {
  const { firstName, unitName, rateCents, toCents, on, name } = change;
  const money = (cents: number) => formatMoney(toDollars(cents));
  return {
    subject: `The rent of unit ${unitName} does not change on ${formatDate(on)}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `The change of the rent of unit ${unitName} at ${name} to ${money(toCents)} from ${formatDate(on)} is cancelled. Your rent stays ${money(rateCents)}.`,
      },
      { kind: 'paragraph', text: `If you have questions, ${howToAsk(change)}.` },
    ],
  };
}
