import { expect, test } from 'vitest';
import { useTestApp } from '#test/app.ts';
import { reconcileDay } from './daily-checks.ts';

let now = new Date('2026-11-20T16:30:00Z');
const api = useTestApp('empty_template', { clock: { now: () => now } });

const alarms = () =>
  api.owner.selectFrom('alarms').select(['kind', 'facts']).orderBy('raised_at').execute();

test('a daily reconciliation that fails raises an alarm, once a day, and is retried', async () => {
  const listTransactions = () => {
    throw new Error('away');
  };
  const ctx = { ...api.ctx, gateway: { ...api.ctx.gateway, listTransactions } };
  for (let round = 0; round < 2; round++)
    await expect(reconcileDay.run(ctx, [{}])).rejects.toThrow('away');
  expect(await alarms()).toEqual([{ kind: 'reconciliation_failed', facts: { day: '2026-11-20' } }]);
  now = new Date('2026-11-21T16:30:00Z');
  await expect(reconcileDay.run(ctx, [{}])).rejects.toThrow('away');
  expect(await alarms()).toHaveLength(2);
  await reconcileDay.run(api.ctx, [{}]);
  expect(await alarms()).toHaveLength(2);
});
