import { z } from 'zod/mini';
import { deviceToken } from './device-token.ts';
import { endpoint } from './endpoint.ts';
import { id } from './ids.ts';

/** What a sign-in asks for (spec section 5), by the names in its body. */
export const signInLabels = {
  username: 'Email Address',
  password: 'Password',
  locationCode: 'Location',
  corporationCode: 'Corporation code',
};

const MOST = 254;
const isRequired = (label: string) => `${label} is required.`;
const isTooLong = (label: string) => `${label} is too long.`;

/**
 * What is wrong with the text of a sign-in's field, as `userParams` says it, or undefined where
 * nothing is.
 */
export function signInFault(label: string, text: string): string | undefined {
  if (text === '') return isRequired(label);
  return text.length > MOST ? isTooLong(label) : undefined;
}

/**
 * A sign-in's field is only required: no length or format rule (spec section 5). Nothing is taken
 * off a password.
 */
const required = (label: string) =>
  z
    .string(isRequired(label))
    .check(z.minLength(1, isRequired(label)), z.maxLength(MOST, isTooLong(label)));

/** userParams of spec section 7: what signing in sends, the corporation code merged in. */
export const userParams = z.object({
  username: required(signInLabels.username),
  password: required(signInLabels.password),
  locationCode: required(signInLabels.locationCode),
  corporationCode: required(signInLabels.corporationCode),
  /**
   * Not in the spec: the browser's public P-256 key as an uncompressed point, to which the token is
   * then bound.
   */
  proofKey: z.optional(
    z
      .string('The proof key is not valid.')
      .check(z.regex(/^[\w+/]{87}=$/, 'The proof key is not valid.')),
  ),
  device: z.optional(deviceToken),
});

/**
 * POST /users/login. A wrong pair, an unknown address and a wrong location are refused alike with
 * 401. `device` is to be sent with the next sign-in: it is the one that was sent, where that is the
 * account's.
 */
export const login = endpoint({
  name: 'login',
  subject: 'Signing in',
  summary:
    'Signs in at a location; the token goes into the Authorization header of every later call',
  method: 'POST',
  path: '/users/login',
  access: 'public',
  urgency: 'sign-in',
  body: userParams,
  // Not in the spec: `device` is for the next sign-in, and by `serverTime` the browser knows how
  // wrong its own clock is.
  reply: z.object({
    token: z.string(),
    tenants: z.array(z.object({ id })),
    device: z.string(),
    serverTime: z.iso.datetime(),
  }),
  example: {
    token: 'rvt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0',
    tenants: [{ id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31' }],
    device: 'rdt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0',
    serverTime: '2026-11-14T15:04:05.000Z',
  },
});
