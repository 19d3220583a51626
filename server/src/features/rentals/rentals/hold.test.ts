import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { makeBilledFacility, readCharges } from '#features/money/billing/billing.fixture.ts';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { endHoldOf, endHolds, holdRentalOf } from './hold.ts';
import { findRows } from '#test/rows.ts';

let now: Date;
const api = useTestApp('empty_template', { clock: { now: () => now } });

let facilityId: string;
let ledgerId: string;
beforeEach(async () => {
  now = new Date('2026-11-14T15:00:00Z');
  const eagle = await makeBilledFacility(api, {
    late_fee_cents: 1500,
    late_fee_after_days: 5,
  });
  facilityId = eagle.facilityId;
  ledgerId = await eagle.rental();
  await eagle.bill('2026-11-14');
});

const call = (more: { why?: string; key?: string; isPreview?: boolean } = {}) => ({
  key: randomUUID(),
  by: 'Ana',
  why: 'pays on the 25th',
  facilityIds: [facilityId],
  isPreview: false,
  ...more,
});
const hold = (until?: string, more = {}) => holdRentalOf(api.ctx, call(more), { ledgerId, until });
const day = async (date: string) => {
  now = new Date(`${date}T15:00:00Z`);
  await endHolds(api.ctx, { facilityId, date });
  await postLateFees(api.ctx, { facilityId, date });
  return (await readCharges(api, ledgerId)).filter(({ category }) => category === 'fee').length;
};

test('a hold stops late fees until its day, and what is still open then gets its fee', async () => {
  expect(await hold('2026-11-25')).toMatchObject({ isOnHold: true, until: '2026-11-25' });
  expect([await day('2026-11-20'), await day('2026-11-24'), await day('2026-11-25')]).toEqual([
    0, 0, 1,
  ]);
  await expectSoundBooks(api.owner);
});

test('one without an end lasts until staff end it, and a new one takes the place of the old', async () => {
  await hold();
  expect(await day('2027-05-01')).toBe(0);
  await hold('2027-06-01');
  expect(await day('2027-05-31')).toBe(0);
  expect(await endHoldOf(api.ctx, call(), { ledgerId })).toMatchObject({ isOnHold: false });
  await expect(endHoldOf(api.ctx, call(), { ledgerId })).rejects.toThrow(/is not on hold/);
  expect(await day('2027-05-31')).toBe(1);
});

test('it needs a reason and a day to come, its preview changes nothing, and it is audited', async () => {
  await expect(hold(undefined, { why: '' })).rejects.toThrow('Give the reason (why).');
  await expect(hold('2026-11-14')).rejects.toThrow(/from 11\/15\/2026 to 11\/15\/2027/);
  await expect(hold('2027-11-16')).rejects.toThrow(/from 11\/15\/2026/);
  await hold('2026-11-25', { isPreview: true });
  expect(await day('2026-11-20')).toBe(1);
  now = new Date('2026-11-20T15:00:00Z');
  const key = randomUUID();
  const first = await hold('2026-12-01', { key });
  expect(await hold('2026-12-01', { key })).toEqual(first);
  const events = await findRows(api.owner, 'audit_events', 'details', {
    ledger_id: ledgerId,
    kind: 'staff_action',
  });
  expect(events.map(({ details }) => details)).toEqual([
    { verb: 'rentals.hold', by: 'Ana', why: 'pays on the 25th', key, until: '2026-12-01' },
  ]);
});
