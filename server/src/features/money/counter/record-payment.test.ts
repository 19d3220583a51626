import { randomUUID } from 'node:crypto';
import { reversePayment } from '@gatehouse/contract/counter-payments';
import { addDays } from '@gatehouse/contract/dates';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDrawerOf } from '#features/money/drawers/close.ts';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import {
  makeFacility,
  makeLedger,
  makeStaffMember,
  makeTenant,
  postCharges,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { expectSoundBooks } from '#test/books.ts';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { reverseCreditOf } from './credits.ts';
import { recordPaymentFor } from './record-payment.ts';
import { reversePaymentOf } from './reverse-payment.ts';
import { changeRows, getRow } from '#test/rows.ts';

let facilityId: string;
let tenantId: string;
let now: Date;

const DUE = '2026-11-14';
/** Noon of a day at the facility. */
const noon = (day: string) => new Date(`${day}T18:00:00Z`);

const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeEach(async () => {
  now = noon(DUE);
  await newFacility();
});
afterAll(() => expectSoundBooks(api.owner));

let count = 0;
async function newFacility(settings: object = {}) {
  facilityId = await makeFacility(api.owner, {
    location_code: `EARLY${(count += 1)}`,
    late_fee_cents: 2000,
    late_fee_after_days: 5,
    ...settings,
  });
  tenantId = await makeTenant(api.owner, {
    facility_id: facilityId,
    email: `early${count}@example.com`,
  });
}

/** A rental that owes a rent of $200 since the 14th. */
async function lateRental() {
  const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name: `E${(count += 1)}` },
    moved_in_on: DUE,
  });
  const rent = { dueOn: DUE, periodEnd: '2026-12-13', priceCents: 20_000 };
  await postCharges(api.owner, ledgerId, [{ category: 'rent', description: 'Rent', ...rent }]);
  return ledgerId;
}

const call = (isPreview = false) => ({
  ...{ key: randomUUID(), by: 'Ana', why: 'It was in the night box', isPreview },
  facilityIds: [facilityId],
});
const check = (ledgerId: string, rest: object = {}) => ({
  ...{ ledgerIds: [ledgerId], type: 'check', number: '1042', amount: 200, ...rest },
});
const record = (body: object, isPreview = false) =>
  recordPaymentFor(api.ctx, call(isPreview), body);
const balance = async (ledgerId: string) =>
  (await getRow(api.owner, 'ledgers', 'balance_cents', { id: ledgerId })).balance_cents;

async function feesOn(day: string) {
  now = noon(day);
  await postLateFees(api.ctx, { facilityId, date: day });
}

describe('a payment that came earlier', () => {
  test('counts from its day, in the drawer of that day, and its receipt says so', async () => {
    const ledgerId = await lateRental();
    now = noon('2026-11-17');
    await record(check(ledgerId, { on: '2026-11-15' }));
    const paid = await api.owner
      .selectFrom('entries')
      .innerJoin('drawer_entries', 'entry_id', 'entries.id')
      .select(['posted_on', 'deposit_on'])
      .where('ledger_id', '=', ledgerId)
      .execute();
    expect(paid).toEqual([{ posted_on: '2026-11-15', deposit_on: '2026-11-15' }]);
    const [mail] = await mailsTo(api, `early${count - 1}@example.com`);
    expect(mail!.text).toContain('11/15/2026');
  });

  test('is not of a day to come, nor further back than the facility allows', async () => {
    const ledgerId = await lateRental();
    now = noon('2026-11-25');
    await expect(record(check(ledgerId, { on: '2026-11-26' }))).rejects.toMatchObject({
      status: 422,
      message: 'The day 11/26/2026 is still to come.',
    });
    await expect(record(check(ledgerId, { on: '2026-11-17' }))).rejects.toMatchObject({
      status: 422,
      message: 'A payment can be recorded for 11/18/2026 or later.',
    });
    await record(check(ledgerId, { on: '2026-11-18', amount: 10 }));
    await changeRows(api.owner, 'facilities', { payment_days_back: 0 }, { id: facilityId });
    await expect(record(check(ledgerId, { on: '2026-11-24' }))).rejects.toMatchObject({
      message: 'A payment can be recorded for 11/25/2026 or later.',
    });
    await record(check(ledgerId, { on: '2026-11-25', amount: 10 }));
  });

  test('is not of a day whose drawer is closed', async () => {
    const ledgerId = await lateRental();
    now = noon('2026-11-17');
    const member = { name: 'Ana', role: 'manager', email: 'ana@example.com' } as const;
    const id = await makeStaffMember(api.owner, {
      ...member,
      password: DEMO_PASSWORD,
      facilityIds: null,
      createdAt: now,
    });
    await closeDrawerOf(
      api.ctx,
      { ...call(), staff: { id, role: 'manager' } },
      { on: '2026-11-16', cash: 0, check: 0, moneyOrder: 0 },
    );
    await expect(record(check(ledgerId, { on: '2026-11-16' }))).rejects.toMatchObject({
      status: 409,
      message: 'The drawer is closed until 11/16/2026.',
    });
    await record(check(ledgerId, { on: '2026-11-17' }));
  });

  test('says which late fees it would have prevented, and waives them where that is asked for', async () => {
    const ledgerId = await lateRental();
    await feesOn('2026-11-20');
    const body = check(ledgerId, { on: '2026-11-18' });
    const preview = await record(body, true);
    expect(preview.prevented).toEqual([
      expect.objectContaining({
        ledgerId,
        description: 'Late fee',
        dueOn: '2026-11-20',
        amount: 20,
      }),
    ]);
    expect((await record(check(ledgerId, { on: '2026-11-20' }), true)).prevented).toEqual([]);
    expect((await record(check(ledgerId), true)).prevented).toEqual([]);
    expect((await record({ ...body, amount: 199 }, true)).prevented).toEqual([]);
    const waived = await record({ ...body, waivesFees: true }, true);
    expect(waived.ledgers).toMatchObject([{ balance: 0 }]);
    await record({ ...body, waivesFees: true });
    expect(await balance(ledgerId)).toBe(0);
    const texts = (await mailsTo(api, `early${count - 1}@example.com`)).map(({ text }) => text);
    expect(texts.some((text) => text.includes('Waived: Late fee'))).toBe(true);
  });

  test('says where it is taken back which late fees stay waived', async () => {
    const ledgerId = await lateRental();
    await feesOn('2026-11-20');
    const body = check(ledgerId, { on: '2026-11-18', waivesFees: true });
    const { receiptNumber } = await record(body);
    const reversal = await reversePaymentOf(api.ctx, call(), { receiptNumber, reason: 'nsf' });
    expect(reversal).toMatchObject({
      leftWaived: [{ ledgerId, description: 'Late fee', dueOn: '2026-11-20', amount: 20 }],
    });
    expect(reversePayment.warns!(reversal)).toBe(
      'Late fee of 11/20/2026, $20.00, was waived with the payment and stays waived. Charge it again if it is owed.',
    );
    const another = await record(check(ledgerId, { on: '2026-11-18', waivesFees: true }));
    const waivers = await api.sql<{ id: string }>`
      SELECT c.entry_id AS id FROM credits c JOIN entries e ON e.id = c.entry_id
      WHERE c.charge_entry_id IS NOT NULL AND c.ledger_id = ${ledgerId} ORDER BY e.position DESC LIMIT 1`;
    await reverseCreditOf(api.ctx, call(), { creditId: waivers[0]!.id });
    const taken = { receiptNumber: another.receiptNumber, reason: 'mistake' };
    expect(await reversePaymentOf(api.ctx, call(), taken)).toMatchObject({ leftWaived: [] });
    const later = await record(check(ledgerId, { on: undefined }));
    const plain = { receiptNumber: later.receiptNumber, reason: 'mistake' };
    expect(await reversePaymentOf(api.ctx, call(), plain)).toMatchObject({ leftWaived: [] });
  });

  test('leaves what is owed as if it had been recorded on its day, whatever its sum and day', async () => {
    const order = fc.constantFrom('oldest_first', 'rent_first', 'fees_first');
    await fc.assert(
      fc.asyncProperty(
        ...([order, fc.integer({ min: 1, max: 22_000 }), fc.integer({ min: 0, max: 7 })] as const),
        async (payment_order, cents, days) => {
          await newFacility({ payment_order });
          now = noon(DUE);
          const [inTime, late] = [await lateRental(), await lateRental()];
          const on = addDays(DUE, days);
          const rest = { amount: cents / 100, isPrepaid: true };
          const isBefore = on < '2026-11-20';
          now = noon(on);
          if (isBefore) await record(check(inTime, rest));
          await feesOn('2026-11-20');
          now = noon(isBefore ? '2026-11-21' : on);
          if (!isBefore) await record(check(inTime, rest));
          await record(check(late, { ...rest, on, waivesFees: true }));
          expect(await balance(late)).toBe(await balance(inTime));
        },
      ),
      { numRuns: 15 },
    );
  });
});
