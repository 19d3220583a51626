import { t } from '@gatehouse/language/t';
import { howToCall } from './call-facility.ts';
import { action, hello, paragraph, type Email } from './email.ts';

/** Notifies the address on file of what was added to a tenant record, without the number itself. */
export function addedToAccountEmail(
  part: 'license' | 'phone',
  {
    firstName,
    facilityName,
    facilityPhone,
  }: { firstName: string; facilityName: string; facilityPhone: string | null },
): Email {
  const isLicense = part === 'license';
  return {
    subject: isLicense
      ? t("A driver's license was added to your account")
      : t('A phone number was added to your account'),
    blocks: [
      hello(firstName),
      paragraph(
        isLicense
          ? t("A driver's license was added to your account at {facilityName}.", { facilityName })
          : t('A phone number was added to your account at {facilityName}.', { facilityName }),
      ),
      isLicense
        ? action(t('See your license'), '/account#license')
        : action(t('See your profile'), '/profile'),
      paragraph(t('If you did not add it, {call}.', { call: howToCall(facilityPhone) })),
    ],
  };
}
