import { formatDate } from '@gatehouse/contract/dates';
import type { PaperKind } from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { howToCall } from './call-facility.ts';
import { action, hello, paragraph, type Email } from './email.ts';

/** A paper of a vehicle or vessel that ends soon; `expiresOn` is its last day. */
export type ExpiringPaper = {
  firstName: string;
  kind: PaperKind;
  expiresOn: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
};

/** Reminds a tenant to file the renewed paper; the paper's number is not in it. */
export function paperExpiresEmail(paper: ExpiringPaper): Email {
  const { firstName, kind, unitName, facilityName, facilityPhone } = paper;
  const lastDay = formatDate(paper.expiresOn);
  const isInsurance = kind === 'insurance';
  return {
    subject: isInsurance
      ? t('The insurance on file for unit {unitName} expires on {lastDay}', { unitName, lastDay })
      : t('The registration on file for unit {unitName} expires on {lastDay}', {
          unitName,
          lastDay,
        }),
    blocks: [
      hello(firstName),
      paragraph(
        isInsurance
          ? t(
              'The insurance of the vehicle or vessel in unit {unitName} at {facilityName} is valid until {lastDay}.',
              { unitName, facilityName, lastDay },
            )
          : t(
              'The registration of the vehicle or vessel in unit {unitName} at {facilityName} is valid until {lastDay}.',
              { unitName, facilityName, lastDay },
            ),
      ),
      paragraph(
        t('Please file the renewed one, as a photo or a PDF. If you have a question, {call}.', {
          call: howToCall(facilityPhone),
        }),
      ),
      action(t('File the renewed paper'), '/account#papers'),
    ],
  };
}
