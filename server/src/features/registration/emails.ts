import { CODE_MINUTES } from '@gatehouse/contract/registration';
import { howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import type { Email } from '#emails/email.ts';

/** The mail with the code, to an address that is on file. */
export function codeEmail(facility: FacilityContact, code: string): Email {
  return {
    subject: 'Your verification code',
    blocks: [
      { kind: 'paragraph', text: `Your verification code for ${facility.name} is:` },
      { kind: 'code', text: code },
      {
        kind: 'paragraph',
        text: `It is good for ${CODE_MINUTES} minutes, only where it was asked for. If you did not ask for it, you can ignore this email: without the code nothing changes.`,
      },
    ],
  };
}

/**
 * The mail to an address that is not on file at the location; the answer of the call does not
 * reveal that (T6).
 */
export function notOnFileEmail(facility: FacilityContact): Email {
  return {
    subject: 'Your email address is not on file',
    blocks: [
      {
        kind: 'paragraph',
        text: `An account was looked up for this email address, but the address is not on file at ${facility.name}.`,
      },
      {
        kind: 'paragraph',
        text: `If you rent there, ${howToAsk(facility)} to have it added, and then sign up again.`,
      },
      { kind: 'paragraph', text: 'If you did not ask for this, you can ignore this email.' },
    ],
  };
}

/** The mail after the first password of an account. */
export function welcomeEmail(facility: FacilityContact): Email {
  return {
    subject: 'Welcome to your account',
    blocks: [
      {
        kind: 'paragraph',
        text: `Your account at ${facility.name} is set up. Sign in with this email address and your new password to see your units, pay, and get your gate code.`,
      },
      { kind: 'paragraph', text: `If this was not you, ${howToAsk(facility)} right away.` },
    ],
  };
}

/** The notice after a password was changed (D23). */
export function passwordChangedEmail(facility: FacilityContact): Email {
  return {
    subject: 'Your password was changed',
    blocks: [
      {
        kind: 'paragraph',
        text: `The password for your account at ${facility.name} was changed, and you were signed out everywhere.`,
      },
      { kind: 'paragraph', text: `If this was not you, ${howToAsk(facility)} right away.` },
    ],
  };
}
