import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { action, paragraph, type Email } from './email.ts';

/** The notice after a private calendar was made: its URL reads it without a sign-in. */
export function calendarFeedEmail(facility: FacilityContact): Email {
  return {
    subject: t('Your private calendar was made'),
    blocks: [
      paragraph(
        t(
          'A private calendar with your due dates at {facilityName} was made in your account. Whoever has its address can read it, so keep the address to yourself. You can remove the calendar at any time, under Account Management.',
          { facilityName: facility.name },
        ),
      ),
      action(t('See your calendar'), '/account#calendar'),
      paragraph(
        t('If this was not you, set a new password, which also removes the calendar, and {ask}.', {
          ask: howToAsk(facility),
        }),
      ),
    ],
  };
}
