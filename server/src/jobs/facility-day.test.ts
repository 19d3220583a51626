import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  postCharges,
} from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { patience } from '#test/patience.ts';
import { facilityDay, runFacilityDay } from './facility-day.ts';
import { openFacilityDays } from './open-facility-days.ts';
import { changeRows, findRows } from '#test/rows.ts';

let api: TestApp;
let now: Date;
beforeEach(async () => {
  now = new Date('2026-11-21T12:00:00Z');
  api = await openTestApp('empty_template', { clock: { now: () => now } });
});
afterEach(() => api.close());

async function makeFacilities<Name extends string>(
  named: Record<Name, string>,
): Promise<Record<Name, string>> {
  const made: [string, string][] = [];
  for (const [name, time_zone] of Object.entries<string>(named))
    made.push([name, await makeFacility(api.owner, { time_zone, location_code: randomUUID() })]);
  return Object.fromEntries(made) as Record<Name, string>;
}

/** Returns the queued days and empties the queue. */
async function takeDays(): Promise<{ facilityId: string; date: string }[]> {
  await openFacilityDays.run(api.ctx, [{}]);
  const { rows } = await sql<{ data: { facilityId: string; date: string } }>`
    DELETE FROM pgboss.job WHERE name = 'facility-day' RETURNING data`.execute(api.owner);
  return rows.map(({ data }) => data);
}

const runs = () => api.owner.selectFrom('billing_runs').selectAll().orderBy('run_on').execute();

describe('a facility’s day', () => {
  test.each([
    ['America/New_York', '2026-11-21T08:59:59Z', null],
    ['America/New_York', '2026-11-21T09:00:00Z', '2026-11-21'],
    ['America/Chicago', '2026-11-21T09:59:59Z', null],
    ['America/Chicago', '2026-11-21T10:00:00Z', '2026-11-21'],
    ['America/Phoenix', '2026-11-21T11:00:00Z', '2026-11-21'],
    ['Pacific/Honolulu', '2026-11-21T13:59:59Z', null],
    ['Pacific/Honolulu', '2026-11-21T14:00:00Z', '2026-11-21'],
    // It is still the same day there.
    ['Pacific/Honolulu', '2026-11-22T09:59:59Z', '2026-11-21'],
    // The clocks go back at two and forward at two: four is there once on both days.
    ['America/Chicago', '2026-11-01T09:59:59Z', null],
    ['America/Chicago', '2026-11-01T10:00:00Z', '2026-11-01'],
    ['America/Chicago', '2027-03-14T08:59:59Z', null],
    ['America/Chicago', '2027-03-14T09:00:00Z', '2027-03-14'],
  ])('begins at four in the morning: in %s at %s it is that of %s', async (zone, instant, date) => {
    const { facilityId } = await makeFacilities({ facilityId: zone });
    now = new Date(instant);
    expect(await takeDays()).toEqual(date === null ? [] : [{ facilityId, date }]);
  });

  test('is queued once by several processes, again until it is done, and then no more', async () => {
    const { chicago } = await makeFacilities({ chicago: 'America/Chicago' });
    await Promise.all([1, 2, 3].map(() => openFacilityDays.run(api.ctx, [{}])));
    expect(await takeDays()).toEqual([{ facilityId: chicago, date: '2026-11-21' }]);
    expect(await takeDays()).toHaveLength(1);
    await runFacilityDay(api.ctx, { facilityId: chicago, date: '2026-11-21' });
    expect(await takeDays()).toEqual([]);
    expect(await runs()).toMatchObject([{ run_on: '2026-11-21', finished_at: now }]);
    now = new Date('2026-11-24T12:00:00Z');
    expect(await takeDays()).toEqual([{ facilityId: chicago, date: '2026-11-24' }]);
  });

  test('at a facility of an unknown zone is skipped with an alarm, while the others’ are not', async () => {
    const { chicago } = await makeFacilities({
      nowhere: 'Mars/Olympus',
      chicago: 'America/Chicago',
    });
    expect(await takeDays()).toEqual([{ facilityId: chicago, date: '2026-11-21' }]);
    const alarms = await findRows(api.owner, 'alarms', 'kind');
    expect(alarms).toEqual([{ kind: 'unknown_zone' }]);
  });

  test('bills what is due, late after an outage, and can be repeated', async () => {
    const { chicago } = await makeFacilities({ chicago: 'America/Chicago' });
    const tenant_id = await makeTenant(api.owner, { facility_id: chicago });
    const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id,
      unit: { facility_id: chicago },
      moved_in_on: '2026-11-18',
    });
    for (const date of ['2026-11-21', '2026-11-21', '2026-12-25'])
      await runFacilityDay(api.ctx, { facilityId: chicago, date });
    const charges = await findRows(api.owner, 'charges', 'due_on', { ledger_id: ledgerId });
    expect(charges.map(({ due_on }) => due_on)).toEqual(['2026-11-18', '2026-12-18']);
  });

  test('makes the statements of the month before, on the first day that runs in a month', async () => {
    const { chicago } = await makeFacilities({ chicago: 'America/Chicago' });
    const tenant_id = await makeTenant(api.owner, { facility_id: chicago });
    const unit = { facility_id: chicago };
    const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id,
      unit,
      moved_in_on: '2026-10-14',
    });
    const rent = { category: 'rent' as const, description: 'Rent', priceCents: 20_000 };
    await postCharges(api.owner, ledgerId, [
      { ...rent, dueOn: '2026-10-14', periodEnd: '2026-12-13' },
    ]);
    const months = async (date: string) => {
      await runFacilityDay(api.ctx, { facilityId: chicago, date });
      const rows = await api.owner
        .selectFrom('statements')
        .select('month')
        .orderBy('month')
        .execute();
      return rows.map(({ month }) => month);
    };
    expect(await months('2026-11-21')).toEqual([]);
    expect(await months('2026-11-30')).toEqual([]);
    // The first day of the month did not run.
    expect(await months('2026-12-02')).toEqual(['2026-11']);
    expect(await months('2026-12-03')).toEqual(['2026-11']);
    expect(await months('2027-01-01')).toEqual(['2026-11', '2026-12']);
  });

  test('asks the gateway for the fingerprints of saved methods that have none', async () => {
    const { chicago } = await makeFacilities({ chicago: 'America/Chicago' });
    const tenant_id = await makeTenant(api.owner, { facility_id: chicago });
    await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id });
    await changeRows(api.owner, 'sandbox_gateway.methods', { fingerprint: 'that card' });
    await runFacilityDay(api.ctx, { facilityId: chicago, date: '2026-11-21' });
    const methods = await findRows(api.owner, 'payment_methods', 'fingerprint');
    expect(methods).toEqual([{ fingerprint: 'that card' }]);
  });

  test('that fails is not done: it raises an alarm, and is retried', async () => {
    const { chicago } = await makeFacilities({ chicago: 'America/Chicago' });
    await sql`ALTER TABLE billed_periods RENAME TO away; ALTER TABLE ledgers RENAME TO gone`.execute(
      api.owner,
    );
    await expect(
      runFacilityDay(api.ctx, { facilityId: chicago, date: '2026-11-21' }),
    ).rejects.toThrow();
    const alarms = await findRows(api.owner, 'alarms', ['kind', 'key']);
    expect(alarms.map(({ kind }) => kind)).toContain('facility_day_failed');
    expect(alarms.map(({ key }) => key)).toContain(
      `facility_day_failed:${chicago}:2026-11-21:billing`,
    );
    expect(await runs()).toMatchObject([{ finished_at: null }]);
    expect(await takeDays()).toHaveLength(1);
  });

  test('runs in the queue, which the app’s role may use with its schedules', async () => {
    const { chicago } = await makeFacilities({ chicago: 'America/Chicago' });
    await openFacilityDays.run(api.ctx, [{}]);
    await api.queue.work(api.ctx);
    await api.queue.keepTime();
    await vi.waitFor(async () => expect((await runs())[0]?.finished_at).toEqual(now), patience);
    expect(await runs()).toMatchObject([{ facility_id: chicago }]);
    const { rows } = await sql<{
      name: string;
      cron: string;
    }>`SELECT name, cron FROM pgboss.schedule`.execute(api.owner);
    expect(rows).toContainEqual({ name: openFacilityDays.name, cron: openFacilityDays.cron });
    expect(facilityDay.cron).toBeUndefined();
  });
});
