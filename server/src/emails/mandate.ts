import { t } from '@gatehouse/language/t';
import { howToCall } from './call-facility.ts';
import { hello, paragraph, type Email } from './email.ts';
import { openBilling } from './owed.ts';

/** The consent to mail; `text` word for word, a paragraph a line. */
export type MandateCopy = {
  firstName: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
  text: string;
};

/**
 * The tenant's own copy of the consent to autopay, which also notifies the address on file that it
 * was set.
 */
export function mandateEmail({
  firstName,
  unitName,
  facilityName,
  facilityPhone,
  text,
}: MandateCopy): Email {
  return {
    subject: t('Autopay is on for unit {unitName}', { unitName }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          'Autopay is set up for unit {unitName} at {facilityName}. This is the authorization that you gave; please keep it.',
          { unitName, facilityName },
        ),
      ),
      ...text.split('\n').map(paragraph),
      openBilling(),
      paragraph(t('If you did not set up autopay, {call}.', { call: howToCall(facilityPhone) })),
    ],
  };
}
