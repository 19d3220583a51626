import { createContext, use, useSyncExternalStore } from 'react';
import { getSession, type Session, subscribe } from './session.ts';

/** The session that the build renders a page with; null in a browser. */
export const PrerenderedSession = createContext<Session | null>(null);

/** The session, followed. */
export function useSession(): Session | null {
  const prerendered = use(PrerenderedSession);
  return useSyncExternalStore(subscribe, getSession, () => prerendered ?? getSession());
}
