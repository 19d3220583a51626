import { expect, test } from 'vitest';
import { costOf, regexesOf, slowTexts } from './regexes.ts';

test('the regexes of a text are found, and no slash of a comment or a division', () => {
  const text = "// a/b/c\nconst x = 1 / 2 / 3; y.replace(/a+\\/b$/gi, ''); new RegExp('^c');";
  expect(regexesOf('x.ts', text).map(({ regex }) => String(regex))).toEqual([
    '/a+\\/b$/gi',
    '/^c/',
  ]);
  expect(() => regexesOf('x.ts', 'new RegExp(given)')).toThrow(
    'x.ts makes a regex that cannot be read',
  );
});

// asvs 1.3.12
test('a regex that goes back and forth is found, a plain one is not', () => {
  const isSlow = (regex: RegExp) =>
    [...slowTexts(regex, 20_000, 0)].some((text) => costOf(regex, text) > 50);
  expect(isSlow(/ +$/)).toBe(true);
  expect(isSlow(/^ +/)).toBe(false);
});
