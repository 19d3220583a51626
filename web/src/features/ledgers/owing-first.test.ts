import { expect, it } from 'vitest';
import { owingFirst } from './owing-first.ts';

const rentals = [
  { id: 'A', balance: 0 },
  { id: 'B', balance: 1 },
  { id: 'C', balance: -5 },
  { id: 'D', balance: 200 },
];

it('puts rentals that owe first, and keeps the order otherwise', () => {
  expect(owingFirst(rentals).map(({ id }) => id)).toEqual(['B', 'D', 'A', 'C']);
});

it('leaves one that is paid meanwhile where it was', () => {
  const paid = rentals.map((rental) => (rental.id === 'B' ? { ...rental, balance: 0 } : rental));
  expect(owingFirst(paid, rentals).map(({ id }) => id)).toEqual(['B', 'D', 'A', 'C']);
});
