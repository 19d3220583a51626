import { expect, test } from 'vitest';
import { pathOf } from './endpoint.ts';
import { hasScheduledRateChange, listLedgers, nextChargeDate } from './ledgers.ts';
import { joinContents, parseContents } from './unit-contents.ts';

// spec 4.48
test('the next charge falls on the day after paid-through', () => {
  expect(nextChargeDate('2026-12-31')).toBe('2027-01-01');
});

// spec 4.49
test('a scheduled rate change shows when its date is set and its rate is above 0', () => {
  const change = (
    scheduledRateChange: number | null,
    scheduledRateChangeEffectiveDate: string | null,
  ) => hasScheduledRateChange({ scheduledRateChange, scheduledRateChangeEffectiveDate });
  expect(change(179, '2027-01-11')).toBe(true);
  expect(change(0, '2027-01-11')).toBe(false);
  expect(change(null, '2027-01-11')).toBe(false);
  expect(change(179, null)).toBe(false);
});

// spec 3.39, 3.40
test('unit contents are one string type:value', () => {
  expect(joinContents('vehicle', '5B4MP67G123353230')).toBe('vehicle:5B4MP67G123353230');
  expect(parseContents('boat:ABC:1')).toEqual({ type: 'boat', value: 'ABC:1' });
  expect(parseContents('none:')).toEqual({ type: 'none', value: '' });
  for (const nothing of ['', 'boat', 'car:1', 'toString:1'])
    expect(parseContents(nothing)).toBeNull();
});

// spec 7.2, 7.52
// asvs 1.2.2
test('a path is filled in, ids in a list joined by commas', () => {
  const params = { corp: 'ANCHOR', locationCode: 'TX/1', tenantIds: 'a,b' };
  expect(pathOf(listLedgers.path, params)).toBe(
    '/corporations/ANCHOR/locations/TX%2F1/tenants/a,b/ledgers',
  );
  expect(() => pathOf(listLedgers.path, {})).toThrow('corp');
});
