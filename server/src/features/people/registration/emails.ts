import { CODE_MINUTES } from '@gatehouse/contract/registration';
import { t } from '@gatehouse/language/t';
import { callAction, howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import { action, paragraph, type Email } from '#emails/email.ts';

/** The mail with the code, to an address that is on file. */
export function codeEmail(facility: FacilityContact, code: string): Email {
  return {
    subject: t('Your verification code'),
    blocks: [
      paragraph(t('Your verification code for {name} is:', { name: facility.name })),
      { kind: 'code', text: code },
      paragraph(
        t(
          'It is good for {minutes} minutes, only where it was asked for. If you did not ask for it, you can ignore this email: without the code nothing changes.',
          { minutes: CODE_MINUTES },
        ),
      ),
    ],
  };
}

/**
 * The mail to an address that is not on file at the location; the answer of the call does not
 * reveal that.
 */
export function notOnFileEmail(facility: FacilityContact): Email {
  return {
    subject: t('Your email address is not on file'),
    blocks: [
      paragraph(
        t(
          'An account was looked up for this email address, but the address is not on file at {name}.',
          { name: facility.name },
        ),
      ),
      paragraph(
        t('If you rent there, {ask} to have it added, and then sign up again.', {
          ask: howToAsk(facility),
        }),
      ),
      callAction(facility.phone),
      paragraph(t('If you did not ask for this, you can ignore this email.')),
    ],
  };
}

/** The mail to an address that records of several names share, which no sign-in reaches. */
export function sharedAddressEmail(facility: FacilityContact): Email {
  return {
    subject: t('Please ask us who may sign in'),
    blocks: [
      paragraph(
        t(
          'An account was looked up for this email address. At {name} it is on file for more than one name, so it shows no account until we know who may see which.',
          { name: facility.name },
        ),
      ),
      paragraph(
        t('To sign up, {ask} to have that set, or to have an address of your own added.', {
          ask: howToAsk(facility),
        }),
      ),
      callAction(facility.phone),
      paragraph(t('If you did not ask for this, you can ignore this email.')),
    ],
  };
}

/** The mail after the first password of an account. */
export function welcomeEmail(facility: FacilityContact): Email {
  return {
    subject: t('Welcome to your account'),
    blocks: [
      paragraph(
        t(
          'Your account at {name} is set up. Sign in with this email address and your new password to see your units, pay, and get your gate code.',
          { name: facility.name },
        ),
      ),
      action(t('Sign in'), '/login'),
      paragraph(t('If this was not you, {ask} right away.', { ask: howToAsk(facility) })),
    ],
  };
}

/** The notice after a password was changed. */
export function passwordChangedEmail(facility: FacilityContact): Email {
  return {
    subject: t('Your password was changed'),
    blocks: [
      paragraph(
        t(
          'The password for your account at {name} was changed, and you were signed out everywhere.',
          { name: facility.name },
        ),
      ),
      action(t('Sign in'), '/login'),
      paragraph(t('If this was not you, {ask} right away.', { ask: howToAsk(facility) })),
    ],
  };
}
