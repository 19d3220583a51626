import { howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import type { Email } from '#emails/email.ts';

/** To the address that a tenant record had before. */
export function oldAddressEmail(facility: FacilityContact): Email {
  return {
    subject: `Your email address at ${facility.name} was changed`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Another email address is now on file for your rental at ${facility.name}. This address does not show that rental any more, and it was signed out everywhere. Rentals under other records stay as they are.`,
      },
      { kind: 'paragraph', text: `If you did not ask for this, ${howToAsk(facility)} right away.` },
    ],
  };
}

/**
 * To the address that a tenant record has now: how it comes to a sign-in, whether it has one
 * elsewhere or not.
 */
export function newAddressEmail(
  facility: FacilityContact & { address: string },
  portalUrl: string,
): Email {
  return {
    subject: `Your email address at ${facility.name} was changed`,
    blocks: [
      {
        kind: 'paragraph',
        text: `This email address is now on file for a rental at ${facility.name}.`,
      },
      {
        kind: 'paragraph',
        text: `To see the rental and pay for it online, open ${portalUrl}/register, choose ${facility.name}, ${facility.address}, and enter this email address. You get a code by email, and then you choose a password. If you sign in with this address already, do the same: the rental is added to what you see.`,
      },
      { kind: 'paragraph', text: `If you do not rent there, ${howToAsk(facility)}.` },
    ],
  };
}

/** To the address on file, as soon as a session asks for another one. */
export function emailChangeAskedEmail(
  facility: FacilityContact,
  asked: { reference: string; email: string; url: string; days: number },
): Email {
  return {
    subject: `Somebody asked to change your email address at ${facility.name}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Somebody who is signed in as you asked ${facility.name} to change your email address to ${asked.email} (${asked.reference}). If that was you, nothing else is needed.`,
      },
      { kind: 'link', label: 'I did not ask for this', url: asked.url },
      {
        kind: 'paragraph',
        text: `The link works for ${asked.days} days. If you did not ask for this, use it, choose a new password with “Forgot password”, and ${howToAsk(facility)}.`,
      },
    ],
  };
}
