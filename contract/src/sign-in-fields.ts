/** What a sign-in asks for (spec section 5), by the names in its body. */
export const signInLabels = {
  username: 'Email Address',
  password: 'Password',
  locationCode: 'Location',
  corporationCode: 'Corporation code',
};

export const MOST_SIGN_IN = 254;
export const isRequired = (label: string) => `${label} is required.`;
export const isTooLong = (label: string) => `${label} is too long.`;

/**
 * What is wrong with the text of a sign-in's field, as `userParams` says it, or undefined where
 * nothing is.
 */
export function signInFault(label: string, text: string): string | undefined {
  if (text === '') return isRequired(label);
  return text.length > MOST_SIGN_IN ? isTooLong(label) : undefined;
}
