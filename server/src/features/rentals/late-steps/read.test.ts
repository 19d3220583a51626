import { addDays } from '@gatehouse/contract/dates';
import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findOwed } from '#features/service/gate-access/owed.ts';
import { makeBilledFacility } from '#features/money/billing/billing.fixture.ts';
import { countLateFees, postLateFees } from '#features/money/billing/late-fees.ts';
import { remindOfDay } from '#features/rentals/reminders/send.ts';
import { useTestApp } from '#test/app.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { testClock } from '#test/test-day.ts';
import { readLateSteps } from './read.ts';

let now = testClock.now();
const api = useTestApp('demo_template', { clock: { now: () => now } });

const noon = (day: string) => new Date(`${day}T18:00:00Z`);

test('each step comes on the day that was foreseen, by the run or rule that it is of', async () => {
  const facility = await makeBilledFacility(api, {
    late_fee_cents: 1_500,
    late_fee_after_days: 5,
    gate_grace_days: 10,
    sends_reminders: true,
  });
  const ledgerId = await facility.rental();
  const read = async (day: string) => {
    now = noon(day);
    const [one] = await readLateSteps(api.ctx, facility.tenantId);
    return one?.steps.map(({ kind, on, isDone }) => `${isDone ? 'done' : 'coming'} ${kind} ${on}`);
  };
  const run = { facilityId: facility.facilityId };
  expect(await read('2026-11-08')).toBeUndefined();
  expect(await read('2026-11-09')).toEqual([
    'coming reminder 2026-11-09',
    'coming due 2026-11-14',
    'coming letter 2026-11-15',
    'coming fee 2026-11-19',
    'coming gate 2026-11-24',
  ]);
  expect(await remindOfDay(api.ctx, { ...run, date: '2026-11-09' })).toBe(1);

  now = noon('2026-11-14');
  await facility.bill('2026-11-14');
  expect(await read('2026-11-18')).toEqual([
    'done reminder 2026-11-09',
    'done due 2026-11-14',
    'coming letter 2026-11-18',
    'coming fee 2026-11-19',
    'coming reminder 2026-11-22',
    'coming gate 2026-11-24',
  ]);
  expect(await countLateFees(api.ctx.db, { ...run, date: '2026-11-18' })).toMatchObject({
    count: 0,
  });
  now = noon('2026-11-19');
  expect(await postLateFees(api.ctx, { ...run, date: '2026-11-19' })).toBe(1);
  for (const date of ['2026-11-21', '2026-11-22']) {
    now = noon(date);
    expect(await remindOfDay(api.ctx, { ...run, date })).toBe(date === '2026-11-22' ? 1 : 0);
  }
  const [owed] = await findOwed(api.ctx, api.ctx.db, [ledgerId]);
  expect(addDays(owed!.gate!.lastDay!, 1)).toBe('2026-11-24');
  expect(await read('2026-11-24')).toEqual([
    'done reminder 2026-11-09',
    'done due 2026-11-14',
    'done fee 2026-11-19',
    'done reminder 2026-11-22',
    'done gate 2026-11-24',
    'coming letter 2026-11-24',
  ]);
  await api.sql`UPDATE ledgers SET is_on_hold = true WHERE id = ${ledgerId}`;
  expect(await read('2026-11-25')).not.toContainEqual(expect.stringContaining('letter'));
});

test('the steps are on a tenant’s page, and none of them are read by a clerk of another facility', async () => {
  now = testClock.now();
  const { rows } = await sql<{ id: string; code: string }>`
    SELECT DISTINCT ON (f.location_code) t.id, f.location_code AS code FROM tenants t JOIN facilities f ON f.id = t.facility_id
    JOIN ledgers l ON l.tenant_id = t.id WHERE l.balance_cents > 0 AND l.owed_since IS NOT NULL AND l.moved_out_on IS NULL
    ORDER BY f.location_code, t.id`.execute(api.owner);
  const clerk = await signInStaff(api, 'clerk');
  const reach = await api.owner
    .selectFrom('staff_facilities')
    .innerJoin('facilities', 'facilities.id', 'staff_facilities.facility_id')
    .innerJoin('staff_members', 'staff_members.id', 'staff_facilities.staff_id')
    .select('location_code')
    .where('staff_members.email', '=', 'clerk@anchor-axle.example')
    .execute();
  const own = rows.find(({ code }) => reach.some((one) => one.location_code === code))!;
  const foreign = rows.find(({ code }) => !reach.some((one) => one.location_code === code))!;
  const page = await callOffice(api, 'GET', `/office/tenants/${own.id}`, { as: clerk });
  const { lateSteps } = page.body as unknown as TenantFile;
  expect(lateSteps[0]!.steps.map(({ kind }) => kind)).toContain('gate');
  const other = await callOffice(api, 'GET', `/office/tenants/${foreign.id}`, { as: clerk });
  expect([other.status, other.body.lateSteps]).toEqual([404, undefined]);
  expect((await callOffice(api, 'GET', `/office/tenants/${own.id}`)).status).toBe(401);
});
