import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { translateStored } from '@gatehouse/language/stored';
import { t } from '@gatehouse/language/t';
import { howToCall } from './call-facility.ts';
import { facts, hello, money, paragraph, type Email } from './email.ts';
import { openBilling, owedBlocks, type Owed } from './owed.ts';

/** An attempt of the autopay run that was declined; `retryOn` null where it is not tried again. */
export type AutopayDecline = {
  firstName: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
  on: string;
  cents: number;
  /** `Visa ending in 4242`. */
  method: string;
  /** Why, in the gateway's sentence for the tenant, in English. */
  message: string;
  retryOn: string | null;
  /** What the rental owes. */
  owed: Owed[];
};

/** Notifies the tenant of a charge by autopay that was declined, why, and what happens next. */
export function autopayDeclinedEmail(decline: AutopayDecline): Email {
  const { firstName, unitName, facilityName, facilityPhone, message, retryOn, owed } = decline;
  const sum = money(decline.cents);
  return {
    subject: t('Autopay of {sum} for unit {unitName} was declined', { sum, unitName }),
    blocks: [
      hello(firstName),
      paragraph(
        `${t('Autopay could not charge {sum} for unit {unitName} at {facilityName}.', {
          sum,
          unitName,
          facilityName,
        })} ${translateStored(message)}`.trim(),
      ),
      facts([
        [t('Date'), formatDate(decline.on)],
        [t('Amount'), sum],
        [t('Payment method'), entryName(decline.method)],
      ]),
      paragraph(
        retryOn === null
          ? t(
              'We do not try this charge again. Please pay in the portal, and set up autopay with another payment method under Billing Info.',
            )
          : t(
              'We try again on {day}. You can pay before, or set up autopay with another payment method under Billing Info.',
              { day: formatDate(retryOn) },
            ),
      ),
      ...owedBlocks(owed, openBilling()),
      paragraph(t('If you have a question, {call}.', { call: howToCall(facilityPhone) })),
    ],
  };
}
