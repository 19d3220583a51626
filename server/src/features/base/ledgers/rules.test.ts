import { calendarDateIn } from '@gatehouse/contract/dates';
import { lockedOutAdvice } from '@gatehouse/contract/gate-access';
import { describe, expect, test } from 'vitest';
import { daysPastDue, paidThrough, waivedTax } from './rules.ts';

describe('paid-through', () => {
  test('is the end of the last period billed when all rent is paid', () => {
    expect(paidThrough([], '2026-12-13')).toBe('2026-12-13');
  });

  test.each([
    ['one period open', ['2026-09-13'], '2026-10-12', '2026-09-12'],
    ['the older of two open', ['2026-10-13', '2026-09-13'], '2026-11-12', '2026-09-12'],
    ['through a leap day', ['2028-03-01'], '2028-03-31', '2028-02-29'],
    ['through 28 February', ['2027-03-01'], '2027-03-31', '2027-02-28'],
  ])('%s', (_, open, billedThrough, right) => {
    expect(
      paidThrough(
        open.map((dueOn) => ({ dueOn })),
        billedThrough,
      ),
    ).toBe(right);
  });

  test('is the day before the first period that is not fully paid', () => {
    expect(paidThrough([{ dueOn: '2026-11-14' }, { dueOn: '2026-10-14' }], '2026-12-13')).toBe(
      '2026-10-13',
    );
  });
});

describe('days past due', () => {
  // spec 3.18
  test('counts from the due date', () => {
    expect(daysPastDue('2026-11-14', '2026-11-14')).toBe(0);
    expect(daysPastDue('2026-11-14', '2026-11-15')).toBe(1);
    expect(daysPastDue('2026-11-14', '2026-11-27')).toBe(13);
    expect(daysPastDue('2026-11-14', '2026-11-28')).toBe(14);
  });

  // Midnight after the 13th day: in winter after a due date in summer time, and the reverse.
  test.each([
    ['America/Chicago', '2026-11-15T06:00:00Z', '2027-03-15T05:00:00Z'],
    ['America/Phoenix', '2026-11-15T07:00:00Z', '2027-03-15T07:00:00Z'],
    ['Pacific/Honolulu', '2026-11-15T10:00:00Z', '2027-03-15T10:00:00Z'],
    ['America/New_York', '2026-11-15T05:00:00Z', '2027-03-15T04:00:00Z'],
    ['America/Los_Angeles', '2026-11-15T08:00:00Z', '2027-03-15T07:00:00Z'],
    ['America/Anchorage', '2026-11-15T09:00:00Z', '2027-03-15T08:00:00Z'],
  ])('are 13 before and 14 from midnight in %s on (R17)', (zone, winter, summer) => {
    for (const [dueOn, midnight] of [
      ['2026-11-01', winter],
      ['2027-03-01', summer],
    ] as const)
      for (const ms of [-60_000, -1, 0, 60_000]) {
        const today = calendarDateIn(zone, new Date(Date.parse(midnight) + ms));
        const days = daysPastDue(dueOn, today);
        expect([midnight, ms, days, lockedOutAdvice(days)]).toEqual([
          midnight,
          ms,
          ...(ms < 0 ? [13, 'Balance Due!'] : [14, 'Please call facility to resolve!']),
        ]);
      }
  });

  test('is 0 while the rent is covered, even if a fee is owed', () => {
    expect(daysPastDue(null, '2026-12-24')).toBe(0);
  });

  test('is not below 0 when rent is billed ahead of its due date', () => {
    expect(daysPastDue('2026-12-01', '2026-11-20')).toBe(0);
  });

  test('crosses the leap day and the change of clocks by the calendar', () => {
    expect(daysPastDue('2028-02-28', '2028-03-01')).toBe(2);
    expect(daysPastDue('2026-03-07', '2026-03-09')).toBe(2);
  });
});

describe('the taxes in a waiver', () => {
  const charge = { totalCents: 101, tax1Cents: 1, tax2Cents: 0 };

  test('are never below nothing, also where an earlier waiver was taken back', () => {
    const first = waivedTax({ ...charge, waived: { cents: 0, tax1Cents: 0, tax2Cents: 0 } }, 50);
    const second = waivedTax({ ...charge, waived: { cents: 50, ...first } }, 1);
    expect([first.tax1Cents, second.tax1Cents]).toEqual([0, 1]);
    // The first one is taken back.
    const third = waivedTax({ ...charge, waived: { cents: 1, ...second } }, 1);
    expect(third).toEqual({ tax1Cents: 0, tax2Cents: 0 });
  });
});
