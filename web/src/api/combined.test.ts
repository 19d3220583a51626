import { getFacility } from '@gatehouse/contract/facilities';
import { updateTenant } from '@gatehouse/contract/tenants';
import { beforeEach, expect, it, vi } from 'vitest';

vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
const { clearSession, setUser } = await import('#session/session.ts');
const { combine, takeCombined, urlOf } = await import('./combined.ts');

const user = { token: 'rvt_1', tenants: [{ id: 't1' }], locationCode: 'TXDFW03' };
const args = { params: { corp: 'ANCHOR', locationCode: 'TXDFW03' } };
const url = urlOf(getFacility, args);
const facility = { name: 'Eagle Mountain' };

beforeEach(() => setUser(user));

it('gives an answer once: the next call is sent', async () => {
  combine({ awaited: new Set([url]), answers: Promise.resolve(new Map([[url, facility]])) });
  expect(await takeCombined(getFacility, args)).toBe(facility);
  expect(await takeCombined(getFacility, args)).toBeUndefined();
});

it('lets those wait that it was begun for, and no other one', async () => {
  const { promise, resolve } = Promise.withResolvers<Map<string, unknown>>();
  combine({ awaited: new Set([url]), answers: promise });
  const waiting = takeCombined(getFacility, args);
  const other = { params: { corp: 'ANCHOR', locationCode: 'CASAC01' } };
  expect(await takeCombined(getFacility, other)).toBeUndefined();
  resolve(new Map([[url, facility]]));
  expect(await waiting).toBe(facility);
});

it('has no answer for what it failed to bring', async () => {
  combine({ awaited: new Set([url]), answers: Promise.resolve(null) });
  expect(await takeCombined(getFacility, args)).toBeUndefined();
  combine({ awaited: new Set([url]), answers: Promise.resolve(new Map([[url, undefined]])) });
  expect(await takeCombined(getFacility, args)).toBeUndefined();
});

it('is over once something is changed, while it is waited for too', async () => {
  const { promise, resolve } = Promise.withResolvers<Map<string, unknown>>();
  combine({ awaited: new Set([url]), answers: promise });
  const waiting = takeCombined(getFacility, args);
  expect(await takeCombined(updateTenant, { params: { ...args.params, tenantId: 't1' } })).toBe(
    undefined,
  );
  resolve(new Map([[url, facility]]));
  expect(await waiting).toBeUndefined();
});

it('is nothing for another session', async () => {
  combine({ awaited: new Set([url]), answers: Promise.resolve(new Map([[url, facility]])) });
  clearSession();
  setUser({ ...user, token: 'rvt_2' });
  expect(await takeCombined(getFacility, args)).toBeUndefined();
});
