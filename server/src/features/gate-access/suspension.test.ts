import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/app.ts';
import { isSuspended, payBy, type GateDebt } from './suspension.ts';

let api: TestApp;
beforeAll(async () => {
  api = await openTestApp('empty_template');
});
afterAll(() => api.close());

const debt = (part: Partial<GateDebt>): GateDebt => ({
  balanceCents: 17_500,
  owedSince: '2026-11-20',
  isOverlocked: false,
  graceDays: 5,
  leastCents: 1,
  ...part,
});

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
  expect(payBy(debt({}), '2026-11-20')).toBe('2026-11-24');
  expect(payBy(debt({ owedSince: '2026-01-31', graceDays: 30 }), '2026-02-01')).toBe('2026-03-01');
  expect(payBy(debt({}), '2026-11-25')).toBeNull();
  expect(payBy(debt({ leastCents: 17_501 }), '2026-11-20')).toBeNull();
});

test('a lock by hand suspends also a credit', () => {
  expect(isSuspended(debt({ balanceCents: -500, isOverlocked: true }), '2026-11-20')).toBe(true);
});

test('the database says the same as the server', async () => {
  const days = ['2026-11-19', '2026-11-24', '2026-11-25'];
  for (const balanceCents of [-1, 0, 1, 99, 100])
    for (const owedSince of [null, '2026-11-20'])
      for (const isOverlocked of [false, true])
        for (const graceDays of [0, 5])
          for (const leastCents of [1, 100])
            for (const day of days) {
              const one = { balanceCents, owedSince, isOverlocked, graceDays, leastCents };
              const { rows } = await sql<{ is: boolean }>`
                SELECT is_gate_suspended(${balanceCents}, ${owedSince}, ${isOverlocked ? new Date() : null}, ${graceDays},
                  ${leastCents}, ${day}::date) AS is`.execute(api.owner);
              expect(rows[0]!.is, JSON.stringify({ ...one, day })).toBe(isSuspended(one, day));
            }
});
