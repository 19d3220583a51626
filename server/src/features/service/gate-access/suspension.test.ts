import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runBilling } from '#features/money/billing/billing.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { reversePaymentOf } from '#features/money/counter/reverse-payment.ts';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { testClock } from '#test/test-day.ts';
import {
  gateDebtColumns,
  isSuspended,
  isSuspendedOn,
  isWaiting,
  payBy,
  type GateDebt,
} from './suspension.ts';

const api = useTestApp('empty_template', { clock: { now: () => now } });
let now = new Date('2026-11-20T15:00:00Z');

const debt = (part: Partial<GateDebt>): GateDebt => ({
  balanceCents: 17_500,
  notEnforcedCents: 0,
  enforcedLater: [],
  owedSince: '2026-11-20',
  waitingCents: null,
  waitingSince: null,
  isOverlocked: false,
  lateFrom: null,
  graceDays: 5,
  leastCents: 1,
  ...part,
});

// spec 4.36
test('by default anything owed suspends at once', () => {
  const [graceDays, owedSince] = [0, null];
  for (const [balanceCents, suspended] of [
    [-1, false],
    [0, false],
    [1, true],
  ] as const)
    expect(isSuspended(debt({ balanceCents, graceDays, owedSince }), '2026-11-20')).toBe(suspended);
  expect(payBy(debt({ graceDays, owedSince }), '2026-11-20')).toBeNull();
});

test('the gate is suspended once both are reached, the days and the sum', () => {
  expect(isSuspended(debt({}), '2026-11-24')).toBe(false);
  expect(isSuspended(debt({}), '2026-11-25')).toBe(true);
  expect(isSuspended(debt({ leastCents: 17_500 }), '2026-11-25')).toBe(true);
  expect(isSuspended(debt({ leastCents: 17_501 }), '2026-11-25')).toBe(false);
});

test('until then it is to be paid by the last day before, over the end of a month too', () => {
  expect(payBy(debt({}), '2026-11-20')).toEqual({ date: '2026-11-24', cents: 17_500 });
  expect(payBy(debt({ owedSince: '2026-01-31', graceDays: 30 }), '2026-02-01')?.date).toBe(
    '2026-03-01',
  );
  expect(payBy(debt({}), '2026-11-25')).toBeNull();
  expect(payBy(debt({ leastCents: 17_501 }), '2026-11-20')).toBeNull();
});

// $175 are owed, of which $100 were opened again.
test('what an act of ours opened again closes the gate from its day on, and is asked for then', () => {
  const again = { notEnforcedCents: 10_000, enforcedLater: [{ from: '2026-11-30', cents: 0 }] };
  expect(payBy(debt(again), '2026-11-20')).toEqual({ date: '2026-11-24', cents: 7_500 });
  expect(payBy(debt({ ...again, graceDays: 12 }), '2026-11-20')).toEqual({
    date: '2026-12-01',
    cents: 17_500,
  });
  const all = { ...again, balanceCents: 10_000, graceDays: 0, owedSince: null };
  expect(payBy(debt(all), '2026-11-20')).toEqual({ date: '2026-11-29', cents: 10_000 });
  expect(payBy(debt({ ...all, owedSince: '2026-11-30', graceDays: 5 }), '2026-11-20')).toEqual({
    date: '2026-12-04',
    cents: 10_000,
  });
});

test('a lock by hand suspends also a credit', () => {
  expect(isSuspended(debt({ balanceCents: -500, isOverlocked: true }), '2026-11-20')).toBe(true);
});

test('what waits for settlement suspends as if it had not been paid, for as long and as much', () => {
  const paid = { balanceCents: 0, owedSince: null, waitingCents: 17_500 };
  const waiting = debt({ ...paid, waitingSince: '2026-11-20' });
  expect([isSuspended(waiting, '2026-11-24'), isWaiting(waiting, '2026-11-24')]).toEqual([
    false,
    false,
  ]);
  expect([isSuspended(waiting, '2026-11-25'), isWaiting(waiting, '2026-11-25')]).toEqual([
    true,
    true,
  ]);
  // A charge that came later and has days left neither opens the gate nor is what shuts it.
  const later = { ...waiting, balanceCents: 500, owedSince: '2026-11-24' };
  expect(isWaiting(later, '2026-11-25')).toBe(true);
  expect(payBy(later, '2026-11-24')).toBeNull();
  // What is late by itself does not wait.
  expect(isWaiting(debt({ waitingCents: 1, waitingSince: '2026-11-20' }), '2026-11-25')).toBe(
    false,
  );
  expect(isWaiting({ ...waiting, isOverlocked: true }, '2026-11-25')).toBe(false);
});

test('a payment that waits opens no gate, whatever is owed: the same as before it was made', () => {
  const cents = fc.integer({ min: 0, max: 500 });
  const day = fc.integer({ min: 0, max: 20 }).map((days) => addDays('2026-11-01', days));
  const facts = fc.record({
    owed: cents,
    part: cents,
    since: day,
    today: day,
    graceDays: fc.integer({ min: 0, max: 10 }),
    leastCents: fc.integer({ min: 1, max: 300 }),
    isOverlocked: fc.boolean(),
  });
  fc.assert(
    fc.property(facts, ({ owed, part, since, today, graceDays, leastCents, isOverlocked }) => {
      const owedSince = graceDays === 0 ? null : since;
      const waitingCents = Math.min(part, owed);
      const settings = { graceDays, leastCents, isOverlocked };
      const before = debt({ balanceCents: owed, owedSince, ...settings });
      const balanceCents = owed - waitingCents;
      const paid = { balanceCents, owedSince: balanceCents > 0 ? owedSince : null, ...settings };
      const after = debt({ ...paid, waitingCents, waitingSince: owedSince });
      expect(isSuspended(after, today)).toBe(isSuspended(before, today));
      expect(isWaiting(after, today)).toBe(
        isSuspended(before, today) && !isSuspended(debt(paid), today),
      );
    }),
  );
});

test('the database says the same as the server', async () => {
  const days = ['2026-11-19', '2026-11-24', '2026-11-25'];
  for (const balanceCents of [-1, 0, 1, 99, 100])
    for (const owedSince of [null, '2026-11-20'])
      for (const isOverlocked of [false, true])
        for (const graceDays of [0, 5])
          for (const leastCents of [1, 100])
            for (const day of days) {
              const one = debt({ balanceCents, owedSince, isOverlocked, graceDays, leastCents });
              const rows = await api.sql<{ is: boolean }>`
                SELECT is_gate_suspended(${balanceCents}, ${owedSince}, ${isOverlocked ? testClock.now() : null}, ${graceDays},
                  ${leastCents}, ${day}::date) AS is`;
              expect(rows[0]!.is, JSON.stringify({ ...one, day })).toBe(isSuspended(one, day));
            }
});

test('the days begin when a charge is posted or opened again, not on an earlier due date', async () => {
  const facilityId = await makeFacility(api.owner, { gate_grace_days: 5 });
  const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: await makeTenant(api.owner, { facility_id: facilityId }),
    unit: { facility_id: facilityId },
    moved_in_on: '2026-10-14',
    billed_through: '2026-11-13',
    paid_through: '2026-11-13',
  });
  const call = { by: 'Ana', why: '', facilityIds: null, isPreview: false };
  /**
   * The last day to pay as the portal has it, and whether the gate is suspended on that day and the
   * next.
   */
  const lastDay = async () => {
    const today = now.toISOString().slice(0, 10);
    const rows = await api.sql<GateDebt>`
      SELECT ${gateDebtColumns(api.ctx, today)} FROM ledgers l JOIN units u ON u.id = l.unit_id
      JOIN facilities f ON f.id = u.facility_id WHERE l.id = ${ledgerId}`;
    const day = payBy(rows[0]!, today)!.date;
    const suspended = await sql<{ then: boolean; after: boolean }>`
      SELECT ${isSuspendedOn(api.ctx, day)} AS then, ${isSuspendedOn(api.ctx, addDays(day, 1))} AS after
      FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
      WHERE l.id = ${ledgerId}`.execute(api.owner);
    return { day, ...suspended.rows[0]! };
  };
  await runBilling(api.ctx, { facilityId, date: '2026-11-20' });
  expect(await lastDay()).toEqual({ day: '2026-11-24', then: false, after: true });
  const check = { ledgerIds: [ledgerId], type: 'check', number: '1042', amount: 200 };
  const { receiptNumber } = await recordPaymentFor(api.ctx, { ...call, key: randomUUID() }, check);
  now = new Date('2026-12-01T15:00:00Z');
  await reversePaymentOf(api.ctx, { ...call, key: randomUUID() }, { receiptNumber, reason: 'nsf' });
  expect(await lastDay()).toEqual({ day: '2026-12-05', then: false, after: true });
  // A part that bounces of a charge that was open anyway gives no further days.
  now = new Date('2026-12-03T15:00:00Z');
  const part = await recordPaymentFor(
    api.ctx,
    { ...call, key: randomUUID() },
    { ...check, amount: 1 },
  );
  await reversePaymentOf(
    api.ctx,
    { ...call, key: randomUUID() },
    { receiptNumber: part.receiptNumber, reason: 'nsf' },
  );
  expect(await lastDay()).toEqual({ day: '2026-12-05', then: false, after: true });
});
