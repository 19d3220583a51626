import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import {
  makeBilledFacility,
  readCharges,
  readLedger,
} from '#features/money/billing/billing.fixture.ts';
import { addChargeTo } from '#features/money/counter/charges.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { changeSettings } from '#features/desk/office/settings.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { changeTaxOf } from './tax.ts';
import { changeRows } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

let now: Date;
let eagle: Awaited<ReturnType<typeof makeBilledFacility>>;
let ledgerId: string;
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeEach(async () => {
  now = new Date('2026-11-21T15:00:00Z');
  eagle = await makeBilledFacility(api, { rent_tax1_basis_points: 825 });
  ledgerId = await eagle.rental({ billed_through: '2026-12-13', paid_through: '2026-12-13' });
});

const caller = (isPreview: boolean) => staffCall({ why: 'Certificate of exemption', isPreview });
const change = (taxes: string, on: string, isPreview = false) =>
  changeTaxOf(api.ctx, caller(isPreview), { ledgerId, taxes, on });
const terms = async () => {
  const { is_taxed, scheduled_tax, scheduled_tax_on } = await readLedger(api, ledgerId);
  return [is_taxed, scheduled_tax, scheduled_tax_on];
};
const taxes = async () =>
  (await readCharges(api, ledgerId)).map(({ due_on, tax1_cents }) => [due_on, tax1_cents]);

test('the tax of a rental changes with the first bill that is due on the day, and the preview says what it comes to', async () => {
  const reply = {
    isTaxed: true,
    on: '2027-01-01',
    firstBill: { dueOn: '2027-01-14', before: 200, total: 216.5 },
    ledgers: [{ ledgerId, unitName: 'U1', balance: 0 }],
  };
  expect(await change('charged', '2027-01-01', true)).toEqual(reply);
  expect(await terms()).toEqual([false, null, null]);
  expect(await change('charged', '2027-01-01')).toEqual(reply);
  expect(await terms()).toEqual([false, true, '2027-01-01']);
  // Late, the bill of December is still without it.
  await eagle.bill('2027-01-14');
  expect(await taxes()).toEqual([
    ['2026-12-14', 0],
    ['2027-01-14', 1650],
  ]);
  expect(await terms()).toEqual([true, null, null]);
  now = new Date('2027-01-20T15:00:00Z');
  expect((await change('none', '2027-01-20')).firstBill).toEqual({
    dueOn: '2027-02-14',
    before: 216.5,
    total: 200,
  });
  await eagle.bill('2027-02-14');
  expect((await taxes()).at(-1)).toEqual(['2027-02-14', 0]);
  await expectSoundBooks(api.owner);
});

test('a change that is scheduled is replaced, and taken back by what is so today', async () => {
  await change('charged', '2027-01-01');
  expect((await change('charged', '2026-12-01')).firstBill).toMatchObject({ dueOn: '2026-12-14' });
  expect(await terms()).toEqual([false, true, '2026-12-01']);
  expect((await change('none', '2026-12-01')).firstBill).toEqual({
    dueOn: '2026-12-14',
    before: 216.5,
    total: 200,
  });
  expect(await terms()).toEqual([false, null, null]);
});

test('a charge that staff add is taxed from the day on', async () => {
  const add = () =>
    addChargeTo(api.ctx, caller(false), {
      ledgerId,
      category: 'service',
      description: 'Dolly',
      amount: 10,
      isTaxed: true,
    });
  await change('charged', '2026-11-22');
  await expect(add()).rejects.toThrow('is not taxed');
  now = new Date('2026-11-22T15:00:00Z');
  await add();
  expect(await taxes()).toEqual([['2026-11-22', 83]]);
});

test('a day in the past, what is so already and a rental that has ended by then are refused', async () => {
  await expect(change('charged', '2026-11-20')).rejects.toMatchObject({ status: 422 });
  await expect(change('charged', '9999-12-31')).rejects.toThrow('check its year');
  await expect(change('none', '2026-12-01')).rejects.toThrow('Unit U1 is not taxed already.');
  await changeRows(api.owner, 'ledgers', { moved_out_on: '2026-12-01' }, { id: ledgerId });
  await expect(change('charged', '2026-12-01')).rejects.toMatchObject({ status: 409 });
  // The bill after the move-out does not come.
  expect((await change('charged', '2026-11-30')).firstBill).toBeNull();
});

test('the preview says by how much the bills rise that are paid ahead, and of which rentals', async () => {
  const paid = {
    ledgerIds: [ledgerId],
    type: 'cash',
    amount: 400,
    isPrepaid: true,
  };
  await recordPaymentFor(api.ctx, caller(false), paid);
  // The bill of December comes before the day.
  expect((await change('charged', '2027-01-01', true)).paidAhead).toEqual({
    through: '2027-02-13',
    more: 16.5,
  });
  expect(await change('charged', '2027-02-14', true)).not.toHaveProperty('paidAhead');
  await change('charged', '2026-12-01');
  const { facilityId } = eagle;
  const staff = { name: 'Ana', facilities: [{ id: facilityId }] } as unknown as StaffMember;
  const settings = (rentTax1: number) =>
    changeSettings(
      api.ctx,
      staff,
      { facilityId, key: randomUUID(), why: 'Rate', isPreview: true, changes: { rentTax1 } },
      { ip: '127.0.0.1', requestId: randomUUID() },
    );
  await recordPaymentFor(api.ctx, caller(false), { ...paid, amount: 33 });
  const { effects } = await settings(1000);
  expect(effects[1]).toBe(
    'Unit U1 is paid ahead through 2/13/2027: $7.00 more will be owed for that.',
  );
  expect((await settings(800)).effects).toHaveLength(1);
});
