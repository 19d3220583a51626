import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine, markFormula, unmarkFormula } from './cells.ts';

describe('a cell of an export', () => {
  // asvs 1.2.10
  test.each([
    '=1+1',
    '+1',
    '@SUM(1)',
    '\t=1',
    '\r=1',
    '-1+1',
    "'=1",
    '-',
    '＝1',
    '＠x',
    '=HYPERLINK("http://evil.example","x")',
  ])('that begins as %j is no formula in a spreadsheet', (text) => {
    expect(markFormula(text)).toBe(`'${text}`);
  });

  test.each(['-50.00', '50.00', "O'Neill", "'quoted'", 'A101', ''])(
    'with %j is left as it is',
    (text) => {
      expect(markFormula(text)).toBe(text);
    },
  );

  test('is read as exactly the text that was written, whatever that is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom(
          "'",
          '=',
          '+',
          '-',
          '@',
          '\t',
          '\r',
          '\n',
          '"',
          ',',
          ' ',
          '1',
          '.',
          'a',
        ),
      }),
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

test('only the operator’s export and the file for the gate’s software are what a spreadsheet opens', () => {
  const folder = new URL('../../', import.meta.url);
  const makers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /(?<!\.(test|fixture|contract))\.ts$/.test(name) &&
      /\b(csv|tsv|xlsx?|ods)\b|tab-separated|spreadsheet|ms-excel|operator\/imports\//i.test(
        readFileSync(new URL(name, folder), 'utf8'),
      ),
  );
  expect(
    makers
      .filter((name) => !/^operator\/(imports|cli\/(import|export|sheets-lines)\.ts$)/.test(name))
      .toSorted(),
  ).toEqual([
    'adapters/gate/file-gate.ts',
    // Begins the import's thread, whose rows with faults are written as the command's.
    'app/lease-importer.ts',
    'config/config.ts',
    // Names the office's own file in a sentence.
    'features/desk/office/report-papers.ts',
    // Makes an operator as an import does.
    'operator/cli/staff.ts',
  ]);
});
