import { getOverview } from '@gatehouse/contract/overview';
import { beforeEach, expect, it, vi } from 'vitest';

const fetched = vi.fn<(url: string) => Promise<Response>>();
vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.stubGlobal('fetch', fetched);
const { setUser } = await import('#session/session.ts');
const { planOf } = await import('./page-plan.ts');
const { routeOf } = await import('./routes.ts');
const { beginCache, releaseCache, readFirst } = await import('./first-reads.ts');

const current = '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31';
const other = '0b8f3d1e-6f3a-4c55-9d35-3f1d2a7c9b10';
const user = { token: 'rvt_1', tenants: [{ id: current }, { id: other }], locationCode: 'TXDFW03' };

beforeEach(() => {
  setUser(user);
  releaseCache();
  globalThis.early = undefined;
  fetched.mockReset();
  fetched.mockImplementation(() => Promise.resolve(Response.json(getOverview.example)));
});

async function readsOf(path: string) {
  return (await routeOf(path)!.Screen.load()).reads;
}

/** Leaves the first read of My Units behind as sent early. */
async function leave(isHere: boolean) {
  const { calls: urls } = await planOf('tenant', await readsOf('/'));
  setUser(user);
  const calls = urls.map((template) => {
    const url = template.replace(':locationCode', 'TXDFW03').replace(':currentTenant', current);
    const answer = isHere
      ? Promise.resolve(Response.json(getOverview.example))
      : new Promise<never>(() => {});
    return [url, { answer, isHere, stop: new AbortController() }] as const;
  });
  globalThis.early = {
    authorization: 'Bearer rvt_1',
    calls: new Map(calls),
    sentAt: 0,
    pressed: null,
    sendReadsOf: () => {},
    begun: () => {},
    loadSheet: () => Promise.resolve(),
  };
}

it('has in the cache what was answered early before the page is rendered', async () => {
  await leave(true);
  expect(await readFirst(await readsOf('/'))).toBe(true);
  const queries = beginCache().getQueryCache().getAll();
  expect(queries.map(({ state }) => state.status)).toEqual(Array(8).fill('success'));
  expect(fetched).not.toHaveBeenCalled();
});

it('waits for no answer that is still on its way', async () => {
  await leave(false);
  expect(await readFirst(await readsOf('/'))).toBe(false);
});

it('starts an empty cache for another session, and once it was mounted', async () => {
  await readFirst(await readsOf('/'));
  const cache = beginCache();
  expect(beginCache()).toBe(cache);
  setUser({ token: 'rvt_2', tenants: [{ id: other }], locationCode: 'TXDFW03' });
  expect(beginCache()).not.toBe(cache);
  const second = beginCache();
  releaseCache();
  expect(beginCache()).not.toBe(second);
});
