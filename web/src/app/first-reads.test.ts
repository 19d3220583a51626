import { getOverview } from '@gatehouse/contract/overview';
import { beforeEach, expect, it, vi } from 'vitest';

const fetched = vi.fn<(url: string) => Promise<Response>>();
vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.stubGlobal('fetch', fetched);
const { setUser } = await import('#session/session.ts');
const { routeOf } = await import('./routes.ts');
const { beginCache, releaseCache, readFirst } = await import('./first-reads.ts');

const current = '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31';
const other = '0b8f3d1e-6f3a-4c55-9d35-3f1d2a7c9b10';
const user = { token: 'rvt_1', tenants: [{ id: current }, { id: other }], locationCode: 'TXDFW03' };

beforeEach(() => {
  setUser(user);
  releaseCache();
  fetched.mockReset();
  fetched.mockImplementation(() => Promise.resolve(Response.json(getOverview.example)));
});

it('has the first reads of a screen in the cache of the session', async () => {
  const { reads } = await routeOf('/')!.Screen.load();
  await readFirst(reads);
  const queries = beginCache().getQueryCache().getAll();
  expect(new Set(queries.map(({ state }) => state.status))).toEqual(new Set(['success']));
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('starts an empty cache for another session, and once it was mounted', () => {
  const cache = beginCache();
  expect(beginCache()).toBe(cache);
  setUser({ token: 'rvt_2', tenants: [{ id: other }], locationCode: 'TXDFW03' });
  expect(beginCache()).not.toBe(cache);
  const second = beginCache();
  releaseCache();
  expect(beginCache()).not.toBe(second);
});
