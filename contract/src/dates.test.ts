import { setLanguageSource } from '@gatehouse/language/language';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  addBusinessDays,
  addDays,
  calendarDateIn,
  daysBetween,
  formatDate,
  formatMonth,
  formatTimeIn,
  formatWeekday,
} from './dates.ts';

afterEach(() => setLanguageSource(() => 'en'));

describe('dates', () => {
  // spec 9.14, 9.15
  test('show M/d/yyyy, card expiry M/yyyy', () => {
    expect(formatDate('2026-01-05')).toBe('1/5/2026');
    expect(formatDate('2026-11-20')).toBe('11/20/2026');
    expect(formatMonth('2028-04')).toBe('4/2028');
  });

  // spec 10.75
  test('are written out in Spanish, where 11/5 would be a day of May', () => {
    setLanguageSource(() => 'es');
    expect(formatDate('2026-11-05')).toBe('5\u00a0nov\u00a02026');
    expect(formatDate('2026-09-30')).toBe('30\u00a0sept\u00a02026');
    expect(formatWeekday('2026-11-24')).toBe('martes, 24 de noviembre');
    const instant = new Date('2026-11-24T20:05:00Z');
    expect(formatTimeIn('America/Chicago', instant).replace(/\s/g, ' ')).toBe('2:05 p.m.');
    expect(formatMonth('2028-04')).toBe('4/2028');
  });

  test('that are near show their weekday', () => {
    expect(formatWeekday('2026-11-24')).toBe('Tuesday, November 24');
    expect(formatWeekday('2027-01-01')).toBe('Friday, January 1');
  });

  test.each([
    ['2026-11-23', 2, '2026-11-25'],
    ['2026-11-26', 2, '2026-11-30'],
    ['2026-11-28', 1, '2026-11-30'],
    ['2026-12-31', 4, '2027-01-06'],
    ['2026-11-29', 0, '2026-11-29'],
  ])('%s and %i business days, weekends left out, is %s', (date, days, then) => {
    expect(addBusinessDays(date, days)).toBe(then);
  });

  test('today is the facility’s', () => {
    const newYear = new Date('2027-01-01T05:30:00Z');
    expect(calendarDateIn('America/Chicago', newYear)).toBe('2026-12-31');
    expect(calendarDateIn('America/New_York', newYear)).toBe('2027-01-01');
    expect(calendarDateIn('Pacific/Honolulu', newYear)).toBe('2026-12-31');
  });

  test('days are added and counted by the calendar, over month ends, leap days and changes of clocks', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-03-08', 1)).toBe('2026-03-09');
    expect(daysBetween('2026-10-31', '2026-11-02')).toBe(2);
    expect(daysBetween('2026-11-02', '2026-10-31')).toBe(-2);
  });

  test('adding days and counting them agree', () => {
    const date = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2060-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, fc.integer({ min: -4000, max: 4000 }), (instant, days) => {
        const from = instant.toISOString().slice(0, 10);
        expect(daysBetween(from, addDays(from, days))).toBe(days);
      }),
    );
  });
});
