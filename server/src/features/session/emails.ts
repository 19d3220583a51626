import { howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import type { Email } from '#emails/email.ts';

/** The notice of a sign-in from a network without a recent sign-in to the account (D24). */
export function newSignInEmail(facility: FacilityContact): Email {
  return {
    subject: 'A new sign-in to your account',
    blocks: [
      {
        kind: 'paragraph',
        text: `Somebody signed in to your account at ${facility.name} from a network that was not used for it in the last month. If it was you, there is nothing to do.`,
      },
      {
        kind: 'paragraph',
        text: `If it was not you, choose “Forgot password” to set a new password, which signs everybody out, and ${howToAsk(facility)}.`,
      },
    ],
  };
}
