import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageWindow } from './payments.ts';

describe('the page window', () => {
  // spec 9.31
  test.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [1, 9, [1, 2, 3, 4, 5]],
    [3, 9, [1, 2, 3, 4, 5]],
    [4, 9, [2, 3, 4, 5, 6]],
    [9, 9, [5, 6, 7, 8, 9]],
    [1, 0, []],
  ])('on page %d of %d shows %j', (page, pages, numbers) => {
    expect(pageWindow(page, pages)).toEqual(numbers);
  });

  test('shows 5 pages or all there are, the current one among them', () => {
    const place = fc
      .integer({ min: 1, max: 60 })
      .chain((pages) => fc.tuple(fc.integer({ min: 1, max: pages }), fc.constant(pages)));
    fc.assert(
      fc.property(place, ([page, pages]) => {
        const numbers = pageWindow(page, pages);
        expect(numbers).toContain(page);
        expect(numbers).toHaveLength(Math.min(5, pages));
        expect(numbers[0]).toBeGreaterThanOrEqual(1);
        expect(numbers.at(-1)).toBeLessThanOrEqual(pages);
      }),
    );
  });
});
