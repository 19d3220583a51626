import { getFacility } from '@gatehouse/contract/facilities';
import { updateTenant } from '@gatehouse/contract/tenants';
import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const fetched = vi.fn<(url: string) => Promise<Response>>();
vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.stubGlobal('fetch', fetched);
const { cacheGroups, change, createCache, mutation, optionsOf, query, request } =
  await import('./base.ts');
const { setUser } = await import('#session/session.ts');

const ID = '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31';
const OTHER = '0b8f3d1e-6f3a-4c55-9d35-3f1d2a7c9b10';
setUser({ token: 'rvt_1', tenants: [{ id: ID }], locationCode: 'TXDFW03' });
const facility = optionsOf(
  query({ name: 'readFacility', group: null, send: () => request(getFacility, {}) }),
  undefined,
);
const write = mutation({
  send: () =>
    request(updateTenant, { tenantId: ID }, { body: { phone: { primary: '8175550134' } } }),
  invalidates: [],
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  fetched.mockReset();
});

describe('a page of a session that has ended, while another account has signed in', () => {
  afterEach(() => setUser({ token: 'rvt_1', tenants: [{ id: ID }], locationCode: 'TXDFW03' }));
  const signInAnother = () =>
    setUser({ token: 'rvt_2', tenants: [{ id: OTHER }], locationCode: 'TXDFW03' });
  const refused = { status: 401, message: 'Please sign in again.' };

  it('sends no change and reads nothing for it', async () => {
    const cache = createCache();
    signInAnother();
    await expect(change(cache, write, undefined)).rejects.toMatchObject(refused);
    await expect(cache.query(facility)).rejects.toMatchObject(refused);
    expect(fetched).not.toHaveBeenCalled();
    await expect(change(createCache(), write, undefined)).rejects.toMatchObject({ kind: 'fetch' });
  });

  it('does not try a read again for it', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    const answer = expect(createCache().query(facility)).rejects.toMatchObject(refused);
    await vi.advanceTimersByTimeAsync(0);
    signInAnother();
    await vi.runAllTimersAsync();
    await answer;
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('does not send for it what had to wait', async () => {
    const send = request(updateTenant, { tenantId: ID }, { body: {} });
    signInAnother();
    await expect(send).rejects.toMatchObject(refused);
    expect(fetched).not.toHaveBeenCalled();
  });
});

// spec 4.54
it('has the eight groups of cached data of the specification', () => {
  expect(cacheGroups).toEqual([
    'TenantInformation',
    'LedgerInsurance',
    'Autopay',
    'LedgerGateAccess',
    'TenantLedgers',
    'LedgerVehicle',
    'TenantCharges',
    'UnitContents',
  ]);
});

// spec 1.1, 1.17, 7.2, 9.26
it('fills the facility prefix from constant and session', async () => {
  fetched.mockResolvedValueOnce(Response.json(getFacility.example));
  expect(await createCache().query(facility)).toEqual(getFacility.example);
  expect(fetched.mock.calls[0]![0]).toBe('/api/corporations/ANCHOR/locations/TXDFW03');
});

it('tries a read twice more when nothing answers, then gives the sentence', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  const answer = expect(createCache().query(facility)).rejects.toMatchObject({
    status: 0,
    kind: 'fetch',
  });
  await vi.runAllTimersAsync();
  await answer;
  expect(fetched).toHaveBeenCalledTimes(3);
});

it('tries again when the server was not there, after a pause that grows', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.6);
  fetched.mockImplementation(() => Promise.resolve(new Response(null, { status: 503 })));
  const answer = expect(createCache().query(facility)).rejects.toMatchObject({ status: 503 });
  for (const [pause, sent] of [
    [0, 1],
    [599, 1],
    [1, 2],
    [1199, 2],
    [1, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(pause);
    expect(fetched).toHaveBeenCalledTimes(sent);
  }
  await answer;
});

it('does not repeat a read that was refused', async () => {
  fetched.mockResolvedValue(Response.json({ message: 'Not found.' }, { status: 404 }));
  await expect(createCache().query(facility)).rejects.toMatchObject({
    status: 404,
    message: 'Not found.',
    kind: 'refused',
  });
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('never repeats what writes', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  const answer = expect(change(createCache(), write, undefined)).rejects.toMatchObject({
    status: 0,
    kind: 'fetch',
  });
  await vi.runAllTimersAsync();
  await answer;
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('reads without a network too, and says then that there is none', async () => {
  onlineManager.setOnline(false);
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  const answer = expect(createCache().query(facility)).rejects.toMatchObject({
    kind: 'fetch',
  });
  await vi.runAllTimersAsync();
  await answer;
  onlineManager.setOnline(true);
});

// spec 9.29
it('keeps unused data for 60 seconds', async () => {
  fetched.mockResolvedValueOnce(Response.json(getFacility.example));
  const cache = createCache();
  const cached = () => cache.getQueryCache().getAll().length;
  const stop = new QueryObserver(cache, facility).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(100_000);
  stop();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(cached()).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(cached()).toBe(0);
});

// spec 9.30
it('asks for nothing again that is there, however many parts show it', async () => {
  fetched.mockResolvedValue(Response.json(getFacility.example));
  const cache = createCache();
  await cache.query(facility);
  new QueryObserver(cache, facility).subscribe(() => {});
  new QueryObserver(cache, facility).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toHaveBeenCalledTimes(1);
});
