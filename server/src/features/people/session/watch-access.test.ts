import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { useTestApp, signIn } from '#test/app.ts';
import { watchAccess } from './watch-access.ts';
import { addRows } from '#test/rows.ts';

const api = useTestApp('demo_template', { clock: { now: () => now } });
let now = new Date('2026-11-23T12:30:00Z');
beforeEach(() => {
  now = new Date(now.getTime() + 2 * 3_600_000);
});

const alarmsOf = (kind: string) =>
  api.owner
    .selectFrom('alarms')
    .select(['facts', 'sentence'])
    .where('kind', '=', kind)
    .orderBy('raised_at')
    .execute();

/** Failed sign-ins, as many a minute ago, over this many accounts. */
const fail = (count: number, accounts: number) => {
  const digests = Array.from({ length: accounts }, () => randomBytes(32));
  return addRows(
    api.owner,
    'audit_events',
    Array.from({ length: count }, (_, index) => ({
      at: new Date(now.getTime() - 60_000),
      kind: 'sign_in_failed' as const,
      account: digests[index % accounts]!,
      request_id: randomUUID(),
    })),
  );
};

// asvs 16.3.1
test('many failed sign-ins within an hour raise one alarm', async () => {
  await fail(199, 3);
  await watchAccess(api.ctx);
  expect(await alarmsOf('sign_in_failures')).toEqual([]);
  await fail(1, 1);
  await watchAccess(api.ctx);
  await watchAccess(api.ctx);
  expect(await alarmsOf('sign_in_failures')).toEqual([
    {
      facts: { failures: 200, accounts: 4 },
      sentence:
        '200 sign-ins to 4 accounts failed within the last hour: somebody may be guessing passwords.',
    },
  ]);
});

test('failed sign-ins to many accounts raise an alarm, older than an hour they do not', async () => {
  const before = (await alarmsOf('sign_in_failures')).length;
  await fail(50, 50);
  now = new Date(now.getTime() + 3_600_000);
  await watchAccess(api.ctx);
  expect(await alarmsOf('sign_in_failures')).toHaveLength(before);
  await fail(50, 50);
  await watchAccess(api.ctx);
  expect(await alarmsOf('sign_in_failures')).toHaveLength(before + 1);
});

test('a user who asks for so many ids of others that no more are recorded raises an alarm', async () => {
  const { token, prefix } = await signIn(api, 'lee@example.com');
  const ask = () => api.call('GET', `${prefix}/tenants/${randomUUID()}`, { token });
  for (let index = 0; index < 59; index += 1) expect((await ask()).status).toBe(404);
  await watchAccess(api.ctx);
  expect(await alarmsOf('access_probing')).toEqual([]);
  for (let index = 0; index < 5; index += 1) await ask();
  await watchAccess(api.ctx);
  expect(await alarmsOf('access_probing')).toMatchObject([{ facts: { refused: 60 } }]);
});

const refuse = (count: number, event: { userId: (index: number) => string; ip: string }) =>
  addRows(
    api.owner,
    'audit_events',
    Array.from({ length: count }, (_, index) => ({
      at: new Date(now.getTime() - 60_000),
      kind: 'access_refused' as const,
      user_id: event.userId(index),
      ip: event.ip,
      request_id: randomUUID(),
    })),
  );

test('several users at one address who stay below the number of one raise an alarm together', async () => {
  const users = await api.owner.selectFrom('users').select('id').limit(3).execute();
  const before = (await alarmsOf('access_probing')).length;
  const event = { userId: (index: number) => users[index % 3]!.id, ip: '203.0.113.9' };
  await refuse(59, event);
  await watchAccess(api.ctx);
  expect(await alarmsOf('access_probing')).toHaveLength(before);
  await refuse(1, event);
  await watchAccess(api.ctx);
  const [alarm, ...others] = (await alarmsOf('access_probing')).slice(before);
  expect(others).toEqual([]);
  expect(alarm!.facts).toEqual({ ip: '203.0.113.9', users: 3, refused: 60 });
});
