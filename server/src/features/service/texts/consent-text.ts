import { formatPhone } from '@gatehouse/contract/phone';
import { t } from '@gatehouse/language/t';

/** Who sends text messages, to which number of ten digits. */
export type Texting = {
  operatorName: string;
  facilityName: string;
  facilityPhone: string | null;
  phone: string;
};

/** A rental has no more reminders than this within a month: one of each kind. */
const A_MONTH = 3;

/**
 * What a tenant agrees to by switching text messages on, in plain words: who sends what to which
 * number, how many, that the carrier may charge, how it ends, and that it is no condition (47 CFR
 * 64.1200(f)(9); CTIA Messaging Principles 5.1). It is in the language of the call, and a stored
 * consent keeps the text that it was given to.
 */
export function consentText({ operatorName, facilityName, facilityPhone, phone }: Texting): string {
  return [
    t(
      'I agree that {operatorName} sends automated reminders about {facilityName} by text message to {phone}: before rent is due, on the day, and before the gate closes, up to {count} a month for each unit.',
      { operatorName, facilityName, phone: formatPhone(phone), count: A_MONTH },
    ),
    t('Message and data rates may apply.'),
    facilityPhone === null
      ? t('Reply STOP to end, HELP for help.')
      : t('Reply STOP to end, HELP for help, or call {phone}.', {
          phone: formatPhone(facilityPhone),
        }),
    t('My consent is not a condition of renting or of paying.'),
  ].join(' ');
}

/** The text with the code, to the number that is to be confirmed. */
export function codeText({ facilityName }: Texting, code: string, minutes: number): string {
  return t(
    '{facilityName}: {code} is your code for reminders by text, good for {minutes} minutes. Reply STOP to end',
    { facilityName, code, minutes },
  );
}

/** The text after text messages were switched on. */
export function welcomeText({ facilityName }: Texting): string {
  return t(
    '{facilityName}: reminders by text are on, up to {count} a month for each unit. Msg & data rates may apply. Reply HELP for help, STOP to end',
    { facilityName, count: A_MONTH },
  );
}
