import { expect, test } from 'vitest';
import { hoursLabel, isLockedOut, lockedOutAdvice } from './gate-access.ts';

test('a unit is locked out while anything is owed', () => {
  expect([isLockedOut(0.01), isLockedOut(0), isLockedOut(-5)]).toEqual([true, false, false]);
});

test('from 14 days past due the tenant is asked to call, before that the balance is due', () => {
  expect(lockedOutAdvice(0)).toBe('Balance Due!');
  expect(lockedOutAdvice(13)).toBe('Balance Due!');
  expect(lockedOutAdvice(14)).toBe('Please call facility to resolve!');
});

test('business hours show with their times', () => {
  expect(hoursLabel('Business Hours')).toBe('Business Hours (6am - 10pm)');
  expect(hoursLabel('24 Hours')).toBe('24 Hours');
});
