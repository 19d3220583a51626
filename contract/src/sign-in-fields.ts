import { t } from '@gatehouse/language/t';

/** What a sign-in asks for (spec section 5), by the names in its body. */
export const signInLabels = {
  username: () => t('Email Address'),
  password: () => t('Password'),
  locationCode: () => t('Location'),
};

export const MOST_SIGN_IN = 254;
export const isRequired = (label: string) => t('{label} is required.', { label });
export const isTooLong = (label: string) => t('{label} is too long.', { label });

/**
 * What is wrong with the text of a sign-in's field, as `userParams` says it, or undefined where
 * nothing is.
 */
export function signInFault(label: string, text: string): string | undefined {
  if (text === '') return isRequired(label);
  return text.length > MOST_SIGN_IN ? isTooLong(label) : undefined;
}
