import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { done } from './ids.ts';

/** A session that a passkey keeps on a phone lasts this many days. */
export const KEPT_DAYS = 30;

/**
 * A session that lasts, of the sign-in of its caller. `id` is no part of its token. `browser` is
 * what the browser called itself when it signed in, such as "Chrome on Android", null where that
 * says nothing. `keptUntil` is when a kept one ends, null for any other.
 */
export const sessionRow = z.object({
  id: z.string(),
  browser: z.nullable(z.string()),
  facilityName: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  isCurrent: z.boolean(),
  keptUntil: z.nullable(z.iso.datetime()),
});
export type SessionRow = z.infer<typeof sessionRow>;

/** GET /users/sessions, not in the spec: the caller's own first, then the last used. */
export const listSessions = endpoint({
  name: 'listSessions',
  subject: 'Signing in',
  summary: 'Where the sign-in is signed in',
  method: 'GET',
  path: '/users/sessions',
  access: 'session',
  reply: z.array(sessionRow),
  example: [
    {
      id: 'Xk3v9QnB5wLr2TtYc8HdPg',
      browser: 'Chrome on Android',
      facilityName: 'Anchor & Axle Storage',
      createdAt: '2026-11-26T14:00:00.000Z',
      lastSeenAt: '2026-11-26T14:20:00.000Z',
      isCurrent: true,
      keptUntil: null,
    },
  ],
});

/**
 * POST /users/sessions/{sessionId}/logout, not in the spec: ends a session of the sign-in. 404 for
 * one of another sign-in, or ended before.
 */
export const endSession = endpoint({
  name: 'endSession',
  subject: 'Signing in',
  summary: 'Ends one session of the sign-in',
  method: 'POST',
  path: '/users/sessions/:sessionId/logout',
  access: 'session',
  urgency: 'sign-in',
  params: z.object({ sessionId: z.string() }),
  reply: done,
  example: { success: true },
});
