import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  makeCorporation,
  makeFacility,
  makeLedger,
  makeTenant,
  makeVehiclePaper,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { remindOfPapers } from './reminders.ts';
import { addRows, changeRows } from '#test/rows.ts';

const NUMBER = 'KX77412090';
const FILED = new Date('2026-06-01T12:00:00Z');

let facilityId: string;
let ledgerId: string;
let now = FILED;
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name: 'A101' },
    moved_in_on: '2026-01-14',
    billed_through: '2026-11-13',
    paid_through: '2026-11-13',
  }));
});
beforeEach(async () => {
  await api.owner.deleteFrom('vehicle_papers').execute();
});

const filePaper = (more: object = {}) =>
  makeVehiclePaper(api.owner, api.ctx.vault, {
    ledger_id: ledgerId,
    expires_on: '2026-12-31',
    created_at: FILED,
    number: NUMBER,
    ...more,
  });
const remind = (date: string) => {
  now = new Date(`${date}T12:00:00Z`);
  return remindOfPapers(api.ctx, { facilityId, date });
};
const replace = (id: string) =>
  changeRows(api.owner, 'vehicle_papers', { replaced_at: now }, { id });

test('a paper is reminded of 60, 30 and 7 days ahead, once each, whatever days the runs missed', async () => {
  await filePaper();
  const sent: string[] = [];
  for (const date of [
    '2026-10-31',
    '2026-11-01',
    '2026-11-02',
    '2026-12-03',
    '2026-12-23',
    '2026-12-24',
    '2026-12-31',
    '2027-01-01',
  ])
    if ((await remind(date)) > 0) sent.push(date);
  expect(sent).toEqual(['2026-11-01', '2026-12-03', '2026-12-24']);
});

test('the mail names paper, unit and last day, and never the number', async () => {
  const mails = (await readMails(api)).filter(
    ({ subject }) => subject === 'The registration on file for unit A101 expires on 12/31/2026',
  );
  expect(mails).toHaveLength(3);
  for (const { text } of mails) {
    expect(text).toContain('valid until 12/31/2026');
    expect(text).toContain('/account#papers');
    expect(text).not.toContain(NUMBER);
  }
});

// spec 10.94
test('of each vehicle of a rental by itself, under its own name', async () => {
  await addRows(api.owner, 'vehicles', {
    ledger_id: ledgerId,
    license_plate: '1',
    description: 'Vista 31BE',
  });
  const { id: vehicle_id } = await api.owner
    .insertInto('further_vehicles')
    .values({ ledger_id: ledgerId, contents: 'boat:1', license_plate: '2', description: 'Sea Ray' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await filePaper();
  await filePaper({ vehicle_id });
  expect(await remind('2026-11-01')).toBe(2);
  const texts = (await readMails(api)).map(({ text }) => text).join();
  for (const name of ['Vista 31BE', 'Sea Ray'])
    expect(texts).toContain(`The registration of ${name} in unit A101`);
  await api.owner.deleteFrom('vehicle_papers').execute();
  await api.owner.deleteFrom('further_vehicles').execute();
  await api.owner.deleteFrom('vehicles').execute();
});

// spec 10.21
test('one of several servers reminds', async () => {
  await filePaper();
  const runs = await Promise.all(Array.from({ length: 5 }, () => remind('2026-11-01')));
  expect(runs.reduce((sum, count) => sum + count, 0)).toBe(1);
});

// spec 10.21
test('none after it was replaced, and of the new one by its own last day', async () => {
  const first = await filePaper();
  expect(await remind('2026-11-01')).toBe(1);
  await replace(first);
  await filePaper({ expires_on: '2027-12-31', created_at: now });
  expect(await remind('2026-12-01')).toBe(0);
  expect(await remind('2026-12-24')).toBe(0);
  expect(await remind('2027-11-01')).toBe(1);
});

test('one that is replaced by another with the same last day is not reminded of twice', async () => {
  const first = await filePaper();
  expect(await remind('2026-11-01')).toBe(1);
  await replace(first);
  await filePaper({ created_at: now });
  expect([await remind('2026-11-01'), await remind('2026-11-02')]).toEqual([0, 0]);
  expect(await remind('2026-12-01')).toBe(1);
});

test('none after the rental has ended, and none of another facility', async () => {
  await filePaper();
  const rental = api.owner.updateTable('ledgers').where('id', '=', ledgerId);
  await rental.set({ moved_out_on: '2026-11-01' }).execute();
  expect(await remind('2026-11-01')).toBe(0);
  await rental.set({ moved_out_on: '2026-11-02' }).execute();
  expect(await remind('2026-11-01')).toBe(1);
  await rental.set({ moved_out_on: null }).execute();
  const other = await makeFacility(api.owner, {
    corporation_id: await makeCorporation(api.owner, { code: 'HARBOR' }),
    location_code: 'NYC01',
  });
  expect(await remindOfPapers(api.ctx, { facilityId: other, date: '2026-12-01' })).toBe(0);
});
