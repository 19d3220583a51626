import { expect, test } from 'vitest';
import { testTitles } from './test-titles.ts';

test('tests and their steps are found, with the titles of the blocks around them', () => {
  const source = `
    test('alone', () => {});
    describe('a card', () => {
      it("has a number", async () => {});
      describe('of a bank', () => { test.only(\`too\`, () => {}) });
      test('is paid', async () => { await test.step('in part', () => {}) });
    });`;
  expect(testTitles('a.test.ts', source)).toEqual([
    'alone',
    'a card › has a number',
    'a card › of a bank › too',
    'a card › is paid',
    'a card › in part',
  ]);
});

test('a title with values in it counts as it is written', () => {
  const source = `
    test.each([[13, false]])('number of %d characters: %s', (length) => {});
    test.each\`a | b\`('a plus b', () => {});
    it.for(['x'] as const)('%s is none', () => {});
    test.skipIf(process.platform === 'win32')('elsewhere', () => {});
    for (const scheme of ['light']) test.describe(\`in \${scheme} colours\`, () => { test('signing in', () => {}) });
    describe.each(['a'])('the %s', () => { test('goes', { tag: '@phone' }, () => {}) });`;
  expect(testTitles('a.spec.tsx', source)).toEqual([
    'number of %d characters: %s',
    'a plus b',
    '%s is none',
    'elsewhere',
    'in ${scheme} colours › signing in',
    'the %s › goes',
  ]);
});

test('what is skipped, said in a comment or a string, or made by another function is no test', () => {
  const source = `
    test.skip('skipped', () => {});
    test.todo('to do');
    it.skip.each([1])('%s skipped', () => {});
    test.skip.only('skipped too', () => {});
    test.fixme('broken', () => {});
    describe.skip('a block', () => { test('in a skipped block', () => {}) });
    // test('in a comment', () => {});
    const text = "test('in a string', () => {})";
    run.test('of something else', () => {});
    test.beforeEach('a hook', () => {});
    test.each(['values alone']);
    test(name, () => {});
    latest('one', () => {});`;
  expect(testTitles('a.test.ts', source)).toEqual([]);
});
