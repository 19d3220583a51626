import { getMe } from '@gatehouse/contract/office/session';
import { call } from './call.ts';
import { currentMe, keepMe } from './session.ts';

/**
 * The tabs of a browser share the cookie of the session, and each shows the member of staff whom it
 * found: a sign-in or sign-out in one of them is all tabs'. What a tab has missed, the server
 * refuses (call.ts).
 */
const tabs = new BroadcastChannel('gatehouse-office');

/** Says to the other tabs who has signed in, by id; null is a sign-out. */
export function announce(id: string | null): void {
  tabs.postMessage(id);
}

/** Follows the other tabs, and finds out who is signed in whenever this one is shown again. */
export function followTabs(): void {
  tabs.onmessage = ({ data }: MessageEvent<string | null>) => follow(data);
  document.addEventListener('visibilitychange', () => void look());
  // From the browser's page cache, where it heard nothing.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
}

/** A page load leaves nothing of the last member in memory or on the screen. */
function follow(id: string | null): void {
  const me = currentMe();
  if (me === null) {
    if (id !== null && location.pathname === '/office/login') location.replace('/office/');
  } else if (id === null) location.replace('/office/login');
  else if (id !== me.id) location.reload();
  // Calls that wait for a new sign-in go on.
  else keepMe(me);
}

/** Role and facilities may have changed as well. */
async function look(): Promise<void> {
  if (document.hidden || currentMe() === null) return;
  const me = await call(getMe, {}).catch(() => null);
  // Without an answer the next call finds out.
  if (me === null) return;
  if (me.id === currentMe()?.id) keepMe(me);
  else location.reload();
}
