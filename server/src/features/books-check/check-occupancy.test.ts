import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { checkOccupancy } from './check-occupancy.ts';

let api: TestApp;
beforeAll(async () => {
  api = await openTestApp('demo_template');
});
afterAll(() => api.close());

const noted = () =>
  api.owner
    .selectFrom('occupancy_changes')
    .select(({ fn }) => ['facility_id', fn.sum<number>('units').as('units')])
    .select(({ fn }) => [fn.sum<number>('rentals').as('rentals'), fn.countAll<number>().as('rows')])
    .groupBy('facility_id')
    .orderBy('facility_id')
    .execute();
const real = () =>
  api.owner
    .selectFrom('reckoned_occupancy')
    .selectAll()
    .where('units', '>', 0)
    .orderBy('facility_id')
    .execute();

test('units and rentals of each facility are noted as they come, end and go, and become one row', async () => {
  const { id } = await api.owner
    .selectFrom('ledgers')
    .select('id')
    .where('moved_out_on', 'is', null)
    .limit(1)
    .executeTakeFirstOrThrow();
  const end = (day: string | null) =>
    api.owner.updateTable('ledgers').set({ moved_out_on: day }).where('id', '=', id).execute();
  const expectNoted = async () =>
    expect(
      (await noted()).map(({ facility_id, units, rentals }) => ({
        ...{ facility_id, units, rentals },
      })),
    ).toEqual(await real());
  await expectNoted();
  await end('2099-01-01');
  await expectNoted();
  await end('2099-01-02');
  await end(null);
  await expectNoted();
  expect(await checkOccupancy(api.ctx)).toBe(0);
  expect((await noted()).every(({ rows }) => rows === 1)).toBe(true);
  await expectNoted();
});

test('a number that is noted wrong raises an alarm, and reckoning it anew mends it', async () => {
  for (const change of [sql`DELETE FROM occupancy_changes`, sql`SELECT reckon_occupancy()`])
    await expect(change.execute(api.ctx.db)).rejects.toMatchObject({ code: '42501' });
  await sql`UPDATE occupancy_changes SET rentals = rentals + 1
    WHERE id = (SELECT min(id) FROM occupancy_changes)`.execute(api.owner);
  expect(await checkOccupancy(api.ctx)).toBe(1);
  const alarm = await api.owner
    .selectFrom('alarms')
    .select('sentence')
    .where('kind', '=', 'occupancy_fault')
    .executeTakeFirstOrThrow();
  expect(alarm.sentence).toMatch(/is noted with \d+ units and \d+ rentals without an end, and has/);
  await sql`SELECT reckon_occupancy()`.execute(api.owner);
  expect(await checkOccupancy(api.ctx)).toBe(0);
});
