import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '#session/session.ts';
import { createCache, optionsOf, type Query } from './base.ts';

/** A read that a page starts with; settles when it is answered, and never rejects. */
export type FirstRead = (cache: QueryClient) => Promise<unknown>;

/** Caches whose first screen is not mounted yet. */
const beginning = new WeakSet<QueryClient>();

/** A cache for first reads, to which `isBeginning` applies until `endBeginning`. */
export function createFirstCache(): QueryClient {
  const cache = createCache();
  beginning.add(cache);
  return cache;
}

/** To be called when the first screen is mounted. */
export function endBeginning(cache: QueryClient): void {
  beginning.delete(cache);
}

/** Whether all that is in the cache was read for the screen that mounts now. */
export function isBeginning(cache: QueryClient): boolean {
  return beginning.has(cache);
}

/**
 * What a screen reads first, in the order in which it shows it: reads that need a session and
 * nothing that another read answers. They are sent before the screen's code is loaded.
 */
export type FirstReads = (session: Session) => FirstRead[];

/** The first read of a query of this folder, as the screen's hook will ask for it. */
export function firstRead<Arg, Data>(query: Query<Arg, Data>, arg: Arg): FirstRead {
  return (cache) => cache.query(optionsOf(query, arg)).catch(() => undefined);
}
