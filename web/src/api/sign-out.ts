import { logout } from '@gatehouse/contract/session';
import { call } from '#api/call.ts';
import { forgetPass } from '#session/kept-pass.ts';
import { clearSession, type SessionEnd } from '#session/session.ts';

/**
 * Ends the session here at once and on the server without waiting for it; the guard then shows
 * `/login`.
 */
export function signOut(why: SessionEnd = 'logout'): void {
  // What the server answers changes nothing: the token is forgotten here and dies by itself there.
  call(logout, {}, { isKeptAlive: true }).catch(() => {});
  clearSession(why);
  // An idle sign-out leaves it: the tenant may be at the gate.
  if (why === 'logout') forgetPass();
}
