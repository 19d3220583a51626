import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from '#emails/call-facility.ts';
import { action, paragraph, type Email } from '#emails/email.ts';

/** The notice of a sign-in from a network without a recent sign-in to the account. */
export function newSignInEmail(facility: FacilityContact): Email {
  return {
    subject: t('A new sign-in to your account'),
    blocks: [
      paragraph(
        t(
          'Somebody signed in to your account at {name} from a network that was not used for it in the last month. If it was you, there is nothing to do.',
          { name: facility.name },
        ),
      ),
      action(t('See where you are signed in'), '/account#sessions'),
      paragraph(
        t(
          'If it was not you, choose “Forgot password” to set a new password, which signs everybody out, and {ask}.',
          { ask: howToAsk(facility) },
        ),
      ),
    ],
  };
}
