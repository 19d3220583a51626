import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { deviceToken } from './device-token.ts';
import { requiredMessage, tooLongMessage, visible } from './text.ts';

const MOST_SIGN_IN = 254;

/**
 * A sign-in's field is only required: no length or format rule. Nothing is taken off a password.
 */
const required = (label: () => string) =>
  z
    .string(requiredMessage(label))
    .check(
      z.minLength(1, requiredMessage(label)),
      z.maxLength(MOST_SIGN_IN, tooLongMessage(label)),
    );

const notAKey = { error: () => t('The proof key is not valid.') };

/**
 * The browser's public P-256 key as an uncompressed point, to which the token is then bound
 * (decision 37).
 */
export const proofKey = z.string(notAKey).check(z.regex(/^[\w+/]{87}=$/, notAKey));

/** userParams of the specification: what signing in sends, the corporation code merged in. */
export const userParams = z.object({
  username: required(() => t('Email Address')).check(visible(() => t('Email Address'))),
  password: required(() => t('Password')),
  locationCode: required(() => t('Location')),
  corporationCode: required(() => t('Corporation code')),
  // Not in the spec.
  proofKey: z.optional(proofKey),
  device: z.optional(deviceToken),
});
