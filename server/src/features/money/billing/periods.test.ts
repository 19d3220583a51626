import { addDays, daysBetween } from '@gatehouse/contract/dates';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BillingKind } from '#db/tables.ts';
import { nextPeriod } from './periods.ts';

describe('a period of rent', () => {
  test.each<[BillingKind, day: number, start: string, end: string, days: number, ofDays: number]>([
    ['first_of_month', 1, '2026-11-01', '2026-11-30', 30, 30],
    ['first_of_month', 1, '2026-11-17', '2026-11-30', 14, 30],
    ['first_of_month', 17, '2026-12-31', '2026-12-31', 1, 31],
    ['first_of_month', 1, '2028-02-29', '2028-02-29', 1, 29],
    ['anniversary', 14, '2026-11-14', '2026-12-13', 30, 30],
    ['anniversary', 14, '2026-12-14', '2027-01-13', 31, 31],
    ['anniversary', 1, '2027-02-01', '2027-02-28', 28, 28],
    // The 29th to 31st fall back to the month's end and come back afterwards.
    ['anniversary', 31, '2027-01-31', '2027-02-27', 28, 28],
    ['anniversary', 31, '2027-02-28', '2027-03-30', 31, 31],
    ['anniversary', 31, '2027-03-31', '2027-04-29', 30, 30],
    ['anniversary', 31, '2027-04-30', '2027-05-30', 31, 31],
    ['anniversary', 30, '2027-01-30', '2027-02-27', 29, 29],
    ['anniversary', 30, '2027-02-28', '2027-03-29', 30, 30],
    ['anniversary', 29, '2027-01-29', '2027-02-27', 30, 30],
    ['anniversary', 28, '2027-02-28', '2027-03-27', 28, 28],
    // A leap year has the 29th itself.
    ['anniversary', 29, '2028-01-29', '2028-02-28', 31, 31],
    ['anniversary', 29, '2028-02-29', '2028-03-28', 29, 29],
    ['anniversary', 31, '2028-02-29', '2028-03-30', 31, 31],
    // Off the anniversary, up to the next one.
    ['anniversary', 14, '2026-11-20', '2026-12-13', 24, 30],
    ['anniversary', 14, '2026-11-03', '2026-11-13', 11, 31],
    ['anniversary', 31, '2027-02-27', '2027-02-27', 1, 28],
    ['twenty_eight_days', 14, '2026-11-20', '2026-12-17', 28, 28],
    ['twenty_eight_days', 14, '2028-02-10', '2028-03-08', 28, 28],
    ['twenty_eight_days', 2, '2028-02-02', '2028-02-29', 28, 28],
    ['twenty_eight_days', 2, '2027-02-02', '2027-03-01', 28, 28],
    ['first_of_month', 1, '2028-02-01', '2028-02-29', 29, 29],
    ['anniversary', 31, '2028-02-10', '2028-02-28', 19, 29],
  ])(
    '%s on day %i from %s ends on %s: %i of %i days',
    (kind, day, start, periodEnd, days, ofDays) => {
      expect(nextPeriod(kind, day, start)).toEqual({ dueOn: start, periodEnd, days, ofDays });
    },
  );

  // Read off a wall calendar, through a leap year and into one that is none.
  test.each([
    [
      28,
      '12-28 01-28 02-28 03-28 04-28 05-28 06-28 07-28 08-28 09-28 10-28 11-28 12-28 01-28 02-28',
    ],
    [
      29,
      '12-29 01-29 02-29 03-29 04-29 05-29 06-29 07-29 08-29 09-29 10-29 11-29 12-29 01-29 02-28',
    ],
    [
      30,
      '12-30 01-30 02-29 03-30 04-30 05-30 06-30 07-30 08-30 09-30 10-30 11-30 12-30 01-30 02-28',
    ],
    [
      31,
      '12-31 01-31 02-29 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31 01-31 02-28',
    ],
  ])('of anniversary %i from December 2027 on is due on %s', (day, days) => {
    const found = [`2027-12-${day}`];
    while (found.length < 15) {
      const { periodEnd, days, ofDays } = nextPeriod('anniversary', day, found.at(-1)!);
      expect(days).toBe(ofDays);
      found.push(addDays(periodEnd, 1));
    }
    const years = ['2027', ...Array<string>(12).fill('2028'), '2029', '2029'];
    expect(found).toEqual(days.split(' ').map((date, nth) => `${years[nth]}-${date}`));
    const { periodEnd } = nextPeriod('anniversary', day, found.at(-1)!);
    expect(addDays(periodEnd, 1)).toBe(`2029-03-${day}`);
  });

  const kinds = fc.constantFrom<BillingKind>('anniversary', 'first_of_month', 'twenty_eight_days');
  const dates = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1999-01-01', days));
  const billingDays = fc.integer({ min: 1, max: 31 });

  test('follows the one before without a gap, and only the first of them is cut short', () => {
    fc.assert(
      fc.property(kinds, billingDays, dates, (kind, day, start) => {
        let due = start;
        for (let count = 0; count < 30; count += 1) {
          const period = nextPeriod(kind, day, due);
          expect(period.dueOn).toBe(due);
          expect(daysBetween(due, period.periodEnd) + 1).toBe(period.days);
          expect(period.days).toBeGreaterThan(0);
          expect(period.days).toBeLessThanOrEqual(period.ofDays);
          expect(period.ofDays).toBeLessThanOrEqual(31);
          if (count > 0) expect(period.days).toBe(period.ofDays);
          due = addDays(period.periodEnd, 1);
        }
      }),
    );
  });

  test('begins on the billing day of every month, or on its last day where it has none such', () => {
    fc.assert(
      fc.property(billingDays, dates, (day, start) => {
        const period = nextPeriod('anniversary', day, start);
        const due = addDays(period.periodEnd, 1);
        const isLastOfMonth = addDays(due, 1).endsWith('-01');
        expect(Number(due.slice(8)) === day || (isLastOfMonth && Number(due.slice(8)) < day)).toBe(
          true,
        );
      }),
    );
  });
});
