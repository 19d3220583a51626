import { useSyncExternalStore } from 'react';
import { getSession, type Session, subscribe } from './session.ts';

/** The session, followed. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, getSession, getSession);
}
