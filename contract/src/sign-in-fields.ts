import { t } from '@gatehouse/language/t';

export const MOST_SIGN_IN = 254;

/**
 * What is wrong with the text of a sign-in's field, as `userParams` says it, or undefined where
 * nothing is.
 */
export function signInFault(label: string, text: string): string | undefined {
  if (text === '') return t('{label} is required.', { label });
  return text.length > MOST_SIGN_IN ? t('{label} is too long.', { label }) : undefined;
}
