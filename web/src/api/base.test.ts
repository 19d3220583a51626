import { getFacility } from '@gatehouse/contract/facilities';
import { logout } from '@gatehouse/contract/session';
import { configureStore } from '@reduxjs/toolkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const fetched = vi.fn<(url: string) => Promise<Response>>();
vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.stubGlobal('fetch', fetched);
const { api, request, tagTypes } = await import('./base.ts');
const { setUser } = await import('#session/session.ts');

setUser({
  token: 'rvt_1',
  tenants: [{ id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31' }],
  locationCode: 'TXDFW03',
});
const { endpoints } = api.injectEndpoints({
  endpoints: (build) => ({
    readFacility: build.query<unknown, undefined>({ query: () => request(getFacility, {}) }),
    write: build.mutation<unknown, undefined>({ query: () => ({ endpoint: logout, args: {} }) }),
  }),
});

function newStore() {
  return configureStore({
    reducer: { api: api.reducer },
    middleware: (withDefaults) => withDefaults().concat(api.middleware),
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  fetched.mockReset();
});

it('has the eight groups of cached data of spec section 4', () => {
  expect(tagTypes).toEqual([
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

it('fills the facility prefix from constant and session', async () => {
  fetched.mockResolvedValueOnce(Response.json(getFacility.example));
  const { data } = await newStore().dispatch(endpoints.readFacility.initiate(undefined));
  expect(data).toEqual(getFacility.example);
  expect(fetched.mock.calls[0]![0]).toBe('/api/corporations/ANCHOR/locations/TXDFW03');
});

it('tries a read twice more when nothing answers, then gives the sentence', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  const result = newStore().dispatch(endpoints.readFacility.initiate(undefined));
  await vi.runAllTimersAsync();
  expect((await result).error).toMatchObject({ status: 0, kind: 'fetch' });
  expect(fetched).toHaveBeenCalledTimes(3);
});

it('does not repeat a read that was refused', async () => {
  fetched.mockResolvedValue(Response.json({ message: 'Not found.' }, { status: 404 }));
  const { error } = await newStore().dispatch(endpoints.readFacility.initiate(undefined));
  expect(error).toEqual({ status: 404, message: 'Not found.', kind: 'refused' });
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('never repeats what writes (C12)', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  const result = newStore().dispatch(endpoints.write.initiate(undefined));
  await vi.runAllTimersAsync();
  expect((await result).error).toMatchObject({ status: 0, kind: 'fetch' });
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('keeps unused data for 60 seconds (spec section 9)', async () => {
  fetched.mockResolvedValueOnce(Response.json(getFacility.example));
  const store = newStore();
  const subscription = store.dispatch(endpoints.readFacility.initiate(undefined));
  await subscription;
  const cached = () => Object.keys(store.getState().api.queries).length;
  subscription.unsubscribe();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(cached()).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(cached()).toBe(0);
});

it('batches subscription updates for 500 ms (spec section 9)', async () => {
  fetched.mockResolvedValue(Response.json(getFacility.example));
  const store = newStore();
  const subscribed = () => Object.keys(store.getState().api.subscriptions).length;
  void store.dispatch(endpoints.readFacility.initiate(undefined));
  await vi.advanceTimersByTimeAsync(499);
  expect(subscribed()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(subscribed()).toBe(1);
});
