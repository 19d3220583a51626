import { expect, test } from 'vitest';
import { idLists } from './id-lists.ts';

test.each([
  [0, []],
  [1, [1]],
  [50, [50]],
  [51, [50, 1]],
  [120, [50, 50, 20]],
])('%i ids are listed in paths of %j', (count, sizes) => {
  const ids = Array.from({ length: count }, (_, index) => `id-${index}`);
  const lists = idLists(ids);
  expect(lists.map((list) => list.split(',').length)).toEqual(sizes);
  expect(lists.flatMap((list) => list.split(','))).toEqual(ids);
});
