import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BillingKind } from '#db/tables.ts';
import { totalCents } from '#features/money/billing/bill.ts';
import { readBillable } from '#features/money/billing/billable.ts';
import { billLedger, lastCovered } from '#features/money/billing/ledger-bill.ts';
import { runBilling } from '#features/money/billing/billing.ts';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import { sendRateNotices } from '#features/money/billing/rate-notices.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { insertIntent, readDebt } from '#features/money/payments/begin.ts';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { changeRateOf } from './rate.ts';
import { changeRows } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

let facilityId: string;
let ledgerId: string;
let email: string;
let now: Date;
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeEach(async () => {
  now = new Date('2026-12-02T15:00:00Z');
  await rental({});
});

/** A rental at $200 that is billed through 13 December, due on the 14th of each month. */
async function rental(facility: Partial<Parameters<typeof makeFacility>[1]>, address?: string) {
  const location_code = randomUUID().slice(0, 8);
  facilityId = await makeFacility(api.owner, {
    location_code,
    ...facility,
  });
  email = address ?? `${location_code}@example.com`;
  const tenant_id = await makeTenant(api.owner, { facility_id: facilityId, email });
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id,
    unit: { facility_id: facilityId, name: 'A101' },
    moved_in_on: '2026-01-14',
    billed_through: '2026-12-13',
    paid_through: '2026-12-13',
  }));
}

const change = (
  amount: number | undefined,
  on: string,
  { preview = false, key = randomUUID() } = {},
) => changeRateOf(api.ctx, staffCall({ key, isPreview: preview }), { ledgerId, amount, on });
const cancel = ({ preview = false, key = randomUUID() } = {}) =>
  changeRateOf(api.ctx, staffCall({ key, isPreview: preview }), { ledgerId, cancel: true });
const ledger = () =>
  api.owner.selectFrom('ledgers').selectAll().where('id', '=', ledgerId).executeTakeFirstOrThrow();
const notices = () =>
  api.owner.selectFrom('rate_notices').selectAll().where('ledger_id', '=', ledgerId).execute();
/** Notes that the notices went out now. */
const send = () => changeRows(api.owner, 'mails', { sent_at: now }, { sent_at: null });
const subjects = async () =>
  (
    await api.owner
      .selectFrom('mails')
      .select('subject')
      .where('to_address', '=', email)
      .orderBy('subject')
      .execute()
  ).map(({ subject }) => subject);
const bill = (date: string) => runBilling(api.ctx, { facilityId, date });

describe('months that are paid ahead', () => {
  const soon = { rate_notice_days: 10 };
  const prepay = (amount: number) =>
    recordPaymentFor(api.ctx, staffCall(), {
      ledgerIds: [ledgerId],
      type: 'cash',
      amount,
      isPrepaid: true,
    });

  test('keep their rent: the rise begins after them, and no fee comes of it', async () => {
    await rental({ ...soon, late_fee_cents: 1500, late_fee_after_days: 5 });
    await prepay(599.99);
    const rise = { from: 200, to: 215, on: '2027-02-14', paidAheadThrough: '2027-02-13' };
    const preview = await change(215, '2026-12-14', { preview: true });
    expect(preview).toMatchObject({ ...rise, firstBill: { dueOn: '2027-02-14', total: 215 } });
    expect(await change(215, '2026-12-14')).toEqual(preview);
    expect(await notices()).toMatchObject([{ effective_on: '2027-02-14' }]);
    await send();
    for (const [date, balance] of [
      ['2026-12-14', -39_999],
      ['2027-01-14', -19_999],
      ['2027-02-14', 1_501],
    ] as const) {
      now = new Date(`${date}T15:00:00Z`);
      await bill(date);
      expect(await postLateFees(api.ctx, { facilityId, date })).toBe(0);
      expect((await ledger()).balance_cents).toBe(balance);
    }
  });

  test('are not asked about where the rent falls, rises after them, or they are no whole bill', async () => {
    await rental(soon);
    await prepay(400);
    for (const [amount, on] of [
      [190, '2026-12-14'],
      [215, '2027-02-14'],
      // In the last month that is paid, whose bill is due before.
      [215, '2027-01-15'],
    ] as const) {
      const reply = await change(amount, on, { preview: true });
      expect([reply.on, reply.paidAheadThrough]).toEqual([on, undefined]);
    }
    await rental(soon);
    await prepay(199.99);
    expect((await change(215, '2026-12-14', { preview: true })).on).toBe('2026-12-14');
    await expect(change(215, '2026-12-01')).rejects.toMatchObject({ status: 422 });
  });

  test('are as many as the sum pays whole bills, whatever the calendar', async () => {
    const [ledgerRow] = await readBillable(api.ctx.db, [ledgerId]);
    const kinds: BillingKind[] = ['anniversary', 'first_of_month', 'twenty_eight_days'];
    const facts = fc.record({
      billingKind: fc.constantFrom(...kinds),
      billingDay: fc.integer({ min: 1, max: 31 }),
      days: fc.integer({ min: 0, max: 800 }),
      rateCents: fc.integer({ min: 1, max: 90_000 }),
      cents: fc.integer({ min: -10_000, max: 900_000 }),
    });
    fc.assert(
      fc.property(facts, ({ billingKind, billingDay, days, rateCents, cents }) => {
        const facility = { ...ledgerRow!.facility, billingKind };
        const billedThrough = addDays('2026-12-13', days);
        const one = { ...ledgerRow!, facility, billingDay, billedThrough, rateCents };
        const last = lastCovered(one, cents);
        const bills = billLedger(one, addDays(billedThrough, 366)).periods;
        const covered =
          last === null ? 0 : bills.findIndex(({ dueOn }) => dueOn === last.dueOn) + 1;
        const sumOf = (count: number) =>
          bills.slice(0, count).reduce((sum, { charges }) => sum + totalCents(charges), 0);
        expect(sumOf(covered)).toBeLessThanOrEqual(Math.max(0, cents));
        if (covered < bills.length) expect(sumOf(covered + 1)).toBeGreaterThan(cents);
      }),
    );
  });

  test('count while their payment is being confirmed', async () => {
    await rental(soon);
    const { tenant_id } = await ledger();
    const debt = await readDebt(api.owner, {
      tenantId: tenant_id!,
      userId: null,
      idempotencyKey: null,
      today: null,
      lines: [{ ledgerId, cents: 20_000 }],
    });
    await api.owner.transaction().execute((trx) =>
      insertIntent(trx, now, {
        tenantId: tenant_id!,
        userId: null,
        initiator: 'tenant',
        type: 'creditCard',
        methodDescription: 'Visa ending in 4242',
        paymentMethodId: null,
        tokenVersion: null,
        fingerprint: null,
        expiresOn: null,
        idempotencyKey: null,
        requestHash: null,
        autopayItemId: null,
        debt,
      }),
    );
    expect((await change(215, '2026-12-14')).on).toBe('2027-01-14');
  });
});

describe('a rise', () => {
  test('is noticed at once, and billed from its day on', async () => {
    const reply = await change(215, '2027-01-14');
    expect(reply).toMatchObject({
      from: 200,
      to: 215,
      firstBill: { dueOn: '2027-01-14', total: 215 },
    });
    expect(await notices()).toMatchObject([
      { from_cents: 20_000, to_cents: 21_500, effective_on: '2027-01-14' },
    ]);
    await send();
    now = new Date('2027-01-14T15:00:00Z');
    expect(await bill('2027-01-14')).toMatchObject({ periods: 2, rentCents: 41_500 });
    expect(await ledger()).toMatchObject({
      rental_rate_cents: 21_500,
      scheduled_rate_cents: null,
      rate_since: '2027-01-14',
    });
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

  test('takes the place of one that is scheduled: preview, reply and letter say of which', async () => {
    const letters = async () =>
      (await mailsTo(api, email)).map(({ text }) => text.includes('takes the place of the change'));
    expect(await change(215, '2027-01-14')).not.toHaveProperty('replaced');
    const replaced = { to: 215, on: '2027-01-14' };
    expect(await change(225, '2027-02-14', { preview: true })).toMatchObject({ replaced });
    expect(await change(225, '2027-02-14')).toMatchObject({ replaced });
    expect(await letters()).toEqual([false, true]);
    // What was billed is none that a later one replaces.
    await send();
    now = new Date('2027-02-14T15:00:00Z');
    await bill('2027-02-14');
    await change(230, '2027-04-14');
    expect((await letters()).slice(-1)).toEqual([false]);
  });

  test('takes the place of one that is scheduled', async () => {
    await change(215, '2027-01-14');
    await change(225, '2027-02-14');
    expect(await ledger()).toMatchObject({
      scheduled_rate_cents: 22_500,
      scheduled_rate_on: '2027-02-14',
    });
    expect(await notices()).toHaveLength(2);
  });

  test('back to a rent that the tenant was notified of before the last is notified again', async () => {
    for (const amount of [215, 225, 215]) {
      await change(amount, '2027-01-14');
      await send();
    }
    expect((await notices()).map(({ to_cents }) => to_cents).toSorted()).toEqual([
      21_500, 21_500, 22_500,
    ]);
    await change(215, '2027-01-14');
    expect(await notices()).toHaveLength(3);
  });

  test('is not billed while the last notice of it has not been mailed, though an earlier one was', async () => {
    await change(215, '2027-01-14');
    await change(225, '2027-01-14');
    await send();
    await change(215, '2027-01-14');
    expect(await bill('2027-01-14')).toMatchObject({ rentCents: 40_000 });
  });
});

describe('a change that is scheduled', () => {
  test('can be taken back: it is not billed, and the tenant who was notified of it is mailed', async () => {
    await change(215, '2027-01-14');
    await send();
    expect(await cancel()).toMatchObject({
      from: 200,
      to: 215,
      on: '2027-01-14',
      isCancelled: true,
      firstBill: null,
    });
    expect(await ledger()).toMatchObject({ scheduled_rate_cents: null, scheduled_rate_on: null });
    expect(await subjects()).toEqual([
      'The rent of unit A101 changes on 1/14/2027',
      'The rent of unit A101 does not change on 1/14/2027',
    ]);
    expect(await bill('2027-01-14')).toMatchObject({ rentCents: 40_000 });
  });

  test('and is taken back before a notice of it leaves the tenant without a mail', async () => {
    const scheduled = { scheduled_rate_cents: 21_500, scheduled_rate_on: '2027-01-14' };
    await changeRows(api.owner, 'ledgers', scheduled, { id: ledgerId });
    expect(await cancel()).toMatchObject({ to: 215, isCancelled: true });
    expect(await subjects()).toEqual([]);
  });

  test('again after it was taken back is notified again', async () => {
    await change(215, '2027-01-14');
    await cancel();
    await change(215, '2027-01-14');
    expect(await notices()).toHaveLength(2);
  });

  test('is taken back once under a key, and a preview says the same and changes nothing', async () => {
    await change(215, '2027-01-14');
    const before = await ledger();
    const preview = await cancel({ preview: true });
    expect(await ledger()).toEqual(before);
    const key = randomUUID();
    for (const _time of [1, 2]) expect(await cancel({ key })).toEqual(preview);
    expect(await subjects()).toHaveLength(2);
    await expect(cancel()).rejects.toMatchObject({
      status: 409,
      message: 'No change of the rent of unit A101 is scheduled.',
    });
  });

  test('and billed is not mailed as taken back with a later one', async () => {
    await change(180, '2026-12-14');
    await bill('2026-12-14');
    const scheduled = { scheduled_rate_cents: 21_500, scheduled_rate_on: '2027-01-14' };
    await changeRows(api.owner, 'ledgers', scheduled, { id: ledgerId });
    await cancel();
    expect(await subjects()).toEqual(['The rent of unit A101 changes on 12/14/2026']);
  });

  test('and taken back while the facility’s day sends its notices is notified of by none', async () => {
    const scheduled = { scheduled_rate_cents: 21_500, scheduled_rate_on: '2027-01-14' };
    await changeRows(api.owner, 'ledgers', scheduled, { id: ledgerId });
    const sending = await api.ctx.db.transaction().execute(async (trx) => {
      await changeRows(
        trx,
        'ledgers',
        { scheduled_rate_cents: null, scheduled_rate_on: null },
        { id: ledgerId },
      );
      const run = sendRateNotices(api.ctx, { facilityId, date: '2026-12-02' });
      await untilLockWait(api.owner);
      return { run };
    });
    expect(await sending.run).toBe(0);
    expect(await subjects()).toEqual([]);
  });
});

describe('a decrease', () => {
  test('comes with the next bill, whenever its notice goes out', async () => {
    expect(await change(180, '2026-12-02')).toMatchObject({
      firstBill: { dueOn: '2026-12-14', total: 180 },
    });
    expect(await bill('2026-12-14')).toMatchObject({ periods: 1, rentCents: 18_000 });
    expect(await ledger()).toMatchObject({ rental_rate_cents: 18_000 });
  });

  test('that was billed is not scheduled once more', async () => {
    await change(180, '2026-12-14');
    now = new Date('2026-12-14T15:00:00Z');
    await bill('2026-12-14');
    await changeRows(api.owner, 'ledgers', { rental_rate_cents: 19_000 }, { id: ledgerId });
    await expect(change(180, '2026-12-14')).rejects.toMatchObject({ status: 409 });
  });
});

test.each([
  ['a day in the past', 180, '2026-12-01', 422, 'in the past'],
  ['a year of another century', 180, '9999-12-31', 422, 'check its year'],
  ['the rent that it is', 200, '2027-03-01', 422, 'is that already'],
  ['a day that does not exist', 180, '2027-02-29', 422, ''],
  ['an amount with three decimals', 180.005, '2027-03-01', 422, 'two decimals'],
  [
    'a day without an amount',
    undefined,
    '2027-03-01',
    422,
    'Give an amount and a day, or cancel the change.',
  ],
])('%s is refused in a sentence and writes nothing', async (_, amount, on, status, sentence) => {
  const before = await ledger();
  await expect(change(amount, on)).rejects.toMatchObject({
    status,
    message: expect.stringContaining(sentence) as string,
  });
  expect([await ledger(), await notices()]).toEqual([before, []]);
});

test('a rental that has ended by then, one that is none and a tenant without an address are refused', async () => {
  await changeRows(api.owner, 'ledgers', { moved_out_on: '2027-01-01' }, { id: ledgerId });
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
