import { randomOf } from '../harness/random.ts';
import { expect, test } from 'vitest';
import { median } from '../harness/statistics.ts';
import { kolmogorovSmirnov } from './kolmogorov-smirnov.ts';

test('the distance is the widest gap between the two steps', () => {
  expect(kolmogorovSmirnov([1, 2, 3, 4], [1, 2, 3, 4]).distance).toBe(0);
  expect(kolmogorovSmirnov([1, 2, 3, 4], [3, 4, 5, 6]).distance).toBe(0.5);
  expect(kolmogorovSmirnov([1, 2], [3, 4, 5]).distance).toBe(1);
  expect(kolmogorovSmirnov([1, 1, 1, 2], [1, 2, 2, 2]).distance).toBe(0.5);
});

test('the probability is that of the published tables', () => {
  // Critical values of Kolmogorov's distribution: 1.358 for 0.05, 1.628 for 0.01.
  const steps = (count: number, shift: number) =>
    Array.from({ length: count }, (_, index) => index + shift);
  const size = Math.sqrt(500);
  const at = (critical: number) => Math.round((critical / (size + 0.12 + 0.11 / size)) * 1000);
  expect(kolmogorovSmirnov(steps(1000, 0), steps(1000, at(1.358))).p).toBeCloseTo(0.05, 2);
  expect(kolmogorovSmirnov(steps(1000, 0), steps(1000, at(1.628))).p).toBeCloseTo(0.01, 2);
  expect(kolmogorovSmirnov(steps(1000, 0), steps(1000, 0.5)).p).toBe(1);
});

test('samples of the same times are found equal, and a millisecond among twenty is found', () => {
  const random = randomOf(5);
  const times = (mean: number) =>
    Array.from({ length: 1000 }, () => mean + random.next() * 4 + (random.chance(0.1) ? 20 : 0));
  expect(kolmogorovSmirnov(times(20), times(20)).p).toBeGreaterThan(0.01);
  expect(kolmogorovSmirnov(times(20), times(21)).p).toBeLessThan(0.0001);
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
