import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, expect, test } from 'vitest';
import { chargeWords, nextCharges, unitsWords } from './next-charges.ts';

afterEach(() => setLanguageSource(() => 'en'));

const bill = (date: string, amount: number, cardFee = 5) => ({
  date,
  lines: [
    { description: 'Rent', amount: amount + 10 },
    { description: 'Discount', amount: -10 },
  ],
  cardFee,
});
const autopays = [
  { ledgerId: 'a', nextBill: bill('2026-12-16', 199.5) },
  { ledgerId: 'b', nextBill: bill('2026-12-16', 80.1) },
  { ledgerId: 'c', nextBill: bill('2026-12-01', 60) },
  { ledgerId: 'd', nextBill: null },
];
const owing = (id: string, balance = 214.5) => ({ id, unitName: id.toUpperCase(), balance });

test('the next charge is the next bill of the unit, with the card fee where a card pays', () => {
  expect(nextCharges([owing('a')], autopays, true)).toEqual([
    { date: '2026-12-16', amount: 204.5, cardFee: 5, unitNames: ['A'] },
  ]);
  expect(nextCharges([owing('a')], autopays, false)).toEqual([
    { date: '2026-12-16', amount: 199.5, cardFee: 0, unitNames: ['A'] },
  ]);
});

test('units that are charged on one day are one sum, and days come in order', () => {
  const charges = nextCharges([owing('a'), owing('b'), owing('c')], autopays, false);
  expect(charges).toEqual([
    { date: '2026-12-01', amount: 60, cardFee: 0, unitNames: ['C'] },
    { date: '2026-12-16', amount: 279.6, cardFee: 0, unitNames: ['A', 'B'] },
  ]);
  expect(charges.map(chargeWords)).toEqual(['$60.00 on 12/1/2026', '$279.60 on 12/16/2026']);
  expect(unitsWords(charges[1]!.unitNames)).toBe('A and B');
});

test('a credit is taken off, never below zero, and a unit without a bill to come has no charge', () => {
  expect(nextCharges([owing('a', -20)], autopays, false)).toEqual([
    { date: '2026-12-16', amount: 179.5, cardFee: 0, unitNames: ['A'] },
  ]);
  expect(nextCharges([owing('a', -500)], autopays, true)).toEqual([
    { date: '2026-12-16', amount: 0, cardFee: 0, unitNames: ['A'] },
  ]);
  expect(nextCharges([owing('d')], autopays, false)).toEqual([]);
});

test('charges are named in Spanish with the day as it is written there', () => {
  setLanguageSource(() => 'es');
  const charges = nextCharges([owing('a'), owing('c')], autopays, false);
  expect(charges.map(chargeWords)).toEqual([
    '$60.00 el 1\u00a0dic\u00a02026',
    '$199.50 el 16\u00a0dic\u00a02026',
  ]);
  expect(unitsWords(['A', 'B', 'C'])).toBe('A, B y C');
});
