import { z } from 'zod/mini';
import { accountLanguage } from './account-language.ts';
import { endpoint } from './endpoint.ts';
import { id } from './ids.ts';
import { userParams } from './user-params.ts';

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
  // Not in the spec: `device` is for the next sign-in, by `serverTime` the browser knows how wrong
  // its own clock is. `language` is the account's, `isLanguageChosen` says
  // whether its tenant chose it.
  reply: z.object({
    token: z.string(),
    tenants: z.array(z.object({ id })),
    device: z.string(),
    serverTime: z.iso.datetime(),
    language: accountLanguage,
    isLanguageChosen: z.boolean(),
  }),
  example: {
    token: 'rvt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0',
    tenants: [{ id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31' }],
    device: 'rdt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0',
    serverTime: '2026-11-14T15:04:05.000Z',
    language: 'en',
    isLanguageChosen: false,
  },
});
