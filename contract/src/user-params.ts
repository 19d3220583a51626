import { z } from 'zod/mini';
import { deviceToken } from './device-token.ts';
import { isRequired, isTooLong, MOST_SIGN_IN, signInLabels } from './sign-in-fields.ts';

/**
 * A sign-in's field is only required: no length or format rule (spec section 5). Nothing is taken
 * off a password.
 */
const required = (label: string) =>
  z
    .string(isRequired(label))
    .check(z.minLength(1, isRequired(label)), z.maxLength(MOST_SIGN_IN, isTooLong(label)));

/**
 * The browser's public P-256 key as an uncompressed point, to which the token is then bound
 * (decision 37).
 */
export const proofKey = z
  .string('The proof key is not valid.')
  .check(z.regex(/^[\w+/]{87}=$/, 'The proof key is not valid.'));

/** userParams of spec section 7: what signing in sends, the corporation code merged in. */
export const userParams = z.object({
  username: required(signInLabels.username),
  password: required(signInLabels.password),
  locationCode: required(signInLabels.locationCode),
  corporationCode: required(signInLabels.corporationCode),
  // Not in the spec.
  proofKey: z.optional(proofKey),
  device: z.optional(deviceToken),
});
