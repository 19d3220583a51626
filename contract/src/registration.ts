import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { done } from './ids.ts';
import { deviceToken } from './device-token.ts';
import { emailAddress, requiredMessage, requiredText } from './text.ts';
import { plainCode } from './typed.ts';

/** A password's length in characters: at most 20, at least 8. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 20;

/** A verification code: this many digits, alive for this long, good for this many tries. */
export const CODE_DIGITS = 8;
export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;

/** What is said of a code that is wrong, used up or too old. */
export const invalidCode = () => t('The verification code is invalid');

const noPassword = requiredMessage(() => t('Password'));
const noToken = requiredMessage('Token');
const noCode = requiredMessage(() => t('Verification Code'));

/**
 * A new password, as typed: nothing is taken off, and every character counts as one. In NFC, as it
 * is kept and counted: keyboards differ in whether an é is one character or two.
 */
export const newPassword = z.string(noPassword).check(
  z.normalize(),
  z.minLength(1, noPassword),
  z.refine((text) => Array.from(text).length <= PASSWORD_MAX, {
    error: () => t('Password must have at most {most} characters.', { most: PASSWORD_MAX }),
  }),
  z.refine((text) => Array.from(text).length >= PASSWORD_MIN, {
    error: () => t('Password must have at least {least} characters.', { least: PASSWORD_MIN }),
  }),
);

const corporationCode = requiredText(() => t('Corporation code'));

/** registerParams of the specification, the corporation code merged in. */
export const registerParams = z.object({
  email: emailAddress(() => t('Email Address')),
  locationCode: requiredText(() => t('Location')),
  corporationCode,
  /** Not in the spec: the token of the lookup whose code is sent again. */
  token: z.optional(
    z
      .string({ error: () => t('The token must be text.') })
      .check(z.maxLength(100, { error: () => t('The token is too long.') })),
  ),
  device: z.optional(deviceToken),
});

/**
 * verifyParams of the specification. Neither code nor token has a format: whatever is not valid is
 * answered alike. A code may be grouped as people type it.
 */
export const verifyParams = z.object({
  token: z.string(noToken),
  code: z.string(noCode).check(z.overwrite(plainCode), z.minLength(1, noCode)),
  corporationCode,
});

/** passwordParams of the specification. */
export const passwordParams = z.object({
  token: z.string(noToken),
  password: newPassword,
  corporationCode,
  device: z.optional(deviceToken),
});

const token = 'rgt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0';

/**
 * POST /users/register: account lookup. Answers alike for a known and an unknown address; only the
 * mail says which it was. Up to three are open side by side, each with its own code and token; with
 * the token of an open one it replaces that one. 429 where the address or the network asks too
 * often; a device of the account is counted by itself.
 */
export const register = endpoint({
  name: 'register',
  subject: 'Signing in',
  summary: 'Looks an account up and mails a verification code',
  method: 'POST',
  path: '/users/register',
  access: 'public',
  urgency: 'sign-in',
  body: registerParams,
  reply: z.object({ token: z.string() }),
  example: { token },
});

/**
 * POST /users/verify: `success` is false for a wrong, used up or dead code or token. 429 where a
 * network sends too many dead tokens.
 */
export const verify = endpoint({
  name: 'verify',
  subject: 'Signing in',
  summary: 'Checks a verification code',
  method: 'POST',
  path: '/users/verify',
  access: 'public',
  urgency: 'sign-in',
  body: verifyParams,
  reply: z.object({ success: z.boolean() }),
  example: { success: true },
});

/**
 * POST /users/password-update: sets the password of a verified address and ends every session of
 * its user and every device but the one that is sent. The token is good once. `device` is for the
 * next sign-in: the one that was sent, where that is the account's. 422 for a token that is not
 * verified, used or too old.
 */
export const updatePassword = endpoint({
  name: 'updatePassword',
  subject: 'Signing in',
  summary: 'Sets the password of a verified address',
  method: 'POST',
  path: '/users/password-update',
  access: 'public',
  urgency: 'sign-in',
  body: passwordParams,
  // Not in the spec: `device`.
  reply: z.extend(done, { device: z.string() }),
  example: { success: true, device: 'rdt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0' },
});
