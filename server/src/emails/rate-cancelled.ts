import { formatDate } from '@gatehouse/contract/dates';
import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { hello, money, paragraph, type Email } from './email.ts';
import { openBilling } from './owed.ts';

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
  return {
    subject: t('The rent of unit {unitName} does not change on {day}', { unitName, day }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          'The change of the rent of unit {unitName} at {name} to {sum} from {day} is cancelled. Your rent stays {rate}.',
          { unitName, name, sum: money(toCents), day, rate: money(rateCents) },
        ),
      ),
      openBilling(),
      paragraph(t('If you have questions, {ask}.', { ask: howToAsk(change) })),
    ],
  };
}
