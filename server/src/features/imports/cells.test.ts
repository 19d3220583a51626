import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine, holdsCardNumber, markFormula, unmarkFormula } from './cells.ts';

describe('a cell of an export', () => {
  test.each(['=1+1', '+1', '@SUM(1)', '\t=1', '\r=1', '-1+1', "'=1", '-', '=HYPERLINK("http://evil.example","x")'])(
    'that begins as %j is no formula in a spreadsheet',
    (text) => {
      expect(markFormula(text)).toBe(`'${text}`);
    },
  );

  test.each(['-50.00', '50.00', "O'Neill", "'quoted'", 'A101', ''])('with %j is left as it is', (text) => {
    expect(markFormula(text)).toBe(text);
  });

  test('is read as exactly the text that was written, whatever that is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ' ', '1', '.', 'a') }),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), (cells) => {
        const [record] = parse(csvLine(cells), { record_delimiter: '\r\n' });
        expect(record!.map(unmarkFormula)).toEqual(cells);
        for (const cell of record!) expect(/^[=+@\t\r\n]/.test(cell)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a card number', () => {
  test.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    'Visa 4242 4242 4242 4242 04/28',
    '3782 822463 10005',
    'card=4222222222222',
    '6304000000000000000',
  ])('is seen in %s', (text) => {
    expect(holdsCardNumber(text)).toBe(true);
  });

  test.each([
    '4242424242424241',
    'Visa ending in 4242',
    '1Z12345E0205271688',
    '(817) 555-0142',
    '2026-11-14 - 2026-12-13',
    '42424242-4242-4242-8424-242424242424',
    'sandbox_42424242-4242-4242-8424-242424242424',
    '5B4MP67G123353230',
  ])('is not seen in %s', (text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });
});
