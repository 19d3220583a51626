import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runBilling } from '#features/billing/billing.ts';
import { makeCorporation, makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '../../../test/app.ts';
import { changeRateOf } from './rate.ts';

let api: TestApp;
let corporationId: string;
let facilityId: string;
let ledgerId: string;
let now: Date;
beforeAll(async () => {
  api = await openTestApp('empty_template', { clock: { now: () => now } });
  corporationId = await makeCorporation(api.owner);
});
beforeEach(async () => {
  now = new Date('2026-12-02T15:00:00Z');
  await rental({});
});
afterAll(() => api.close());

/** A rental at $200 that is billed through 13 December, due on the 14th of each month. */
async function rental(facility: Partial<Parameters<typeof makeFacility>[1]>, email = 'dana@example.com') {
  const location_code = randomUUID().slice(0, 8);
  facilityId = await makeFacility(api.owner, { corporation_id: corporationId, location_code, ...facility });
  const tenant_id = await makeTenant(api.owner, { facility_id: facilityId, email });
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id,
    unit: { facility_id: facilityId },
    moved_in_on: '2026-01-14',
    billed_through: '2026-12-13',
    paid_through: '2026-12-13',
  }));
}

const change = (amount: number, on: string, { preview = false, key = randomUUID() } = {}) =>
  changeRateOf(api.ctx, { key, by: 'Ana', why: '', facilityId: null, isPreview: preview }, { ledgerId, amount, on });
const ledger = () => api.owner.selectFrom('ledgers').selectAll().where('id', '=', ledgerId).executeTakeFirstOrThrow();
const notices = () => api.owner.selectFrom('rate_notices').selectAll().where('ledger_id', '=', ledgerId).execute();
/** Notes that the notices went out now. */
const send = () => api.owner.updateTable('mails').set({ sent_at: now }).where('sent_at', 'is', null).execute();
const bill = (date: string) => runBilling(api.ctx, { facilityId, date });

describe('a rise', () => {
  test('is noticed at once, and billed from its day on', async () => {
    const reply = await change(215, '2027-01-14');
    expect(reply).toMatchObject({ from: 200, to: 215, firstBill: { dueOn: '2027-01-14', total: 215 } });
    expect(await notices()).toMatchObject([{ from_cents: 20_000, to_cents: 21_500, effective_on: '2027-01-14' }]);
    await send();
    now = new Date('2027-01-14T15:00:00Z');
    expect(await bill('2027-01-14')).toMatchObject({ periods: 2, rentCents: 41_500 });
    expect(await ledger()).toMatchObject({ rental_rate_cents: 21_500, scheduled_rate_cents: null });
  });

  test('says what it would do in a preview, and does it once under a key', async () => {
    const before = await ledger();
    const preview = await change(215, '2027-01-01', { preview: true });
    expect([await ledger(), await notices()]).toEqual([before, []]);
    const key = randomUUID();
    expect(await change(215, '2027-01-01', { key })).toEqual(preview);
    expect(await change(215, '2027-01-01', { key })).toEqual(preview);
    expect(await notices()).toHaveLength(1);
  });

  test('needs its notice: a day too near is refused with the earliest day', async () => {
    await expect(change(215, '2026-12-31')).rejects.toMatchObject({
      status: 422,
      message: 'A rise needs its notice 30 days before: it may begin on 2027-01-01 or later.',
    });
    // The first of December still in Hawaii.
    await rental({ time_zone: 'Pacific/Honolulu', rate_notice_days: 45 });
    now = new Date('2026-12-02T05:00:00Z');
    await expect(change(215, '2027-01-14')).rejects.toMatchObject({
      message: expect.stringContaining('2027-01-15') as string,
    });
    expect((await change(215, '2027-01-15')).on).toBe('2027-01-15');
  });

  test('takes the place of one that is scheduled', async () => {
    await change(215, '2027-01-14');
    await change(225, '2027-02-14');
    expect(await ledger()).toMatchObject({ scheduled_rate_cents: 22_500, scheduled_rate_on: '2027-02-14' });
    expect(await notices()).toHaveLength(2);
  });
});

describe('a decrease', () => {
  test('comes with the next bill, whenever its notice goes out', async () => {
    expect(await change(180, '2026-12-02')).toMatchObject({ firstBill: { dueOn: '2026-12-14', total: 180 } });
    expect(await bill('2026-12-14')).toMatchObject({ periods: 1, rentCents: 18_000 });
    expect(await ledger()).toMatchObject({ rental_rate_cents: 18_000 });
  });

  test('that was billed is not scheduled once more', async () => {
    await change(180, '2026-12-14');
    now = new Date('2026-12-14T15:00:00Z');
    await bill('2026-12-14');
    await api.owner.updateTable('ledgers').set({ rental_rate_cents: 19_000 }).where('id', '=', ledgerId).execute();
    await expect(change(180, '2026-12-14')).rejects.toMatchObject({ status: 409 });
  });
});

test.each([
  ['a day in the past', 180, '2026-12-01', 422, 'in the past'],
  ['the rent that it is', 200, '2027-03-01', 422, 'is that already'],
  ['a day that does not exist', 180, '2027-02-29', 422, ''],
  ['an amount with three decimals', 180.005, '2027-03-01', 422, 'two decimals'],
])('%s is refused in a sentence and writes nothing', async (_, amount, on, status, sentence) => {
  const before = await ledger();
  await expect(change(amount, on)).rejects.toMatchObject({
    status,
    message: expect.stringContaining(sentence) as string,
  });
  expect([await ledger(), await notices()]).toEqual([before, []]);
});

test('a rental that has ended by then, one that is none and a tenant without an address are refused', async () => {
  await api.owner.updateTable('ledgers').set({ moved_out_on: '2027-01-01' }).where('id', '=', ledgerId).execute();
  await expect(change(215, '2027-01-14')).rejects.toMatchObject({ status: 409 });
  ledgerId = randomUUID();
  await expect(change(215, '2027-01-14')).rejects.toMatchObject({ status: 404 });
  await rental({}, 'none');
  await expect(change(215, '2027-01-14')).rejects.toMatchObject({ status: 422 });
});

test('of two clerks at once both are done, one after the other', async () => {
  await Promise.all([change(215, '2027-01-14'), change(225, '2027-01-14')]);
  const { scheduled_rate_cents: cents } = await ledger();
  expect([21_500, 22_500]).toContain(cents);
});
