import { endpoint } from './endpoint.ts';
import { done } from './ids.ts';

/** POST /users/logout: not in the spec; ends this session. */
export const logout = endpoint({
  name: 'logout',
  subject: 'Signing in',
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
