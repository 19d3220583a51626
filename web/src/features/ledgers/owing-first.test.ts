import { expect, it } from 'vitest';
import { owingFirst } from './owing-first.ts';

it('puts rentals that owe first, and keeps the order otherwise', () => {
  const rentals = [
    { unit: 'A', balance: 0 },
    { unit: 'B', balance: 1 },
    { unit: 'C', balance: -5 },
    { unit: 'D', balance: 200 },
  ];
  expect(owingFirst(rentals).map(({ unit }) => unit)).toEqual(['B', 'D', 'A', 'C']);
});
