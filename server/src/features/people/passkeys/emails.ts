import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import { action, paragraph, type Email } from '#emails/email.ts';

/** The notice that a passkey was added to a sign-in, or removed. */
export function passkeyEmail(
  change: 'added' | 'removed',
  name: string,
  facility: FacilityContact,
): Email {
  const values = { name, facilityName: facility.name };
  const isAdded = change === 'added';
  return {
    subject: isAdded ? t('A passkey was added') : t('A passkey was removed'),
    blocks: [
      paragraph(
        isAdded
          ? t(
              'The passkey “{name}” was added to your account at {facilityName}. Whoever can unlock the device or password manager that keeps it can sign in to the account without your password.',
              values,
            )
          : t(
              'The passkey “{name}” was removed from your account at {facilityName}. It signs in no longer.',
              values,
            ),
      ),
      action(t('See your passkeys'), '/account#passkeys'),
      paragraph(
        t(
          'If this was not you, choose “Forgot password” to set a new password, which signs everybody out and removes all passkeys, and {ask}.',
          { ask: howToAsk(facility) },
        ),
      ),
    ],
  };
}
