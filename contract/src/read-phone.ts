import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * A phone number as it is stored, of one in any usual writing: the ten digits of a US number and
 * its neighbors', `+` with country and digits of any other, then ` ext. ` and an extension. Null
 * for a number that no country gives out. The portal is built without it (web/vite-phones.ts).
 */
export function readPhone(typed: string): string | null {
  const phone = parsePhoneNumberFromString(typed, { defaultCountry: 'US', extract: false });
  if (phone === undefined || !phone.isValid()) return null;
  const number = phone.countryCallingCode === '1' ? phone.nationalNumber : phone.number;
  return phone.ext === undefined ? number : `${number} ext. ${phone.ext}`;
}
