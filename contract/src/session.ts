import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { done, id } from './ids.ts';

/** A sign-in's field is only required: no length or format rule (spec section 5). Nothing is taken off a password. */
const required = (label: string) =>
  z
    .string(`${label} is required.`)
    .check(z.minLength(1, `${label} is required.`), z.maxLength(254, `${label} is too long.`));

/** userParams of spec section 7: what signing in sends, the corporation code merged in. */
export const userParams = z.object({
  username: required('Email Address'),
  password: required('Password'),
  locationCode: required('Location'),
  corporationCode: required('Corporation code'),
});

/** POST /users/login. A wrong pair, an unknown address and a wrong location are refused alike with 401. */
export const login = endpoint({
  name: 'login',
  summary: 'Signs in at a location; the token goes into the Authorization header of every later call',
  method: 'POST',
  path: '/users/login',
  access: 'public',
  urgency: 'sign-in',
  body: userParams,
  reply: z.object({ token: z.string(), tenants: z.array(z.object({ id })) }),
  example: {
    token: 'rvt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0',
    tenants: [{ id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31' }],
  },
});

/** POST /users/logout: ours beside the spec (design section 5); ends this session. */
export const logout = endpoint({
  name: 'logout',
  summary: 'Ends the session',
  method: 'POST',
  path: '/users/logout',
  access: 'session',
  urgency: 'sign-in',
  reply: done,
  // Not "storage": another tab may just have signed in.
  replyHeaders: { 'clear-site-data': '"cache"' },
  example: { success: true },
});
