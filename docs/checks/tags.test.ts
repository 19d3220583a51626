import { expect, test } from 'vitest';
import { allTags, tagsIn } from './tags.ts';

test('a test and a step have the numbers in the comments above them', () => {
  const text = [
    ...['  // spec 4.12, 4.13', '  // spec 5.1', '  // asvs 6.3.1', "  test('waits', () => {});"],
    ...['// spec 7.1', "await test.step('asks', () => {});", '// spec 1.1', 'test.each([1])('],
    ...["// spec 2.1', in prose", 'const text = 1;'],
  ].join('\n');
  expect(tagsIn(text)).toEqual({
    tags: [
      ...['4.12', '4.13', '5.1'].map((number) => ({ page: 'spec', number })),
      { page: 'asvs', number: '6.3.1' },
      ...['7.1', '1.1'].map((number) => ({ page: 'spec', number })),
    ],
    faults: [],
  });
});

test.each(['const a = 1;', "test.skip('waits', () => {});", "  test.todo('waits');", ''])(
  'a number above %j is a fault',
  (line) => {
    expect(tagsIn(`// spec 4.12\n${line}`)).toEqual({ tags: [], faults: [1] });
  },
);

test('every number in this repository is above a test', () => {
  expect(allTags().faults).toEqual([]);
});
