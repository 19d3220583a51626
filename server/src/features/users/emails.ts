import { howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import type { Email } from '#emails/email.ts';

/** Invites a tenant to register; the registration verifies the mailbox with a code. */
export function invitationEmail(
  facility: FacilityContact & { address: string },
  portalUrl: string,
): Email {
  return {
    subject: `Your account at ${facility.name}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `You can now see your rentals at ${facility.name} and pay for them online. Open ${portalUrl}/register, choose ${facility.name}, ${facility.address}, and enter this email address. You get a code by email, and then you choose a password. If you sign in with this address already, do the same: the rentals are added to what you see.`,
      },
      {
        kind: 'paragraph',
        text: `If you do not rent there, you can ignore this email, or ${howToAsk(facility)}.`,
      },
    ],
  };
}

/** Notifies a user that the operator has disabled the sign-in, or enabled it again. */
export function accessChangedEmail(
  change: 'disabled' | 'enabled',
  facility: FacilityContact,
): Email {
  const said = {
    disabled: `Your sign-in at ${facility.name} was disabled, and you were signed out everywhere. What you rent, owe and have on autopay stays as it is.`,
    enabled: `Your sign-in at ${facility.name} was enabled again. Your password is the one that you had.`,
  };
  return {
    subject: `Your sign-in was ${change}`,
    blocks: [
      { kind: 'paragraph', text: said[change] },
      { kind: 'paragraph', text: `If you have questions, ${howToAsk(facility)}.` },
    ],
  };
}
