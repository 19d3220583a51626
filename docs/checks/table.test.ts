import { describe, expect, test } from 'vitest';
import { faultsOf, readTable, type Repository } from './table.ts';

const head = '| # | Statement | Where | Test |\n| --- | :-- | --: | - |\n';
const page = (...rows: string[]) => `# A page\n\n## 2. Screens\n\n${head}${rows.join('\n')}\n`;
const repository: Repository = {
  has: (path) => ['web/login.tsx', 'web/login.test.ts', 'e2e/login.spec.ts'].includes(path),
  testsIn: (file) =>
    file === 'web/login.test.ts' ? ['the form › is sent once', 'a | b *c*'] : ['a tenant signs in'],
};

/** What is wrong with a page of these rows. */
function faults(...rows: string[]): string[] {
  const table = readTable(page(...rows));
  return [...table.faults, ...table.rows.flatMap((row) => faultsOf(row, repository))];
}

describe('a row', () => {
  test('is read with its places and its tests', () => {
    const row =
      '| 2.1 | label \'Email Address\' | `web/login.tsx`<br>`web` | `a.test.ts`: "says "no""<br>`b.spec.ts`: "x" |';
    expect(readTable(page(row))).toEqual({
      rows: [
        {
          number: '2.1',
          statement: "label 'Email Address'",
          where: ['web/login.tsx', 'web'],
          tests: [
            { file: 'a.test.ts', title: 'says "no"' },
            { file: 'b.spec.ts', title: 'x' },
          ],
        },
      ],
      faults: [],
    });
  });

  test('whose place and tests exist is sound, the title alone or with the block around it', () => {
    expect(
      faults(
        '| 2.1 | one | `web/login.tsx` | `e2e/login.spec.ts`: "a tenant signs in" |',
        '| 2.3 | two | `web/login.tsx` | `web/login.test.ts`: "is sent once"<br>`web/login.test.ts`: "the form › is sent once" |',
        '| 2.10 | three | `web/login.tsx` | `web/login.test.ts`: "a \\| b \\*c\\*" |',
      ),
    ).toEqual([]);
  });

  test.each([
    ['without a test', '| 2.1 | x | `web/login.tsx` | - |', '2.1 has no test'],
    ['with an empty test', '| 2.1 | x | `web/login.tsx` | |', '2.1 has no test'],
    [
      'without a place',
      '| 2.1 | x | - | `e2e/login.spec.ts`: "a tenant signs in" |',
      '2.1 does not say where it lives',
    ],
    [
      'with a place that is not there',
      '| 2.1 | x | `web/gone.tsx` | `e2e/login.spec.ts`: "a tenant signs in" |',
      '2.1: there is no web/gone.tsx',
    ],
    [
      'with a test file that is not there',
      '| 2.1 | x | `web/login.tsx` | `web/gone.test.ts`: "is sent once" |',
      '2.1: there is no web/gone.test.ts',
    ],
    [
      'with a file that holds no tests',
      '| 2.1 | x | `web/login.tsx` | `web/login.tsx`: "is sent once" |',
      '2.1: web/login.tsx is no test file',
    ],
    [
      'with a title that no test has',
      '| 2.1 | x | `web/login.tsx` | `web/login.test.ts`: "sent once" |',
      '2.1: web/login.test.ts has no test "sent once"',
    ],
    [
      'with a title of another file',
      '| 2.1 | x | `web/login.tsx` | `web/login.test.ts`: "a tenant signs in" |',
      '2.1: web/login.test.ts has no test "a tenant signs in"',
    ],
    [
      'with one good test and one that is none',
      '| 2.1 | x | `web/login.tsx` | `e2e/login.spec.ts`: "a tenant signs in"<br>`e2e/login.spec.ts`: "a" |',
      '2.1: e2e/login.spec.ts has no test "a"',
    ],
  ])('%s is named', (_, row, fault) => {
    expect(faults(row)).toEqual([fault]);
  });
});

describe('a line that is not of the form', () => {
  const sound = '| 2.2 | x | `web/login.tsx` | `e2e/login.spec.ts`: "a tenant signs in" |';

  test.each([
    ['a number twice', [sound, sound], 'line 8: 2.2 comes after 2.2'],
    ['numbers out of order', [sound, sound.replace('2.2', '2.1')], 'line 8: 2.1 comes after 2.2'],
    [
      'a number of another section',
      [sound.replace('2.2', '3.1')],
      'line 7: 3.1 stands in section 2',
    ],
    ['no number', [sound.replace('2.2', 'two')], 'line 7: "two" is no number such as 2.1'],
    ['no statement', [sound.replace(' x ', ' ')], 'line 7: 2.2 states nothing'],
    ['a cell too few', ['| 2.1 | x | `web/login.tsx` |'], 'line 7: 2.1 has 3 cells, not 4'],
    [
      'a place without its marks',
      [sound.replaceAll('`web/login.tsx`', 'web/login.tsx')],
      'is not written as a place',
    ],
    ['a test without its title', [sound.replace(/: "a.*?"/, '')], 'is not written as a test'],
  ])('is named: %s', (_, rows, fault) => {
    expect(faults(...rows)).toEqual([expect.stringContaining(fault)]);
  });
});
