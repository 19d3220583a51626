import type { QueryClient } from '@tanstack/react-query';
import { createCache } from '#api/base.ts';
import type { FirstReads } from '#api/first-read.ts';
import { getSession } from '#session/session.ts';

/** The cache of a session. */
type Begun = { token: string | undefined; cache: QueryClient };

let begun: Begun | null = null;

/** The cache of the session: the one that has the first reads, until it is mounted. */
export function beginCache(): QueryClient {
  const token = getSession()?.token;
  if (begun === null || begun.token !== token) begun = { token, cache: createCache() };
  return begun.cache;
}

/** Called once the cache is mounted: the next one starts empty, with the same session too. */
export function releaseCache(): void {
  begun = null;
}

/** Begins the first reads of a screen before it is rendered; settles when they are in the cache. */
export async function readFirst(reads: FirstReads = () => []): Promise<void> {
  const session = getSession();
  if (session === null) return;
  const cache = beginCache();
  await Promise.all(reads(session).flatMap(({ begin }) => begin?.(cache) ?? []));
}
