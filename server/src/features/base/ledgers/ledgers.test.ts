import { expect, test } from 'vitest';
import { useTestApp, signIn } from '#test/app.ts';
import { tripsOf } from '#test/round-trips.ts';

const api = useTestApp('demo_template');

test('the rentals take one round trip to the database after the guard’s question', async () => {
  const { token, prefix, tenantIds } = await signIn(api, 'dana@example.com');
  const read = () => api.call('GET', `${prefix}/tenants/${tenantIds[0]}/ledgers`, { token });
  await read();
  const trips = await tripsOf(async () => {
    expect((await read()).body.length).toBeGreaterThan(0);
  });
  expect(trips).toBe(2);
});

test('the rentals of another user’s record are not found, those without a session refused, and both read nothing', async () => {
  const [dana, lee] = [await signIn(api, 'dana@example.com'), await signIn(api, 'lee@example.com')];
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  const foreign = await api.call('GET', path, lee);
  const missing = await api.call('GET', path.replace(dana.tenantIds[0]!, lee.prefix.slice(-8)), {
    token: lee.token,
  });
  expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
  expect(foreign.status).toBe(404);
  const without = await api.call('GET', path, { token: `${lee.token}x` });
  expect([without.status, Object.keys(without.body)]).toEqual([401, ['message']]);
});
