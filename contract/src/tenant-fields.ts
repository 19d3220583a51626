import { phoneNumber } from './phone-number.ts';
import { stateCode } from './state-code.ts';
import { emailAddress, optionalText, requiredText } from './text.ts';

/** The driver's license pair: both are required (spec section 5). */
export const driversLicenseFields = {
  driversLicenseNumber: requiredText("Driver's license number", 30),
  driversLicenseState: stateCode("Driver's license state"),
};

/** The alternate contact: all four fields (spec section 5). */
export const alternateContactFields = {
  firstName: requiredText('First name'),
  lastName: requiredText('Last name'),
  email: emailAddress('Email'),
  phone: phoneNumber,
};

/** The contact update form: all but the second street line are required (spec section 5). */
export const contactFields = {
  firstName: requiredText('First name'),
  lastName: requiredText('Last name'),
  phone: phoneNumber,
  emailAddress: emailAddress('Email'),
  address1: requiredText('Street 1', 200),
  address2: optionalText('Street 2', 200),
  city: requiredText('City'),
  state: stateCode('State'),
  postal: requiredText('Postal code', 20),
};
