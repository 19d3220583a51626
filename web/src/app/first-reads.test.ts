import { listAutopays } from '@gatehouse/contract/autopay';
import { listFiles } from '@gatehouse/contract/esign';
import { getFacility } from '@gatehouse/contract/facilities';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { getTenant } from '@gatehouse/contract/tenants';
import { beforeEach, expect, it, vi } from 'vitest';

const fetched = vi.fn<(url: string) => Promise<Response>>();
vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.stubGlobal('fetch', fetched);
const { setUser } = await import('#session/session.ts');
const { earlyCalls } = await import('./early-calls.ts');
const { beginStore, releaseStore, readFirst } = await import('./first-reads.ts');

const current = '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31';
const other = '0b8f3d1e-6f3a-4c55-9d35-3f1d2a7c9b10';
const examples = [listLedgers, listAutopays, listFiles, getTenant, getFacility];

beforeEach(() => {
  setUser({ token: 'rvt_1', tenants: [{ id: current }, { id: other }], locationCode: 'TXDFW03' });
  releaseStore();
  globalThis.early = undefined;
  fetched.mockReset();
  fetched.mockImplementation((url) => Promise.resolve(Response.json(exampleOf(url))));
});

function exampleOf(url: string): unknown {
  const asked = url.replaceAll(/[0-9a-f-]{36}(,[0-9a-f-]{36})*/g, 'id');
  return examples.find(({ path }) => asked.endsWith(path.replace(/.*:locationCode/, '').replace(/:\w+/, 'id')))
    ?.example;
}

/** The URLs that the HTML's own script sends for a page. */
function sentEarly(path: string): string[] {
  return earlyCalls[path]!.map((url) =>
    url
      .replace(':locationCode', 'TXDFW03')
      .replace(':currentTenant', current)
      .replace(':allTenants', `${current},${other}`),
  );
}

/** Leaves every read of a page behind as sent early. */
function leave(path: string, isHere: boolean) {
  const calls = sentEarly(path).map((url) => {
    const answer = isHere ? Promise.resolve(Response.json(exampleOf(url))) : new Promise<never>(() => {});
    return [url, { answer, isHere, stop: new AbortController() }] as const;
  });
  globalThis.early = { authorization: 'Bearer rvt_1', calls: new Map(calls), pressed: null };
}

it.each(['/', '/billing-info', '/payment-history'])('reads first on %s what was sent early', async (path) => {
  await readFirst(path);
  expect(fetched.mock.calls.map(([url]) => url)).toEqual(sentEarly(path));
});

it('has in the store what was answered early before the page is rendered', async () => {
  leave('/', true);
  expect(await readFirst('/')).toBe(true);
  const { queries } = beginStore().store.getState().api;
  expect(Object.values(queries).map((query) => query?.status)).toEqual(Array(5).fill('fulfilled'));
  expect(fetched).not.toHaveBeenCalled();
});

it('waits for no answer that is still on its way', async () => {
  leave('/', false);
  expect(await readFirst('/')).toBe(false);
});

it('starts an empty store for another session, and once it was mounted', async () => {
  await readFirst('/');
  const { store } = beginStore();
  expect(beginStore().store).toBe(store);
  setUser({ token: 'rvt_2', tenants: [{ id: other }], locationCode: 'TXDFW03' });
  expect(beginStore().store).not.toBe(store);
  const second = beginStore().store;
  releaseStore();
  expect(beginStore().store).not.toBe(second);
});
