import { expect, it } from 'vitest';
import { amountDue, paymentLines } from './amount-due.ts';

const owing = { id: 'l1', unitId: 'u1', balance: 0.1 };
const paid = { id: 'l2', unitId: 'u2', balance: 0 };
const credit = { id: 'l3', unitId: 'u3', balance: -20 };
const alsoOwing = { id: 'l4', unitId: 'u4', balance: 12_345.67 };

it('sums positive balances alone, to the cent', () => {
  expect(amountDue([owing, { balance: 0.2 }])).toBe(0.3);
  expect(amountDue([owing, paid, credit, alsoOwing])).toBe(12_345.77);
  expect(amountDue([paid, credit])).toBe(0);
});

it('pays each positive balance of the selected units whole', () => {
  expect(paymentLines([owing, paid, credit, alsoOwing])).toEqual([
    { ledgerId: 'l1', unitId: 'u1', amount: 0.1 },
    { ledgerId: 'l4', unitId: 'u4', amount: 12_345.67 },
  ]);
});
