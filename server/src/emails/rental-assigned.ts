import { formatDate } from '@gatehouse/contract/dates';
import { t } from '@gatehouse/language/t';
import { callAction, howToAsk, type FacilityContact } from './call-facility.ts';
import { action, hello, money, paragraph, type Email } from './email.ts';

/** A rental that continues with another tenant: `isNew` for that one, who owes `owedCents`. */
export type RentalAssigned = FacilityContact & {
  firstName: string;
  unitName: string;
  on: string;
  owedCents: number;
  isNew: boolean;
};

/** Tells both tenants of a rental that was assigned, each their own side. */
export function rentalAssignedEmail(given: RentalAssigned): Email {
  const { firstName, name, unitName, isNew } = given;
  const day = formatDate(given.on);
  if (isNew)
    return {
      subject: t('Unit {unitName} at {name} is rented to you from {day}', { unitName, name, day }),
      blocks: [
        hello(firstName),
        paragraph(
          t(
            'The rental of unit {unitName} continues in your name from {day}. You owe {sum} now. The portal shows your bills and a gate code of your own; autopay is off until you set it up.',
            { unitName, day, sum: money(Math.max(0, given.owedCents)) },
          ),
        ),
        action(t('See your units'), '/'),
        paragraph(t('If you did not agree to this, {ask} right away.', { ask: howToAsk(given) })),
      ],
    };
  return {
    subject: t('Your rental of unit {unitName} at {name} ended on {day}', { unitName, name, day }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          'The rental of unit {unitName} continues in another name from {day}. You owe nothing for it any more. Autopay and your gate code for it have ended, and your receipts stay in the portal.',
          { unitName, day },
        ),
      ),
      callAction(given.phone),
      paragraph(t('If you did not agree to this, {ask} right away.', { ask: howToAsk(given) })),
    ],
  };
}
