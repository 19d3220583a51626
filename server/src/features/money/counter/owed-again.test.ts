import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import { standardNotice } from '@gatehouse/contract/late-notices';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { findLedgers } from '#features/base/ledgers/ledgers.ts';
import { ledgerView } from '#features/base/ledgers/view.ts';
import { findLate, readNewlyLate } from '#features/desk/office/late.ts';
import { sendLateNoticesOf } from '#features/money/late-notices/send.ts';
import { previewPayment } from '#features/money/payments/preview.ts';
import { findLateLedgers } from '#features/money/reports/late.ts';
import { findDueReminders } from '#features/rentals/reminders/due.ts';
import { showGateAccess } from '#features/service/gate-access/gate-access.ts';
import type { Caller } from '#http/guard.ts';
import { runAutopay } from '#features/money/autopay/run.ts';
import { findAutopaysOf } from '#features/money/autopay/autopay.ts';
import { runBilling } from '#features/money/billing/billing.ts';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import { refundPaymentOf } from '#features/money/payments/refund-payment.ts';
import { makePayment } from '#features/money/payments/payments.ts';
import { findGateDebt } from '#features/service/gate-access/effect.ts';
import { isSuspended, isSuspendedOn } from '#features/service/gate-access/suspension.ts';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  makeUser,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { mailsTo } from '#test/mails.ts';
import { addChargeTo, waiveChargeOf } from './charges.ts';
import { addCreditTo, reverseCreditOf } from './credits.ts';
import { recordPaymentFor } from './record-payment.ts';
import { reversePaymentOf } from './reverse-payment.ts';
import { changeRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

const ZONE = 'America/Chicago';
let now: Date;
const api = useTestApp('empty_template', { clock: { now: () => now } });
/** Five in the morning of a day at the facility. */
const at = (date: string) => new Date(`${date}T11:00:00Z`);
beforeEach(() => {
  now = at('2026-11-14');
});

type Rental = {
  facilityId: string;
  tenantId: string;
  ledgerId: string;
  unitId: string;
  email: string;
};

/** A rental that owes the rent of 14 November, $200, with a card that autopay charges. */
async function rental(): Promise<Rental> {
  const facilityId = await makeFacility(api.owner, {
    location_code: randomUUID().slice(0, 8),
    time_zone: ZONE,
    late_fee_cents: 1500,
    late_fee_after_days: 5,
    sends_reminders: true,
  });
  const email = `${randomUUID().slice(0, 8)}@example.com`;
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId, email });
  const { ledgerId, unitId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId },
    moved_in_on: '2026-10-14',
    billed_through: '2026-11-13',
    paid_through: '2026-11-13',
  });
  await runBilling(api.ctx, { facilityId, date: '2026-11-14' });
  return { facilityId, tenantId, ledgerId, unitId, email };
}

async function setUpAutopay({ tenantId, ledgerId }: Rental): Promise<void> {
  const methodId = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: tenantId });
  await makeAutopay(api.owner, ledgerId, methodId, now);
}

const chargeOf = async ({ ledgerId }: Rental) =>
  (await getRow(api.owner, 'charges', 'entry_id', { ledger_id: ledgerId, late_for: null }))
    .entry_id;
const balanceOf = async ({ ledgerId }: Rental) =>
  (await getRow(api.owner, 'ledgers', 'balance_cents', { id: ledgerId })).balance_cents;

/** Whether the gate is suspended, as the portal and as the gates have it. */
async function isLocked({ ledgerId }: Rental, today: string): Promise<boolean> {
  const debt = await findGateDebt(api.ctx, api.owner, { ledgerId, today });
  const { rows } = await sql<{ is: boolean }>`
    SELECT ${isSuspendedOn(api.ctx, today)} AS is
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.id = ${ledgerId}`.execute(api.owner);
  expect(isSuspended(debt!, today)).toBe(rows[0]!.is);
  return rows[0]!.is;
}

const cashFor = async ({ ledgerId }: Rental, amount = 200) =>
  (await recordPaymentFor(api.ctx, staffCall(), { ledgerIds: [ledgerId], type: 'cash', amount }))
    .receiptNumber!;

async function userOf({ tenantId, email }: Rental): Promise<{ userId: string; timeZone: string }> {
  const sign = { email, password: DEMO_PASSWORD, tenantIds: [tenantId] };
  return { userId: await makeUser(api.owner, sign), timeZone: ZONE };
}

/** The tenant of a rental as the guard finds the caller of a request. */
async function callerOf(one: Rental): Promise<Caller> {
  const { facilityId, tenantId, ledgerId } = one;
  return {
    ...(await userOf(one)),
    facilityId,
    tenantIds: [tenantId],
    ledgerIds: [ledgerId],
    kept: null,
    tokenHash: Buffer.of(),
  };
}

async function cardFor(one: Rental): Promise<string> {
  const { tenantId, ledgerId, unitId } = one;
  const { userId } = await userOf(one);
  const paymentMethodId = await makePaymentMethod(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
  });
  const params = {
    payments: [{ ledgerId, unitId, amount: 200 }],
    creditCard: { paymentMethodId },
  };
  const receipt = await makePayment(api.ctx, {
    userId,
    tenantId,
    timeZone: ZONE,
    idempotencyKey: undefined,
    params,
  });
  return receipt.receiptNumber;
}

/** What pays the rent, and what of ours takes that back. */
const acts: [string, (one: Rental) => Promise<() => Promise<unknown>>][] = [
  [
    'a refund in cash',
    async (one) => {
      const receiptNumber = await cashFor(one);
      return () => refundPaymentOf(api.ctx, staffCall(), { receiptNumber, way: 'cash' });
    },
  ],
  [
    'a refund through the gateway',
    async (one) => {
      const receiptNumber = await cardFor(one);
      return () => refundPaymentOf(api.ctx, staffCall(), { receiptNumber });
    },
  ],
  [
    'the reversal of a payment that was recorded by mistake',
    async (one) => {
      const receiptNumber = await cashFor(one);
      return () => reversePaymentOf(api.ctx, staffCall(), { receiptNumber, reason: 'mistake' });
    },
  ],
  [
    'the reversal of a credit',
    async ({ ledgerId }) => {
      const credit = { ledgerId, amount: 200, description: 'Goodwill' };
      const { creditId } = await addCreditTo(api.ctx, staffCall(), credit);
      return () => reverseCreditOf(api.ctx, staffCall(), { creditId });
    },
  ],
  [
    'the reversal of a waiver',
    async (one) => {
      const chargeId = await chargeOf(one);
      const { creditId } = await waiveChargeOf(api.ctx, staffCall(), { chargeId });
      return () => reverseCreditOf(api.ctx, staffCall(), { creditId });
    },
  ],
];

describe('what an act of the operator opens again', () => {
  test.each(acts)('by %s costs nothing before the day that is mailed', async (_, paidBy) => {
    const one = await rental();
    const takeBack = await paidBy(one);
    now = at('2026-11-25');
    await setUpAutopay(one);
    await takeBack();
    expect(await balanceOf(one)).toBe(20_000);
    const mails = await mailsTo(api, one.email);
    expect(mails.at(-1)!.text).toContain('12/5/2026');
    const { facilityId } = one;
    for (let date = '2026-11-25'; date < '2026-12-05'; date = addDays(date, 1)) {
      now = at(date);
      expect(await postLateFees(api.ctx, { facilityId, date })).toBe(0);
      expect(await isLocked(one, date)).toBe(false);
      expect(await runAutopay(api.ctx, { facilityId, date })).toMatchObject({ attempts: 0 });
    }
    const [autopay] = await findAutopaysOf(api.ctx, ZONE, [one.ledgerId]);
    expect(autopay!.nextCharge).toEqual({ date: '2026-12-14', cents: 40_000 });
    now = at('2026-12-05');
    expect(await isLocked(one, '2026-12-05')).toBe(true);
    expect(await postLateFees(api.ctx, { facilityId, date: '2026-12-09' })).toBe(0);
    expect(await postLateFees(api.ctx, { facilityId, date: '2026-12-10' })).toBe(1);
    now = at('2026-12-14');
    await runBilling(api.ctx, { facilityId, date: '2026-12-14' });
    expect(await runAutopay(api.ctx, { facilityId, date: '2026-12-14' })).toMatchObject({
      takenCents: 41_500,
    });
    await expectSoundBooks(api.owner);
  });

  test('is also the late fee that a waiver of its rent had taken with it', async () => {
    const one = await rental();
    const { facilityId } = one;
    now = at('2026-11-20');
    expect(await postLateFees(api.ctx, { facilityId, date: '2026-11-20' })).toBe(1);
    now = at('2026-11-21');
    const chargeId = await chargeOf(one);
    const { creditId, lateFee } = await waiveChargeOf(api.ctx, staffCall(), { chargeId });
    expect(lateFee).toMatchObject({ amount: 15 });
    expect(await balanceOf(one)).toBe(0);
    now = at('2026-11-25');
    const preview = staffCall({ isPreview: true });
    const back = await reverseCreditOf(api.ctx, preview, { creditId });
    expect(back).toMatchObject({ amount: 200, lateFee: 15, owedOn: '2026-12-05' });
    await reverseCreditOf(api.ctx, staffCall(), { creditId });
    expect(await balanceOf(one)).toBe(21_500);
    // A fee that was waived by itself stays so.
    const other = await rental();
    now = at('2026-12-01');
    const late = { facilityId: other.facilityId, date: '2026-12-01' };
    expect(await postLateFees(api.ctx, late)).toBe(1);
    const fee = await getRow(api.owner, 'charges', 'entry_id', { late_for: await chargeOf(other) });
    await waiveChargeOf(api.ctx, staffCall(), { chargeId: fee.entry_id });
    now = at('2026-12-02');
    const waived = await waiveChargeOf(api.ctx, staffCall(), { chargeId: await chargeOf(other) });
    const own = await reverseCreditOf(api.ctx, staffCall(), { creditId: waived.creditId });
    expect(own).toMatchObject({ lateFee: null });
    expect(await balanceOf(other)).toBe(20_000);
    await expectSoundBooks(api.owner);
  });

  test('is left out of the next bill that comes before the day, and of nothing else', async () => {
    const one = await rental();
    const receiptNumber = await cashFor(one, 150);
    now = at('2026-12-10');
    await refundPaymentOf(api.ctx, staffCall(), { receiptNumber, amount: 150, way: 'cash' });
    // $50 was open all the time.
    expect(await isLocked(one, '2026-12-10')).toBe(true);
    await setUpAutopay(one);
    const { facilityId, ledgerId } = one;
    await sql`INSERT INTO autopay_items (ledger_id, due_on, state, created_at, updated_at)
      VALUES (${ledgerId}, '2026-11-14', 'skipped', ${now}, ${now})`.execute(api.owner);
    const [autopay] = await findAutopaysOf(api.ctx, ZONE, [ledgerId]);
    expect(autopay!.nextCharge).toEqual({ date: '2026-12-14', cents: 25_000 });
    now = at('2026-12-14');
    await runBilling(api.ctx, { facilityId, date: '2026-12-14' });
    expect(await runAutopay(api.ctx, { facilityId, date: '2026-12-14' })).toMatchObject({
      takenCents: 25_000,
    });
    expect(await balanceOf(one)).toBe(15_000);
    expect(await isLocked(one, '2026-12-14')).toBe(false);
    await expectSoundBooks(api.owner);
  });

  test('is late, and asked for by name, from that day on only', async () => {
    const one = await rental();
    const { ledgerId, facilityId, tenantId, unitId } = one;
    const receiptNumber = await cashFor(one);
    now = at('2026-11-25');
    await refundPaymentOf(api.ctx, staffCall(), { receiptNumber, way: 'cash' });
    const caller = await callerOf(one);
    const rows = async () => {
      const { rows: late } = await findLate(api.ctx, {}, [facilityId]);
      const { ledgers } = await findLateLedgers(api.ctx, { facilityId, days: 0 });
      const notice = { ledgerIds: [ledgerId], ...standardNotice };
      const preview = staffCall({ isPreview: true });
      const { first } = await sendLateNoticesOf(api.ctx, preview, notice);
      const days = [now.toISOString().slice(0, 10)];
      const newly = await readNewlyLate(api.ctx, { places: [facilityId], days, shown: 9, most: 9 });
      const [ledger] = await findLedgers(api.owner, [tenantId], days[0]!);
      return {
        late: late.map(({ owedSince, daysOwed, daysPastDue }) => [
          owedSince,
          daysOwed,
          daysPastDue,
        ]),
        report: ledgers.map(({ owedSince, daysPastDue }) => [owedSince, daysPastDue]),
        notice: first?.subject ?? null,
        newly: newly.count,
        portal: ledgerView(ledger!, days[0]!).daysPastDue,
      };
    };
    const none = { late: [], notice: null, newly: 0, portal: 0 };
    const own = sql<boolean>`l.id = ${ledgerId}`;
    for (const date of ['2026-11-26', '2026-12-04', '2026-12-05']) {
      now = at(date);
      expect(await rows()).toEqual({ ...none, report: [['2026-12-05', 0]] });
    }
    const [gate] = await findDueReminders(api.ctx, api.owner, '2026-12-04', own);
    expect(gate).toMatchObject({ facts: [{ kind: 'gate_soon', on: '2026-12-05' }], cents: 20_000 });
    now = at('2026-12-06');
    expect(await rows()).toEqual({
      late: [['2026-12-05', 1, 1]],
      report: [['2026-12-05', 1]],
      notice: expect.stringContaining('$200.00 is past due') as string,
      newly: 1,
      portal: 1,
    });
    // What is owed besides is asked for by itself, and opens the gate.
    now = at('2026-11-26');
    const fee = { ledgerId, category: 'fee', description: 'Lock', amount: 25, isTaxed: false };
    const { gate: closes } = await addChargeTo(api.ctx, staffCall(), fee);
    expect(closes!.sentence).toMatch(/It opens again once \$25\.00 is paid\.$/);
    const request = { ip: '127.0.0.1', requestId: randomUUID() };
    const [access] = await showGateAccess(api.ctx, caller, request, unitId);
    expect(access).toMatchObject({ opensFor: 25 });
    const { gate: after } = await previewPayment(api.ctx, caller, ledgerId, { amount: 10 });
    expect(after).toMatchObject({ isOpened: false, more: 15 });
    now = at('2026-11-27');
    expect(await rows()).toMatchObject({
      late: [['2026-11-26', 1, 0]],
      notice: expect.stringContaining('$25.00 is past due') as string,
    });
  });

  test('is not asked for although the facility’s order pays it first', async () => {
    const one = await rental();
    const { ledgerId, facilityId } = one;
    await changeRows(api.owner, 'facilities', { payment_order: 'rent_first' }, { id: facilityId });
    await cashFor(one, 150);
    const receiptNumber = await cashFor(one, 50);
    now = at('2026-11-25');
    const fee = { ledgerId, category: 'fee', description: 'Lock', amount: 25, isTaxed: false };
    await addChargeTo(api.ctx, staffCall(), fee);
    await refundPaymentOf(api.ctx, staffCall(), { receiptNumber, way: 'cash' });
    const caller = await callerOf(one);
    const { gate } = await previewPayment(api.ctx, caller, ledgerId, { amount: 20 });
    // The rest of the rent and the fee.
    expect(gate).toMatchObject({ isOpened: false, more: 55 });
    const whole = await previewPayment(api.ctx, caller, ledgerId, { amount: 75 });
    expect(whole.gate).toMatchObject({ isOpened: true });
  });

  test('by the bank is owed at once: a check that bounces closes the gate', async () => {
    const one = await rental();
    const { ledgerId } = one;
    const check = { ledgerIds: [ledgerId], type: 'check', number: '1042', amount: 200 };
    const { receiptNumber } = await recordPaymentFor(api.ctx, staffCall(), check);
    now = at('2026-11-25');
    await reversePaymentOf(api.ctx, staffCall(), { receiptNumber, reason: 'nsf' });
    expect(await isLocked(one, '2026-11-25')).toBe(true);
    expect(await postLateFees(api.ctx, { facilityId: one.facilityId, date: '2026-11-30' })).toBe(1);
  });
});
