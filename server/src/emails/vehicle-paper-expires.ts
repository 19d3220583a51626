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
  /** What the tenant calls it; null where nothing was entered. */
  vehicle: string | null;
  facilityName: string;
  facilityPhone: string | null;
};

/** Reminds a tenant to file the renewed paper; the paper's number is not in it. */
export function paperExpiresEmail(paper: ExpiringPaper): Email {
  const { firstName, kind, unitName, facilityPhone } = paper;
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
      paragraph(validUntil(paper, lastDay)),
      paragraph(
        t('Please file the renewed one, as a photo or a PDF. If you have a question, {call}.', {
          call: howToCall(facilityPhone),
        }),
      ),
      action(t('File the renewed paper'), '/account#papers'),
    ],
  };
}

function validUntil(
  { kind, unitName, vehicle, facilityName }: ExpiringPaper,
  lastDay: string,
): string {
  if (vehicle !== null)
    return kind === 'insurance'
      ? t(
          'The insurance of {vehicle} in unit {unitName} at {facilityName} is valid until {lastDay}.',
          {
            vehicle,
            unitName,
            facilityName,
            lastDay,
          },
        )
      : t(
          'The registration of {vehicle} in unit {unitName} at {facilityName} is valid until {lastDay}.',
          {
            vehicle,
            unitName,
            facilityName,
            lastDay,
          },
        );
  return kind === 'insurance'
    ? t(
        'The insurance of the vehicle or vessel in unit {unitName} at {facilityName} is valid until {lastDay}.',
        { unitName, facilityName, lastDay },
      )
    : t(
        'The registration of the vehicle or vessel in unit {unitName} at {facilityName} is valid until {lastDay}.',
        { unitName, facilityName, lastDay },
      );
}
