import { expect, test } from 'vitest';
import { chargeLines } from './charge-lines.ts';

const nextBill = {
  date: '2026-12-16',
  lines: [
    { description: 'Rent 12/16/2026 - 1/15/2027', amount: 189.5 },
    { description: 'Protection plan', amount: 10 },
  ],
  cardFee: 5,
};

const creditCard = {
  paymentMethodId: 'm1',
  cardType: 'Visa',
  cardNumber: '************4242',
  expirationDate: '2028-04',
  bringsFee: true,
  name: 'Dana Reyes',
  streetAddress: null,
  postalCode: '76020',
};

test('the lines of the next bill, with the card fee where a credit card pays, and none with a debit card', () => {
  const nextCharge = { date: '2026-12-16', amount: 204.5 };
  expect(chargeLines({ nextCharge, nextBill, creditCard })).toEqual([
    ...nextBill.lines,
    { description: 'Card fee', amount: 5 },
  ]);
  const without = { date: '2026-12-16', amount: 199.5 };
  expect(chargeLines({ nextCharge: without, nextBill })).toEqual(nextBill.lines);
  const debitCard = { ...creditCard, bringsFee: false };
  expect(chargeLines({ nextCharge: without, nextBill, creditCard: debitCard })).toEqual(
    nextBill.lines,
  );
});

test('what is owed already, or a credit, is a line of its own', () => {
  const owing = { date: '2026-12-16', amount: 239.5 };
  expect(chargeLines({ nextCharge: owing, nextBill }).at(-1)).toEqual({
    description: 'Owed already',
    amount: 40,
  });
  const credit = { date: '2026-12-16', amount: 149.5 };
  expect(chargeLines({ nextCharge: credit, nextBill }).at(-1)).toEqual({
    description: 'Your credit',
    amount: -50,
  });
});

test('a charge of what is owed comes before the next bill and is one line', () => {
  const nextCharge = { date: '2026-11-24', amount: 214.5 };
  expect(chargeLines({ nextCharge, nextBill })).toEqual([
    { description: 'Owed already', amount: 214.5 },
  ]);
  expect(chargeLines({ nextCharge: null, nextBill })).toEqual([]);
});
