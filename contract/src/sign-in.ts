import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id } from './ids.ts';

/**
 * A sign-in's field is only required: no length or format rule (spec section 5). Nothing is taken
 * off a password.
 */
const required = (label: string) =>
  z
    .string(`${label} is required.`)
    .check(z.minLength(1, `${label} is required.`), z.maxLength(254, `${label} is too long.`));

/**
 * A device that signed in before names itself with it in the body of a call (safety C4); never in a
 * header.
 */
export const deviceToken = z
  .string('The device token must be text.')
  .check(z.maxLength(100, 'The device token is too long.'));

/** userParams of spec section 7: what signing in sends, the corporation code merged in. */
export const userParams = z.object({
  username: required('Email Address'),
  password: required('Password'),
  locationCode: required('Location'),
  corporationCode: required('Corporation code'),
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
