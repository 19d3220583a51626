import { describe, expect, test } from 'vitest';
import type { Column } from './columns.ts';
import { importFiles, type FileName } from './files.ts';
import { readValue } from './values.ts';

const column = (file: FileName, name: string): Column =>
  importFiles[file].columns.find((one) => one.name === name)!;
const read = (of: Column, cell: string) => {
  const answer = readValue(of, cell);
  return 'fault' in answer ? { fault: answer.fault } : answer.value;
};

describe('a cell', () => {
  test('with an email names an invisible character in it, and is kept in NFC', () => {
    const email = column('tenants', 'email');
    expect(read(email, 'dana\u00AD@example.com')).toEqual({
      fault: 'contains an invisible character (U+00AD)',
    });
    expect(read(email, 'jose\u0301@example.com')).toBe('jos\u00E9@example.com');
    expect(read(column('tenants', 'first_name'), 'Jose\u200B\u0301\u00A0Mu\u00ADn\u0303oz')).toBe(
      'Jos\u00E9 Mu\u00F1oz',
    );
    expect(read(column('units', 'unit'), 'A\u200B1')).toBe('A1');
    expect(read(column('unitContents', 'contents'), 'boat:FWC\u00AD482')).toBe('boat:FWC482');
  });

  test('with numbers is understood in full-width digits', () => {
    expect(read(column('tenants', 'phone'), '（８１７）５５５－０１４２')).toBe('8175550142');
    expect(read(column('ledgers', 'rental_rate'), '＄１，２３４．５０')).toBe(123_450);
  });

  test.each([
    ['2026-11-21', '2026-11-21'],
    ['11/21/2026', '2026-11-21'],
    ['1/2/2026', '2026-01-02'],
    ['46347', '2026-11-21'],
    ['46347.0', '2026-11-21'],
    ['2026-11-21 00:00:00', '2026-11-21'],
    ['11/21/2026 0:00', '2026-11-21'],
    ['2024-02-29', '2024-02-29'],
  ])('with the day %s is %s', (cell, day) => {
    expect(read(column('ledgers', 'paid_through'), cell)).toBe(day);
  });

  test.each([
    '2026-02-30',
    '21/11/2026',
    'soon',
    '46347.5',
    '2026-11-21 14:30',
    '12',
    '0001-01-01',
  ])('with %s is no day', (cell) => {
    expect(read(column('ledgers', 'paid_through'), cell)).toEqual({
      fault: 'must be a day such as 2026-11-21 or 11/21/2026',
    });
  });

  test.each(['11/21/26', '1/2/26', '11-21-26', '11/21/26 0:00'])(
    'with the day %s wants its year in full',
    (cell) => {
      expect(read(column('ledgers', 'paid_through'), cell)).toEqual({
        fault: 'must have a year of four digits, as in 2026-11-21 or 11/21/2026',
      });
    },
  );

  test.each([
    ['1,234.50', 123_450],
    ['$1,234.5', 123_450],
    ['-$50', -5000],
    ['(50.00)', -5000],
    ['($1,050.00)', -105_000],
    [' $1,050.00 ', 105_000],
    ['$ (20.00)', -2000],
    [' $-   ', 0],
    ['-', 0],
    ['0', 0],
    ['12.3400', 1234],
    ['.00', { fault: 'must be a sum such as 1,234.50' }],
    ['1,23.00', { fault: 'must be a sum such as 1,234.50' }],
    ['12.345', { fault: 'must be a sum such as 1,234.50' }],
    ['1e3', { fault: 'must be a sum such as 1,234.50' }],
    ['9,999,999,999', { fault: 'must be from -100000000.00 to 100000000.00' }],
  ])('with the sum %s is %s', (cell, cents) => {
    expect(read(column('ledgers', 'balance'), cell)).toEqual(cents);
  });

  test.each<[FileName, string, string, unknown]>([
    ['ledgers', 'rental_rate', '-1', { fault: 'must be from 0.00 to 100000000.00' }],
    ['ledgers', 'rental_rate', '  ', { fault: 'must not be empty' }],
    ['ledgers', 'taxed', 'Yes', true],
    ['ledgers', 'taxed', 'maybe', { fault: 'must be yes or no' }],
    ['ledgers', 'billing_day', '32', { fault: 'must be from 1 to 31' }],
    ['ledgers', 'billing_day', '1.5', { fault: 'must be a whole number' }],
    ['facilities', 'billing_kind', 'FirstOfMonth', 'first_of_month'],
    ['facilities', 'rent_tax1', '8.25%', 825],
    [
      'facilities',
      'time_zone',
      'Mars/Olympus',
      { fault: 'must be a time zone such as America/Chicago' },
    ],
    ['facilities', 'region', 'tx', 'TX'],
    [
      'facilities',
      'move_out_url',
      'http://x.example',
      { fault: 'must be an address that begins with https://' },
    ],
    ['tenants', 'phone', '(817) 555-0142', '8175550142'],
    ['tenants', 'phone', '817-555-0142 x12', '8175550142 ext. 12'],
    ['tenants', 'phone', '+45 32 12 34 56', '+4532123456'],
    ...['555-0142', '000-000-0000', '45 12 34 56 78'].map(
      (cell): [FileName, string, string, { fault: string }] => [
        'tenants',
        'phone',
        cell,
        { fault: 'must be a number in use: 10 digits, or + and its country' },
      ],
    ),
    ['tenants', 'postal_code', '02138', '02138'],
    ['tenants', 'postal_code', 'SW1A 1AA', 'SW1A 1AA'],
    [
      'tenants',
      'postal_code',
      '2138',
      {
        fault:
          'is short of a digit: a spreadsheet drops a 0 at its beginning, so format the column as text',
      },
    ],
    ['tenants', 'email', 'dana@example', { fault: 'must look like name@example.com' }],
    ['tenants', 'first_name', 'x'.repeat(101), { fault: 'must have 100 characters at most' }],
    [
      'tenants',
      'first_name',
      'Jos\uFFFD',
      { fault: 'is not UTF-8: save the sheet as "CSV UTF-8"' },
    ],
    ['gatewayTokens', 'expires_on', '4/2028', '2028-04'],
    ['gatewayTokens', 'expires_on', '04/28', '2028-04'],
    [
      'gatewayTokens',
      'expires_on',
      '13/2028',
      { fault: 'must be a month such as 2028-04 or 4/2028' },
    ],
    ['unitContents', 'contents', 'boat:FWC48217C414', 'boat:FWC48217C414'],
    [
      'unitContents',
      'contents',
      'boat:',
      { fault: 'must be vehicle, boat or none, a colon and the VIN or HIN' },
    ],
  ])('of %s, %s with %j is %j', (file, name, cell, value) => {
    expect(read(column(file, name), cell)).toEqual(value);
  });
});
