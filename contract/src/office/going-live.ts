import { z } from 'zod/mini';
import { officeEndpoint } from './office-endpoint.ts';

/**
 * The severity of a finding. `warning`: it works and should be looked at; `fault`: it does not
 * work, or soon will not.
 */
const level = z.enum(['ok', 'warning', 'fault']);
export type Level = z.infer<typeof level>;

/**
 * What the guide must have brought, with its state and what to do; `todo` is null where it is ok.
 */
const step = z.object({
  subject: z.string(),
  level,
  says: z.string(),
  todo: z.nullable(z.string()),
});
export type GoingLiveStep = z.infer<typeof step>;

/**
 * GET /office/going-live: what `doctor` says of it, without a secret. Asks mail server and gateway.
 */
export const getGoingLive = officeEndpoint({
  name: 'getGoingLive',
  method: 'GET',
  path: '/office/going-live',
  access: 'staff',
  role: 'owner',
  reply: z.object({ isLive: z.boolean(), steps: z.array(step) }),
});
