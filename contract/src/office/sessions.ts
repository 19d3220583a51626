import { z } from 'zod/mini';
import { done } from '../ids.ts';
import { officeEndpoint } from './office-endpoint.ts';

/**
 * A session of the member that lasts. `id` is no part of its token; `browser` is what the browser
 * called itself when it signed in, `network` the address that it came from; each null where it is
 * not known.
 */
const staffSession = z.object({
  id: z.string(),
  browser: z.nullable(z.string()),
  network: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  isCurrent: z.boolean(),
});
export type StaffSession = z.infer<typeof staffSession>;

/** GET /office/me/sessions: the caller's own first, then the last used. */
export const listStaffSessions = officeEndpoint({
  name: 'listStaffSessions',
  method: 'GET',
  path: '/office/me/sessions',
  access: 'staff',
  role: 'clerk',
  reply: z.array(staffSession),
});

/**
 * POST /office/me/sessions/end: ends a session of the member at once, with null all but the
 * caller's own. 404 for one of another member, or ended before.
 */
export const endStaffSession = officeEndpoint({
  name: 'endStaffSession',
  method: 'POST',
  path: '/office/me/sessions/end',
  access: 'staff',
  role: 'clerk',
  body: z.object({ session: z.nullable(z.string().check(z.maxLength(50))) }),
  reply: done,
});
