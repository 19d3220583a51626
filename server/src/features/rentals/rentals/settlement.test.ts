import { addDays, daysBetween } from '@gatehouse/contract/dates';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DescribedCharge } from '#features/base/ledgers/books.ts';
import { settle } from './settlement.ts';

const charge = (part: Partial<DescribedCharge>): DescribedCharge => ({
  id: 'one',
  category: 'rent',
  description: 'Rent',
  dueOn: '2026-01-31',
  periodEnd: '2026-02-27',
  lateFor: null,
  position: 1,
  totalCents: 28_000,
  tax1Cents: 0,
  tax2Cents: 0,
  waived: { cents: 0, tax1Cents: 0, tax2Cents: 0 },
  settledBy: [],
  ...part,
});
const cents = (charges: DescribedCharge[], day: string, prorates = true) =>
  settle(charges, day, prorates).map((one) => one.cents);

test('the days from the move-out to the end of the period are given back, where the facility prorates', () => {
  expect(settle([charge({})], '2026-02-27', true)).toMatchObject([
    { cents: 1000, description: 'Unused days 2/27/2026 - 2/27/2026' },
  ]);
  expect(cents([charge({})], '2026-02-01')).toEqual([27_000]);
  expect(cents([charge({})], '2026-02-28')).toEqual([]);
  expect(cents([charge({})], '2026-02-01', false)).toEqual([]);
});

test('a share of a cent is rounded half up', () => {
  const third = charge({ dueOn: '2026-11-14', periodEnd: '2026-12-13', totalCents: 21_650 });
  expect(cents([third], '2026-11-24')).toEqual([14_433]);
  expect(
    cents([charge({ dueOn: '2026-11-01', periodEnd: '2026-11-02', totalCents: 5 })], '2026-11-02'),
  ).toEqual([3]);
});

test('what was billed for a later period is given back whole, and what staff charged is not', () => {
  const later = { dueOn: '2026-03-31', periodEnd: '2026-04-29' };
  const byHand = { dueOn: '2026-03-31', periodEnd: null };
  const charges = [
    charge(later),
    charge({ ...later, category: 'insurance', totalCents: 1400 }),
    charge({ ...later, category: 'fee', description: 'Card fee', totalCents: 300 }),
    charge({ ...byHand, category: 'insurance', description: 'Deductible', totalCents: 25_000 }),
    charge({ ...byHand, category: 'fee', description: 'Card fee', totalCents: 500 }),
    charge({ ...byHand, category: 'service', totalCents: 600 }),
  ];
  expect(cents(charges, '2026-03-31', false)).toEqual([28_000, 1400, 300]);
});

test('a late fee goes back where the days that were rented were paid when it was posted', () => {
  const fee = charge({
    id: 'fee',
    category: 'fee',
    description: 'Late fee',
    dueOn: '2026-02-10',
    periodEnd: null,
    position: 5,
    totalCents: 2000,
    lateFor: 'one',
  });
  const paid = (cents: number, position: number) =>
    charge({ settledBy: [{ creditId: 'paid', position, cents }] });
  // $10 is for the day that was rented.
  expect(cents([paid(1000, 3), fee], '2026-02-01')).toEqual([27_000, 2000]);
  expect(cents([paid(999, 3), fee], '2026-02-01')).toEqual([27_000]);
  expect(cents([paid(1000, 6), fee], '2026-02-01')).toEqual([27_000]);
  expect(cents([paid(0, 3), fee], '2026-01-31')).toEqual([28_000, 2000]);
  // Posted while the rental was not over: all of the rent was owed then.
  expect(cents([paid(14_000, 3), fee], '2026-02-14')).toEqual([14_000]);
});

test('whatever is charged when, what is kept is for days that were rented or was charged by hand', () => {
  const day = fc.integer({ min: 0, max: 120 }).map((days) => addDays('2026-01-31', days));
  const part = fc.record({
    category: fc.constantFrom('rent' as const, 'insurance' as const, 'fee' as const),
    dueOn: day,
    days: fc.option(fc.integer({ min: 1, max: 31 })),
    totalCents: fc.integer({ min: 0, max: 50_000 }),
  });
  fc.assert(
    fc.property(fc.array(part), day, fc.boolean(), (parts, on, prorates) => {
      const charges = parts.map(({ days, ...one }, index) =>
        charge({
          ...one,
          id: String(index),
          periodEnd: days === null ? null : addDays(one.dueOn, days - 1),
        }),
      );
      const settled = settle(charges, on, prorates);
      for (const one of charges) {
        const back = settled.find((other) => other.charge === one)?.cents ?? 0;
        const rented = one.periodEnd === null || one.periodEnd < on ? 'all' : one.dueOn >= on;
        if (rented === 'all') expect(back).toBe(0);
        else if (rented) expect(back).toBe(one.totalCents);
        else {
          const whole = daysBetween(one.dueOn, one.periodEnd!) + 1;
          const kept = (one.totalCents * daysBetween(one.dueOn, on)) / whole;
          expect(Math.abs(one.totalCents - back - (prorates ? kept : one.totalCents))).toBeLessThan(
            1,
          );
        }
      }
    }),
  );
});

test('never more is given back than what is left of a charge', () => {
  const waived = { cents: 27_500, tax1Cents: 0, tax2Cents: 0 };
  // 27 of 28 days.
  expect(cents([charge({ waived })], '2026-02-01')).toEqual([482]);
  const all = { cents: 28_000, tax1Cents: 0, tax2Cents: 0 };
  expect(
    cents([charge({ waived: all }), charge({ category: 'deposit', waived: all })], '2026-02-01'),
  ).toEqual([]);
});

test('of what was waived before, no share is given back again', () => {
  const waived = { cents: 14_000, tax1Cents: 0, tax2Cents: 0 };
  // 14 of 28 days of the half that is left.
  expect(cents([charge({ waived })], '2026-02-14')).toEqual([7000]);
  const nearlyAll = charge({ waived: { ...waived, cents: 27_995 } });
  expect(cents([nearlyAll], '2026-02-14')).toEqual([3]);
  expect(cents([nearlyAll], '2026-02-27')).toEqual([]);
});

test('a deposit is given back whole, whenever it was charged', () => {
  const deposit = charge({
    category: 'deposit',
    dueOn: '2024-01-01',
    periodEnd: null,
    totalCents: 5000,
  });
  expect(cents([deposit], '2026-02-01', false)).toEqual([5000]);
});
