import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { transfer as transferUnit, transferRent } from '@gatehouse/contract/moves';

import { findUnits } from '#features/service/gate-controllers/units.ts';
import { getReceiptOfEntry } from '#features/base/papers/receipts.ts';
import { getStatement } from '#features/base/papers/statement-data.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { makeStatements } from '#features/money/statements/statements.ts';
import {
  makeFacility,
  makeLedger,
  makeTenant,
  postCharges,
  postPastPayments,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { moveInOf } from './move-in.ts';
import { changeRateOf } from './rate.ts';
import { makeTransfers, transferUnitOf } from './transfer.ts';
import { addRows, changeRows, findRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

let facilityId: string;
let tenantId: string;
let ledgerId: string;
let now: Date;
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeEach(async () => {
  now = new Date('2026-11-20T15:00:00Z');
  await facilityWith({});
});
afterAll(() => expectSoundBooks(api.owner));

/**
 * A facility where A101 is rented since 14 November, B207 is free, and C014 is rented by a tenant
 * else.
 */
async function facilityWith(row: Partial<Parameters<typeof makeFacility>[1]>) {
  const location_code = randomUUID().slice(0, 8);
  facilityId = await makeFacility(api.owner, {
    location_code,
    ...row,
  });
  tenantId = await makeTenant(api.owner, {
    facility_id: facilityId,
    email: `${location_code}@example.com`,
  });
  const rent = (name: string) =>
    makeLedger(api.owner, api.ctx.vault, {
      tenant_id: tenantId,
      unit: { facility_id: facilityId, name },
      moved_in_on: '2026-11-14',
    });
  ({ ledgerId } = await rent('A101'));
  await rent('C014');
  const free = {
    facility_id: facilityId,
    name: 'B207',
    width_feet: 12,
    length_feet: 40,
    type_name: 'RV',
  };
  await addRows(api.owner, 'units', free);
}

const call = (key = randomUUID() as string, isPreview = false) => staffCall({ key, isPreview });
const move = (body: object, key?: string, isPreview?: boolean) =>
  transferUnitOf(api.ctx, call(key, isPreview), {
    ledgerId,
    unit: 'B207',
    on: '2026-11-20',
    ...body,
  });
const cancel = () => move({ unit: undefined, on: undefined, cancel: true });
const subjects = async () => {
  const { email } = await getRow(api.owner, 'tenants', 'email', { id: tenantId });
  const mails = await findRows(api.owner, 'mails', 'subject', { to_address: email });
  return mails.map(({ subject }) => subject);
};
const unitNow = async () => {
  const row = await api.owner
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .select(['units.name', 'rental_rate_cents', 'unit_since', 'transfer_on'])
    .where('ledgers.id', '=', ledgerId)
    .executeTakeFirstOrThrow();
  return row;
};
const scheduledRate = () =>
  getRow(api.owner, 'ledgers', ['scheduled_rate_cents', 'scheduled_rate_on'], { id: ledgerId });
const unitsOfStatement = async (month: string) => {
  const { id } = await getRow(api.owner, 'statements', 'id', { tenant_id: tenantId, month });
  return (await getStatement(api.owner, id)).units.map(({ unitName }) => unitName);
};
const rentAnew = (unit: string, on: string) =>
  moveInOf(api.ctx, call(), { tenantId, unit, on, rate: 200 });
const gateUnits = async (today: string) =>
  (await findUnits(api.ctx, { facilityId, today }))
    .filter((unit) => unit.ledgerId === ledgerId)
    .map(({ unit }) => unit);

describe('a transfer', () => {
  test('leaves months that are paid ahead their rent: the rise that comes with it begins after them', async () => {
    const paid = { ledgerIds: [ledgerId], type: 'cash', amount: 400, isPrepaid: true };
    await recordPaymentFor(api.ctx, call(), paid);
    const moved = { paidAheadThrough: '2027-01-13', rent: { firstBill: { total: 200 } } };
    const preview = await move({ rate: 215 }, undefined, true);
    expect(preview).toMatchObject(moved);
    expect(transferUnit.says!(preview, false).join(' ')).toContain(
      'through 1/13/2027 are paid ahead and keep their rent: it rises on 1/14/2027.',
    );
    expect(await move({ on: '2026-11-25', rate: 215 })).toMatchObject(moved);
    const scheduled = { scheduled_rate_cents: 21_500, scheduled_rate_on: '2027-01-14' };
    expect(await scheduledRate()).toMatchObject(scheduled);
    // The rent that came with the transfer goes with it.
    expect(await cancel()).toMatchObject({ cancelledRate: 215 });
    expect(await scheduledRate()).toMatchObject({ scheduled_rate_on: null });
  });

  test('says the rent before and after to the cent, and the first bill that has it', async () => {
    const bill = (total: number) => ({ dueOn: '2026-12-14', total });
    const rentOf = async (body: object) => (await move(body, undefined, true)).rent;
    expect(await rentOf({})).toEqual({ before: 200, after: 200, firstBill: bill(200) });
    expect(await rentOf({ rate: 180.55 })).toEqual({
      before: 200,
      after: 180.55,
      firstBill: bill(180.55),
    });
    expect(await rentOf({ on: '2026-12-20', rate: 190 })).toMatchObject({
      firstBill: { dueOn: '2027-01-14', total: 190 },
    });
    // A rent that is scheduled anyway comes in the other unit as well.
    await changeRateOf(api.ctx, call(), { ledgerId, amount: 195, on: '2026-12-01' });
    expect(await rentOf({})).toMatchObject({ before: 200, after: 195, firstBill: bill(195) });
    await changeRows(api.owner, 'ledgers', { moved_out_on: '2026-12-10' }, { id: ledgerId });
    expect(await rentOf({})).toMatchObject({ firstBill: null });
    await move({ on: '2026-11-25' });
    expect((await cancel()).rent).toBeNull();
  });

  test('is said in words with the difference a month', () => {
    const firstBill = { dueOn: '2026-12-14', total: 195.5 };
    const until =
      'Nothing is charged or given back until the bill of 12/14/2026, which is $195.50.';
    expect(transferRent({ before: 200, after: 195.5, firstBill })).toBe(
      `The rent is $200.00 before and $195.50 after, $4.50 less a month. ${until}`,
    );
    expect(transferRent({ before: 190, after: 195.5, firstBill })).toContain('$5.50 more a month.');
    expect(transferRent({ before: 195.5, after: 195.5, firstBill })).toBe(
      `The rent stays $195.50 a month. ${until}`,
    );
    expect(transferRent({ before: 200, after: 200, firstBill: null })).toBe(
      'The rent stays $200.00 a month. No further bill comes: the rental ends before.',
    );
  });

  test('today is made at once, with books and code, and frees the unit of before', async () => {
    const reply = await move({});
    expect(reply).toMatchObject({
      isDone: true,
      fromUnit: 'A101',
      toUnit: 'B207',
      ledgers: [{ unitName: 'B207' }],
    });
    expect(await unitNow()).toMatchObject({ name: 'B207', unit_since: '2026-11-20' });
    expect(await gateUnits('2026-11-20')).toEqual(['B207']);
    await expect(rentAnew('A101', '2026-11-19')).rejects.toMatchObject({ status: 409 });
    expect((await rentAnew('A101', '2026-11-20')).movedInOn).toBe('2026-11-20');
    await expect(rentAnew('B207', '2026-12-01')).rejects.toMatchObject({ status: 409 });
    // Before the transfer the other unit was free.
    expect(await unitNow()).toMatchObject({ name: 'B207' });
  });

  test('on the first of a month leaves the statement of the month before its unit; within one it names both', async () => {
    const moved = async (unit: string, on: string) => {
      await move({ unit, on });
      now = new Date(`${on}T15:00:00Z`);
      await makeTransfers(api.ctx, { facilityId, date: on });
    };
    const fee = {
      category: 'fee' as const,
      description: 'Cleaning',
      dueOn: '2026-11-20',
      priceCents: 500,
    };
    await postCharges(api.owner, ledgerId, [fee]);
    await moved('B207', '2026-12-01');
    await makeStatements(api.ctx, facilityId, '2026-11');
    expect(await unitsOfStatement('2026-11')).toEqual(['A101']);
    await moved('A101', '2026-12-15');
    now = new Date('2027-01-01T15:00:00Z');
    await makeStatements(api.ctx, facilityId, '2026-12');
    await moved('B207', '2027-01-02');
    expect(await unitsOfStatement('2026-12')).toEqual(['B207, A101']);
    expect(await unitsOfStatement('2026-11')).toEqual(['A101']);
  });

  test('that lies ahead changes nothing until the facility’s day, and holds both units meanwhile', async () => {
    expect(await move({ on: '2026-11-30' })).toMatchObject({
      isDone: false,
      ledgers: [{ unitName: 'A101' }],
    });
    await expect(rentAnew('B207', '2026-11-25')).rejects.toMatchObject({ status: 409 });
    await expect(rentAnew('A101', '2026-11-29')).rejects.toMatchObject({ status: 409 });
    expect((await rentAnew('A101', '2026-11-30')).movedInOn).toBe('2026-11-30');
    expect(await makeTransfers(api.ctx, { facilityId, date: '2026-11-29' })).toBe(0);
    now = new Date('2026-11-30T15:00:00Z');
    const day = { facilityId, date: '2026-11-30' };
    await Promise.all([makeTransfers(api.ctx, day), makeTransfers(api.ctx, day)]);
    expect(await makeTransfers(api.ctx, day)).toBe(0);
    expect(await unitNow()).toMatchObject({
      name: 'B207',
      unit_since: '2026-11-30',
      transfer_on: null,
    });
    expect(await gateUnits('2026-11-30')).toEqual(['B207']);
  });

  test('that is put off or whose rental ends while the facility’s day begins is not made', async () => {
    const date = '2026-11-30';
    for (const change of [{ transfer_on: '2026-12-05' }, { moved_out_on: '2026-11-29' }]) {
      await move({ on: date });
      const { run } = await api.ctx.db.transaction().execute(async (trx) => {
        await changeRows(trx, 'ledgers', change, { id: ledgerId });
        const run = makeTransfers(api.ctx, { facilityId, date });
        await untilLockWait(api.owner);
        return { run };
      });
      expect(await run).toBe(0);
      expect(await unitNow()).toMatchObject({
        name: 'A101',
        ...('transfer_on' in change && change),
      });
    }
  });

  test('with another rent schedules it as a change of the rate: a rise needs its notice, less does not', async () => {
    const before = await unitNow();
    const rate = before.rental_rate_cents / 100;
    await expect(move({ rate: rate + 50 })).rejects.toMatchObject({
      status: 422,
      message: 'A rise needs its notice 30 days before: it may begin on 2026-12-20 or later.',
    });
    expect(await unitNow()).toEqual(before);
    await move({ rate: rate + 50, on: '2026-12-20' });
    expect(await scheduledRate()).toEqual({
      scheduled_rate_cents: before.rental_rate_cents + 5000,
      scheduled_rate_on: '2026-12-20',
    });
    const replacedRate = { to: rate + 50, on: '2026-12-20' };
    expect(await move({ rate: rate - 50 })).toMatchObject({ replacedRate });
    expect(await scheduledRate()).toEqual({
      scheduled_rate_cents: before.rental_rate_cents - 5000,
      scheduled_rate_on: '2026-11-20',
    });
    expect(await unitNow()).toMatchObject({
      name: 'B207',
      rental_rate_cents: before.rental_rate_cents,
    });
  });

  test('that lies ahead can be cancelled, unless the unit is rented again', async () => {
    await expect(cancel()).rejects.toMatchObject({
      status: 409,
      message: 'No transfer of unit A101 is planned.',
    });
    await move({ on: '2026-11-30' });
    expect(await cancel()).toMatchObject({
      isCancelled: true,
      toUnit: 'B207',
      ledgers: [{ unitName: 'A101' }],
    });
    expect(await unitNow()).toMatchObject({ name: 'A101', transfer_on: null });
    expect(await makeTransfers(api.ctx, { facilityId, date: '2026-11-30' })).toBe(0);
    await move({ on: '2026-11-30' });
    await rentAnew('A101', '2026-11-30');
    await expect(cancel()).rejects.toMatchObject({ status: 409 });
    await expect(move({ on: '2026-12-05' })).rejects.toMatchObject({ status: 409 });
    expect(await unitNow()).toMatchObject({ name: 'A101', transfer_on: '2026-11-30' });
  });

  test('takes the rent that it scheduled back when it is cancelled, and mails that', async () => {
    const { rental_rate_cents: cents } = await unitNow();
    await move({ rate: cents / 100 + 50, on: '2026-12-20' });
    expect(await cancel()).toMatchObject({ isCancelled: true, cancelledRate: cents / 100 + 50 });
    expect(await scheduledRate()).toEqual({ scheduled_rate_cents: null, scheduled_rate_on: null });
    expect(
      (await subjects()).filter((subject) => subject.startsWith('The rent')).toSorted(),
    ).toEqual([
      'The rent of unit A101 changes on 12/20/2026',
      'The rent of unit A101 does not change on 12/20/2026',
    ]);
  });

  test('takes the rent of the one whose place it takes back, unless it has its own', async () => {
    const { rental_rate_cents: cents } = await unitNow();
    await move({ rate: cents / 100 + 50, on: '2026-12-20' });
    await move({ rate: cents / 100 + 60, on: '2026-12-21' });
    expect(await scheduledRate()).toEqual({
      scheduled_rate_cents: cents + 6000,
      scheduled_rate_on: '2026-12-21',
    });
    expect(await move({ on: '2026-12-24' })).toMatchObject({ cancelledRate: cents / 100 + 60 });
    expect(await scheduledRate()).toEqual({ scheduled_rate_cents: null, scheduled_rate_on: null });
  });

  test('leaves a rent alone that was scheduled apart from it, before or after', async () => {
    const { rental_rate_cents: cents } = await unitNow();
    const rate = (amount: number) =>
      changeRateOf(api.ctx, call(), { ledgerId, amount, on: '2026-12-20' });
    await rate(cents / 100 + 10);
    await move({ on: '2026-12-20' });
    expect(await cancel()).toMatchObject({ cancelledRate: null });
    expect(await scheduledRate()).toMatchObject({ scheduled_rate_cents: cents + 1000 });
    await move({ rate: cents / 100 + 50, on: '2026-12-20' });
    await rate(cents / 100 + 50);
    expect(await cancel()).toMatchObject({ cancelledRate: null });
    expect(await scheduledRate()).toMatchObject({ scheduled_rate_cents: cents + 5000 });
    await move({ rate: cents / 100 - 50 });
    expect(await scheduledRate()).toMatchObject({ scheduled_rate_cents: cents - 5000 });
  });

  test('may be made twice on one day, even in one instant', async () => {
    await move({});
    await addRows(api.owner, 'units', {
      facility_id: facilityId,
      name: 'B208',
      width_feet: 12,
      length_feet: 40,
      type_name: 'RV',
    });
    await move({ unit: 'B208' });
    await move({ unit: 'A101' });
    expect(await unitNow()).toMatchObject({ name: 'A101' });
  });

  test('leaves the unit of before on its receipts', async () => {
    const charge = {
      category: 'fee' as const,
      description: 'Cleaning',
      dueOn: '2026-11-14',
      priceCents: 2000,
    };
    const [id] = await postCharges(api.owner, ledgerId, [charge]);
    const payment = {
      tenantId,
      ledgerId,
      paidOn: '2026-11-14',
      charges: [{ id: id!, cents: 2000 }],
    };
    await postPastPayments(api.owner, [payment]);
    const { entry_id } = await getRow(api.owner, 'payments', 'entry_id', { ledger_id: ledgerId });
    await move({});
    expect((await getReceiptOfEntry(api.ctx.db, entry_id)).unitName).toBe('A101');
  });

  test('says the same in its preview, which changes nothing, and is done once under a key', async () => {
    const before = await unitNow();
    const preview = await move({}, undefined, true);
    expect(await unitNow()).toEqual(before);
    const key = randomUUID();
    expect(await move({}, key)).toEqual(preview);
    expect(await move({}, key)).toEqual(preview);
  });

  test('of a rental that lies ahead is made on the day of its move-in, not before', async () => {
    const { ledgers } = await rentAnew('B207', '2026-11-28');
    ledgerId = ledgers[0]!.ledgerId;
    await addRows(api.owner, 'units', {
      facility_id: facilityId,
      name: 'B209',
      width_feet: 12,
      length_feet: 40,
      type_name: 'RV',
    });
    await expect(move({ unit: 'B209' })).rejects.toMatchObject({
      status: 422,
      message: 'The rental begins on 2026-11-28: a transfer is then or later.',
    });
    expect(await move({ unit: 'B209', on: '2026-11-28' })).toMatchObject({ isDone: false });
    expect((await rentAnew('B207', '2026-11-20')).movedInOn).toBe('2026-11-20');
  });

  test('of two clerks at once who want one unit, one has it', async () => {
    const other = (
      await api.owner
        .selectFrom('ledgers')
        .select('id')
        .where('id', '<>', ledgerId)
        .where('tenant_id', '=', tenantId)
        .executeTakeFirstOrThrow()
    ).id;
    const tries = await Promise.allSettled([move({}), move({ ledgerId: other })]);
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('is today by the facility’s calendar', async () => {
    await facilityWith({ time_zone: 'Pacific/Honolulu' });
    now = new Date('2026-11-21T05:00:00Z');
    expect(await move({})).toMatchObject({ isDone: true });
  });

  test.each([
    ['a unit that is none', { unit: 'Z999' }, 404, 'There is no unit Z999'],
    ['the unit that it is in', { unit: 'A101' }, 422, 'is in unit A101 already'],
    ['a unit that is rented', { unit: 'C014' }, 409, 'Unit C014 is rented on 2026-11-20 or later'],
    ['a day in the past', { on: '2026-11-19' }, 422, 'in the past'],
    ['a year of another century', { on: '9999-12-31' }, 422, 'check its year'],
    ['no unit', { unit: undefined }, 422, 'Give a unit and a day, or cancel the transfer.'],
    ['a day that does not exist', { on: '2026-11-31' }, 422, ''],
    ['a rental that is none', { ledgerId: randomUUID() }, 404, 'There is no rental'],
  ])('with %s is refused in a sentence and writes nothing', async (_, body, status, sentence) => {
    const before = await unitNow();
    await expect(move(body)).rejects.toMatchObject({
      status,
      message: expect.stringContaining(sentence) as string,
    });
    expect(await unitNow()).toEqual(before);
  });
});
