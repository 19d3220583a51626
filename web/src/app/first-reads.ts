import { areEarlyAnswersHere } from '#api/early.ts';
import type { FirstReads } from '#api/first-read.ts';
import { getSession } from '#session/session.ts';
import { createStore } from './store.ts';

type Store = ReturnType<typeof createStore>;

/** The store of a session, and the state that the HTML was rendered from. */
type Begun = {
  token: string | undefined;
  store: Store;
  prerendered: ReturnType<Store['getState']>;
};

let begun: Begun | null = null;

/** The store of the session: the one that has the first reads, until it is mounted. */
export function beginStore(): Begun {
  const token = getSession()?.token;
  if (begun === null || begun.token !== token) {
    const store = createStore();
    begun = { token, store, prerendered: store.getState() };
  }
  return begun;
}

/** Called once the store is mounted: the next one starts empty, with the same session too (C5). */
export function releaseStore(): void {
  begun = null;
}

/**
 * Makes the first reads of a screen before it is rendered. Answers whether what it shows is in the
 * store: where the answers are not here yet, nothing waits for them.
 */
export async function readFirst(reads: FirstReads = () => []): Promise<boolean> {
  const session = getSession();
  if (session === null) return false;
  const areHere = areEarlyAnswersHere();
  const { dispatch } = beginStore().store;
  const answers = reads(session).map((read) => read(dispatch));
  if (areHere) await Promise.all(answers);
  return areHere;
}
