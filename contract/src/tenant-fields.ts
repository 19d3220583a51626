import { t } from '@gatehouse/language/t';
import { phoneNumber } from './phone-number.ts';
import { stateCode } from './state-code.ts';
import { emailAddress, optionalText, requiredNumber, requiredText } from './text.ts';

/** The driver's license pair: both are required. */
export const driversLicenseFields = {
  driversLicenseNumber: requiredText(() => t("Driver's license number"), 30),
  driversLicenseState: stateCode(() => t("Driver's license state")),
};

/** The alternate contact: all four fields. */
export const alternateContactFields = {
  firstName: requiredText(() => t('First name')),
  lastName: requiredText(() => t('Last name')),
  email: emailAddress(() => t('Email')),
  phone: phoneNumber,
};

/** The contact update form: all but the second street line are required. */
export const contactFields = {
  firstName: requiredText(() => t('First name')),
  lastName: requiredText(() => t('Last name')),
  phone: phoneNumber,
  emailAddress: emailAddress(() => t('Email')),
  address1: requiredText(() => t('Street 1'), 200),
  address2: optionalText(() => t('Street 2'), 200),
  city: requiredText(() => t('City')),
  state: stateCode(() => t('State')),
  postal: requiredNumber(() => t('Postal code'), 20),
};
