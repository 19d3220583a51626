import { expect, test } from 'vitest';
import type { OfficeArgs, OfficeEndpoint } from './office-endpoint.ts';
import { officeEndpoints } from './office-endpoints.ts';
import { officeVerbs } from './verbs.ts';

const all = Object.entries<OfficeEndpoint>(officeEndpoints);

test.each(all)('%s is listed under its name', (name, endpoint) => {
  expect(endpoint.name).toBe(name);
});

test('every call of the office has a method and path of its own, and names its parameters', () => {
  const calls = all.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(calls).size).toBe(calls.length);
  for (const [name, { path, params }] of all) {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter);
    const shape = (params as { shape?: object } | undefined)?.shape ?? {};
    expect([name, ...named].sort()).toEqual([name, ...Object.keys(shape)].sort());
  }
});

const key = '7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e';
const chargeId = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';

test('a verb’s call takes the verb’s body with key and reason, and who does it is never in it', () => {
  const { body, path } = officeVerbs['charges.waive'];
  expect(path).toBe('/office/verbs/charges/waive');
  expect(officeVerbs['rentals.moveOut'].path).toBe('/office/verbs/rentals/move-out');
  const given = { chargeId, amount: 5, key, why: ' asked for ', isPreview: false };
  expect(body?.parse({ ...given, by: 'Somebody' })).toEqual({ ...given, why: 'asked for' });
});

test('a reason is demanded where the verb says so', () => {
  const { body } = officeVerbs['charges.waive'];
  const failed = body?.safeParse({ chargeId, key, why: '  ', isPreview: true });
  expect(failed?.error?.issues[0]?.message).toBe('Give the reason (why).');
  const ledgerId = chargeId;
  const overlock = officeVerbs['rentals.overlock'].body;
  expect(overlock?.safeParse({ ledgerId, key, why: '', isPreview: true }).success).toBe(true);
});

test('the arguments of a call are the parts that it declares', () => {
  const waive: OfficeArgs<(typeof officeVerbs)['charges.waive']> = {
    body: { chargeId, key, why: 'asked for', isPreview: true },
  };
  const list: OfficeArgs<typeof officeEndpoints.listTenants> = { query: { q: 'Reyes' } };
  const me: OfficeArgs<typeof officeEndpoints.getMe> = {};
  // @ts-expect-error the reason is missing
  const bare: OfficeArgs<(typeof officeVerbs)['charges.waive']> = { body: { chargeId, key } };
  expect([waive, list, me, bare]).toHaveLength(4);
});
