import type { Me } from '@gatehouse/contract/office/session';
import { useSyncExternalStore } from 'react';

/** The signed-in member of staff, and whether a session that ended is being renewed. */
type Session = { me: Me | null; isAsking: boolean };

let session: Session = { me: null, isAsking: false };
let answerAsking: ((isSignedIn: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function change(next: Partial<Session>): void {
  session = { ...session, ...next };
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session);
}

export function isSignedIn(): boolean {
  return session.me !== null;
}

/** The member of staff, or null before sign-in. */
export function currentMe(): Me | null {
  return session.me;
}

/** Keeps who is signed in; calls that wait for a new sign-in go on, or with null are given up. */
export function keepMe(me: Me | null): void {
  change({ me, isAsking: false });
  for (const answer of answerAsking) answer(me !== null);
  answerAsking = [];
}

/** Asks for a new sign-in over the page as it is; false where it was given up. */
export function askToSignIn(): Promise<boolean> {
  change({ isAsking: true });
  return new Promise((resolve) => answerAsking.push(resolve));
}
