import { howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import type { Email } from '#emails/email.ts';

/** The notice that a passkey was added to a sign-in, or removed. */
export function passkeyEmail(
  change: 'added' | 'removed',
  name: string,
  facility: FacilityContact,
): Email {
  const said = {
    added: `The passkey “${name}” was added to your account at ${facility.name}. Whoever can unlock the device or password manager that keeps it can sign in to the account without your password.`,
    removed: `The passkey “${name}” was removed from your account at ${facility.name}. It signs in no longer.`,
  };
  return {
    subject: `A passkey was ${change}`,
    blocks: [
      { kind: 'paragraph', text: said[change] },
      {
        kind: 'paragraph',
        text: `If this was not you, choose “Forgot password” to set a new password, which signs everybody out and removes all passkeys, and ${howToAsk(facility)}.`,
      },
    ],
  };
}
