import { expect, test } from 'vitest';
import { settle, type RentalCharge } from './settlement.ts';

const charge = (part: Partial<RentalCharge>): RentalCharge => ({
  id: 'one',
  category: 'rent',
  description: 'Rent',
  dueOn: '2026-01-31',
  periodEnd: '2026-02-27',
  position: 1,
  totalCents: 28_000,
  tax1Cents: 0,
  tax2Cents: 0,
  waived: { cents: 0, tax1Cents: 0, tax2Cents: 0 },
  settledBy: [],
  ...part,
});
const cents = (charges: RentalCharge[], day: string, prorates = true) =>
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

test('what was billed for a later period is given back whole, with its plan and card fee', () => {
  const later = { dueOn: '2026-03-31', periodEnd: null };
  const charges = [
    charge({ dueOn: '2026-03-31', periodEnd: '2026-04-29' }),
    charge({ ...later, category: 'insurance', totalCents: 1400 }),
    charge({ ...later, category: 'fee', description: 'Card fee', totalCents: 300 }),
    charge({ ...later, category: 'fee', description: 'Late fee', totalCents: 2000 }),
  ];
  expect(cents(charges, '2026-03-31', false)).toEqual([28_000, 1400, 300]);
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
