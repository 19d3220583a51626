import { createCache } from '#api/base.ts';
import type { FirstReads } from '#api/first-read.ts';
import { setUser } from '#session/session.ts';
import type { PagePlan } from './before-paint.ts';

/** In place of a session: what the HTML's own script fills in, at the place where it belongs. */
const placeholders = {
  token: 'none',
  tenants: [{ id: ':allTenants' }],
  currentTenantId: ':currentTenant',
  locationCode: ':locationCode',
};

/**
 * The plan of a page for the script in its HTML. Used by the build alone: it makes the screen's
 * first reads, with a `fetch` that keeps their URLs.
 */
export async function planOf(
  side: PagePlan['side'],
  reads: FirstReads = () => [],
): Promise<PagePlan> {
  const calls: string[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (url) => {
    // `call` fetches by text. What is to be filled in comes back escaped.
    calls.push((url as string).replaceAll('%3A', ':'));
    return Promise.resolve(new Response(null, { status: 404 }));
  };
  if (side === 'tenant') setUser(placeholders);
  const cache = createCache();
  try {
    await Promise.allSettled(reads(placeholders).map((read) => read(cache)));
  } finally {
    globalThis.fetch = fetch;
    // The timers that keep unused answers would hold the build open for a minute.
    cache.clear();
  }
  return { side, calls };
}
