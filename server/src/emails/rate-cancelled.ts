import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
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
  const day = formatDate(on);
  const money = (cents: number) => formatMoney(toDollars(cents));
  return {
    subject: t('The rent of unit {unitName} does not change on {day}', { unitName, day }),
    blocks: [
      { kind: 'paragraph', text: t('Hello {firstName},', { firstName }) },
      {
        kind: 'paragraph',
        text: t(
          'The change of the rent of unit {unitName} at {name} to {sum} from {day} is cancelled. Your rent stays {rate}.',
          { unitName, name, sum: money(toCents), day, rate: money(rateCents) },
        ),
      },
      { kind: 'paragraph', text: t('If you have questions, {ask}.', { ask: howToAsk(change) }) },
    ],
  };
}
