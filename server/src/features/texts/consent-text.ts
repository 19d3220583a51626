import { formatPhone } from '@gatehouse/contract/phone';

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
 * 64.1200(f)(9); CTIA Messaging Principles 5.1). A stored consent keeps the text that it was given
 * to.
 */
export function consentText({ operatorName, facilityName, facilityPhone, phone }: Texting): string {
  const help =
    facilityPhone === null
      ? 'HELP for help'
      : `HELP for help, or call ${formatPhone(facilityPhone)}`;
  return [
    `I agree that ${operatorName} sends automated reminders about ${facilityName} by text message to ${formatPhone(phone)}: ` +
      `before rent is due, on the day, and before the gate closes, up to ${A_MONTH} a month for each unit.`,
    `Message and data rates may apply. Reply STOP to end, ${help}.`,
    'My consent is not a condition of renting or of paying.',
  ].join(' ');
}

/** The text with the code, to the number that is to be confirmed. */
export function codeText({ facilityName }: Texting, code: string, minutes: number): string {
  return `${facilityName}: ${code} is your code for reminders by text, good for ${minutes} minutes. Reply STOP to end`;
}

/** The text after text messages were switched on. */
export function welcomeText({ facilityName }: Texting): string {
  return `${facilityName}: reminders by text are on, up to ${A_MONTH} a month for each unit. Msg & data rates may apply. Reply HELP for help, STOP to end`;
}
