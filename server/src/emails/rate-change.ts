import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { t } from '@gatehouse/language/t';
import { howToCall } from './call-facility.ts';
import { facts, hello, money, paragraph, type Email, type Fact } from './email.ts';
import { openBilling } from './owed.ts';

/**
 * A rate change as its notice says it: sums in cents, `bill` the first one at the new rate, line by
 * line, in the current language.
 */
export type RateChange = {
  firstName: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
  fromCents: number;
  toCents: number;
  on: string;
  /** The change of an earlier notice that does not come now; null where there is none. */
  replaced: { toCents: number; on: string } | null;
  bill: { dueOn: string; lines: [label: () => string, cents: number][]; totalCents: number };
  /** What autopay charges, as in "Visa ending in 4242"; null without autopay. */
  autopayMethod: string | null;
};

/** The notice of a rate change: old and new rate, the date, and the next bill in full. */
export function rateChangeEmail(change: RateChange): Email {
  const { firstName, unitName, facilityName, bill, replaced, autopayMethod } = change;
  const day = formatDate(change.on);
  const dueOn = formatDate(bill.dueOn);
  return {
    subject: t('The rent of unit {unitName} changes on {day}', { unitName, day }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          'The rent of unit {unitName} at {facilityName} changes with the first bill that is due on {day} or later.',
          { unitName, facilityName, day },
        ),
      ),
      facts([
        [t('Rent now'), money(change.fromCents)],
        [t('New rent'), money(change.toCents)],
        [t('From'), day],
      ]),
      ...(replaced === null
        ? []
        : [
            paragraph(
              t(
                'This takes the place of the change to {sum} from {day}, of which you have an earlier notice: that one does not come.',
                { sum: money(replaced.toCents), day: formatDate(replaced.on) },
              ),
            ),
          ]),
      paragraph(t('Your first bill at the new rent, due on {dueOn}:', { dueOn })),
      facts([
        ...bill.lines.map(([label, cents]): Fact => [label(), money(cents)]),
        [t('In all'), money(bill.totalCents)],
      ]),
      ...(autopayMethod === null
        ? []
        : [
            paragraph(
              t(
                'Autopay is on: {method} will be charged what is due on {dueOn}, {sum} if nothing else changes. You can switch autopay off under Billing Info until that day.',
                { method: entryName(autopayMethod), dueOn, sum: money(bill.totalCents) },
              ),
            ),
          ]),
      openBilling(),
      paragraph(t('If you have a question, {call}.', { call: howToCall(change.facilityPhone) })),
    ],
  };
}
