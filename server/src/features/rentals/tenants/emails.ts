import { t } from '@gatehouse/language/t';
import { callAction, howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import { action, paragraph, type Email } from '#emails/email.ts';

/** To the address that a tenant record had before. */
export function oldAddressEmail(facility: FacilityContact): Email {
  const { name } = facility;
  return {
    subject: t('Your email address at {name} was changed', { name }),
    blocks: [
      paragraph(
        t(
          'Another email address is now on file for your rental at {name}. This address does not show that rental any more, and it was signed out everywhere. Rentals under other records stay as they are.',
          { name },
        ),
      ),
      callAction(facility.phone),
      paragraph(t('If you did not ask for this, {ask} right away.', { ask: howToAsk(facility) })),
    ],
  };
}

/**
 * To the address that a tenant record has now: how it comes to a sign-in, whether it has one
 * elsewhere or not.
 */
export function newAddressEmail(facility: FacilityContact & { address: string }): Email {
  const { name, address } = facility;
  return {
    subject: t('Your email address at {name} was changed', { name }),
    blocks: [
      paragraph(t('This email address is now on file for a rental at {name}.', { name })),
      paragraph(
        t(
          'To see the rental and pay for it online, choose {name}, {address}, and enter this email address. You get a code by email, and then you choose a password. If you sign in with this address already, do the same: the rental is added to what you see.',
          { name, address },
        ),
      ),
      action(t('Sign up'), '/register'),
      paragraph(t('If you do not rent there, {ask}.', { ask: howToAsk(facility) })),
    ],
  };
}

/** To the address on file, as soon as a session asks for another one. */
export function emailChangeAskedEmail(
  facility: FacilityContact,
  asked: { reference: string; email: string; url: string; days: number },
): Email {
  const { name } = facility;
  const { reference, email, url, days } = asked;
  return {
    subject: t('Somebody asked to change your email address at {name}', { name }),
    blocks: [
      paragraph(
        t(
          'Somebody who is signed in as you asked {name} to change your email address to {email} ({reference}). If that was you, nothing else is needed.',
          { name, email, reference },
        ),
      ),
      action(t('I did not ask for this'), url),
      paragraph(
        t(
          'The link works for {days} days. If you did not ask for this, use it, choose a new password with “Forgot password”, and {ask}.',
          { days, ask: howToAsk(facility) },
        ),
      ),
    ],
  };
}
