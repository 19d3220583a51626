import { t } from '@gatehouse/language/t';
import { callAction, howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import { action, paragraph, type Email } from '#emails/email.ts';

/** Invites a tenant to register; the registration verifies the mailbox with a code. */
export function invitationEmail(facility: FacilityContact & { address: string }): Email {
  const { name, address } = facility;
  return {
    subject: t('Your account at {name}', { name }),
    blocks: [
      paragraph(
        t(
          'You can now see your rentals at {name} and pay for them online. Choose {name}, {address}, and enter this email address. You get a code by email, and then you choose a password. If you sign in with this address already, do the same: the rentals are added to what you see.',
          { name, address },
        ),
      ),
      action(t('Sign up'), '/register'),
      paragraph(
        t('If you do not rent there, you can ignore this email, or {ask}.', {
          ask: howToAsk(facility),
        }),
      ),
    ],
  };
}

/** Notifies a user that the operator has disabled the sign-in, or enabled it again. */
export function accessChangedEmail(
  change: 'disabled' | 'enabled',
  facility: FacilityContact,
): Email {
  const { name } = facility;
  const isDisabled = change === 'disabled';
  return {
    subject: isDisabled ? t('Your sign-in was disabled') : t('Your sign-in was enabled'),
    blocks: [
      paragraph(
        isDisabled
          ? t(
              'Your sign-in at {name} was disabled, and you were signed out everywhere. What you rent, owe and have on autopay stays as it is.',
              { name },
            )
          : t('Your sign-in at {name} was enabled again. Your password is the one that you had.', {
              name,
            }),
      ),
      isDisabled ? callAction(facility.phone) : action(t('Sign in'), '/login'),
      paragraph(t('If you have questions, {ask}.', { ask: howToAsk(facility) })),
    ],
  };
}
