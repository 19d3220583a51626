import { lastDayOf } from '@gatehouse/contract/dates';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rentalEvents, type FeedRental } from './events.ts';

const rental: FeedRental = {
  ledgerId: 'L',
  unitName: 'A101',
  balanceCents: 0,
  paidThrough: '2026-12-13',
  nextCharge: null,
  bills: [
    { on: '2026-12-14', cents: 20_450 },
    { on: '2027-01-14', cents: 20_450 },
  ],
  rateChange: null,
  movedOutOn: null,
  cardEnds: null,
  policyEndsOn: null,
  papers: [],
};
/** A paper of the first vehicle of a rental, without details. */
const ofFirst = { vehicleId: null, vehicle: null };
const titles = (more: Partial<FeedRental>) =>
  rentalEvents({ ...rental, ...more }).map(({ on, title }) => `${on} ${title}`);

test('each bill to come is an event on its due date', () => {
  expect(titles({})).toEqual([
    '2026-12-14 Rent due $204.50, A101',
    '2027-01-14 Rent due $204.50, A101',
  ]);
});

test('a credit is taken off the bills, the first ones first', () => {
  expect(titles({ balanceCents: -30_000 })).toEqual(['2027-01-14 Rent due $109.00, A101']);
  expect(titles({ balanceCents: -40_900 })).toEqual([]);
});

test('what is owed now is one event on the day that it has been owed since', () => {
  expect(titles({ balanceCents: 5000, paidThrough: '2026-11-13' })).toEqual([
    '2026-11-14 Unpaid $50.00, A101',
    '2026-12-14 Rent due $204.50, A101',
    '2027-01-14 Rent due $204.50, A101',
  ]);
});

// spec 10.10
test('autopay: what it takes next, and the bills after that', () => {
  expect(titles({ balanceCents: 5000, nextCharge: { on: '2026-12-14', cents: 25_450 } })).toEqual([
    '2026-12-14 Autopay $254.50, A101',
    '2027-01-14 Autopay $204.50, A101',
  ]);
  expect(titles({ balanceCents: 5000, nextCharge: { on: '2026-11-30', cents: 5000 } })).toEqual([
    '2026-11-30 Autopay $50.00, A101',
    '2026-12-14 Autopay $204.50, A101',
    '2027-01-14 Autopay $204.50, A101',
  ]);
});

// spec 10.10, 10.21
test('a rent change, a move-out, and what expires are events too, in the order of their days', () => {
  expect(
    titles({
      bills: [],
      rateChange: { on: '2027-01-01', cents: 21_000 },
      movedOutOn: '2027-02-01',
      cardEnds: { card: 'Visa ending in 4242', on: '2026-12-31' },
      policyEndsOn: '2027-01-15',
      papers: [
        { ...ofFirst, kind: 'registration', on: '2027-01-31' },
        { ...ofFirst, kind: 'insurance', on: '2027-03-01' },
        { vehicleId: 'W', vehicle: 'Sea Ray', kind: 'insurance', on: '2027-03-01' },
      ],
    }),
  ).toEqual([
    '2026-12-31 Visa ending in 4242 expires, A101',
    '2027-01-01 Rent changes to $210.00, A101',
    '2027-01-15 Insurance ends, A101',
    '2027-01-31 Registration expires, A101',
    '2027-02-01 Move-out, A101',
    '2027-03-01 Vehicle insurance expires, A101',
    '2027-03-01 Vehicle insurance expires, Sea Ray, A101',
  ]);
});

test('papers of two vehicles that expire on one day are two events', () => {
  const on = '2027-03-01';
  const papers = [null, 'W'].map((vehicleId) => ({
    vehicleId,
    vehicle: 'Sea Ray',
    kind: 'insurance' as const,
    on,
  }));
  const ids = rentalEvents({ ...rental, bills: [], papers }).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

test('no two events have one id, and bills and credit come to the same sum', () => {
  const bills = fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 12 });
  fc.assert(
    fc.property(bills, fc.integer({ min: 0, max: 500_000 }), (cents, credit) => {
      const coming = cents.map((one, month) => ({
        on: `2027-${String(month + 1).padStart(2, '0')}-14`,
        cents: one,
      }));
      const events = rentalEvents({ ...rental, bills: coming, balanceCents: -credit });
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      const shown = events.reduce(
        (sum, { title }) =>
          sum + Math.round(Number(/\$([\d,.]+)/.exec(title)![1]!.replace(/,/g, '')) * 100),
        0,
      );
      const billed = cents.reduce((sum, one) => sum + one, 0);
      expect(shown).toBe(Math.max(0, billed - credit));
    }),
  );
});

test.each([
  ['2026-02', '2026-02-28'],
  ['2028-02', '2028-02-29'],
  ['2026-12', '2026-12-31'],
])('the last day of %s is %s', (month, day) => {
  expect(lastDayOf(month)).toBe(day);
});
