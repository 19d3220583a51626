import type { QueryClient } from '@tanstack/react-query';
import { areEarlyAnswersHere } from '#api/early.ts';
import { createFirstCache, endBeginning, type FirstReads } from '#api/first-read.ts';
import { getSession } from '#session/session.ts';

/** The cache of a session. */
type Begun = { token: string | undefined; cache: QueryClient };

let begun: Begun | null = null;

/** The cache of the session: the one that has the first reads, until it is mounted. */
export function beginCache(): QueryClient {
  const token = getSession()?.token;
  if (begun === null || begun.token !== token) begun = { token, cache: createFirstCache() };
  return begun.cache;
}

/** Called once the cache is mounted: the next one starts empty, with the same session too (C5). */
export function releaseCache(): void {
  if (begun !== null) endBeginning(begun.cache);
  begun = null;
}

/**
 * Makes the first reads of a screen before it is rendered. Answers whether what it shows is in the
 * cache: where the answers are not here yet, nothing waits for them.
 */
export async function readFirst(reads: FirstReads = () => []): Promise<boolean> {
  const session = getSession();
  if (session === null) return false;
  const areHere = areEarlyAnswersHere();
  const cache = beginCache();
  const answers = reads(session).map((read) => read(cache));
  if (areHere) await Promise.all(answers);
  return areHere;
}
