import { describe, expect, it } from 'vitest';
import { fitted } from './photo.ts';

describe('a photo', () => {
  it.each([
    [4000, 3000, 1600, 1200],
    [3000, 4000, 1200, 1600],
    [1600, 900, 1600, 900],
    [1601, 10, 1600, 10],
    [640, 480, 640, 480],
    [20_000, 1, 1600, 1],
  ])('of %i x %i is sent as %i x %i', (width, height, toWidth, toHeight) => {
    expect(fitted(width, height)).toEqual({ width: toWidth, height: toHeight });
  });
});
