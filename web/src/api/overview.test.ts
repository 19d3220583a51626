import { getOverview } from '@gatehouse/contract/overview';
import { beforeEach, expect, it, vi } from 'vitest';

const fetched = vi.fn<(url: string) => Promise<Response>>();
vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.stubGlobal('fetch', fetched);
const { change, createCache, mutation, optionsOf } = await import('./base.ts');
const { gateAccessCalls } = await import('./gate-access.ts');
const { ledgerCalls } = await import('./ledgers.ts');
const { overviewRead } = await import('./overview.ts');
const { tenantCalls } = await import('./tenants.ts');
const { clearSession, getSession, setUser } = await import('#session/session.ts');

const overview = getOverview.example;
const [ledger] = overview.ledgers!;
const current = ledger!.tenantId;
const other = '0b8f3d1e-6f3a-4c55-9d35-3f1d2a7c9b10';

beforeEach(() => {
  setUser({ token: 'rvt_1', tenants: [{ id: current }, { id: other }], locationCode: 'TXDFW03' });
  fetched.mockReset();
  fetched.mockImplementation((url) =>
    Promise.resolve(
      url.endsWith('/overview')
        ? Response.json(overview)
        : Response.json({ message: 'Not here.' }, { status: 404 }),
    ),
  );
});

const read = (cache: ReturnType<typeof createCache>) => overviewRead(getSession()!).begin!(cache);
const asked = () => fetched.mock.calls.map(([url]) => url.replace(/.*\/TXDFW03/, ''));

it('fills by one call the queries of all that My Units shows', async () => {
  const cache = createCache();
  await read(cache);
  expect(asked()).toEqual([`/tenants/${current}/overview`]);
  const queries = cache.getQueryCache().getAll();
  expect(queries.map(({ state }) => state.status)).toEqual(Array(10).fill('success'));
  for (const [query, arg, data] of [
    [ledgerCalls.listLedgers, [current], overview.ledgers],
    [gateAccessCalls.getUnitGateAccess, ledger!.unitId, overview.gateAccess![0]],
    [tenantCalls.listTenants, [other], overview.others!.tenants],
  ] as const)
    expect(
      cache.getQueryData(optionsOf<never, unknown>(query as never, arg as never).queryKey),
    ).toEqual(data);
});

it('brings a gate access that is not asked for again, until something is changed', async () => {
  const cache = createCache();
  await read(cache);
  const { queryKey } = optionsOf(gateAccessCalls.getUnitGateAccess, ledger!.unitId);
  const isAskedAgain = () => cache.getQueryCache().find({ queryKey })!.isStaleByTime(0);
  expect(isAskedAgain()).toBe(false);
  await change(cache, mutation({ send: () => Promise.resolve(), invalidates: [] }), undefined);
  expect(isAskedAgain()).toBe(true);
});

it('leaves to its own call what it did not bring', async () => {
  const { ledgers: _, ...rest } = overview;
  fetched.mockImplementationOnce(() => Promise.resolve(Response.json(rest)));
  await read(createCache());
  expect(asked()).toContain(`/tenants/${current}/ledgers`);
  expect(asked()).not.toContain(`/tenants/${current}/autopays`);
});

it('is out of date where something was changed before it came', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  fetched.mockImplementationOnce(() => promise);
  const cache = createCache();
  const reading = read(cache);
  await change(cache, mutation({ send: () => Promise.resolve(), invalidates: [] }), undefined);
  resolve(Response.json(overview));
  await reading;
  expect(asked()).toContain(`/tenants/${current}/ledgers`);
});

it('asks for nothing and fails in no effect once the session has ended', async () => {
  const cache = createCache();
  const begin = overviewRead(getSession()!).begin!;
  clearSession();
  await expect(begin(cache)).resolves.toBe(undefined);
  expect(fetched).not.toHaveBeenCalled();
});
