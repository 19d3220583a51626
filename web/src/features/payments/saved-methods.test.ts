import type { Autopay } from '@gatehouse/contract/autopay';
import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, expect, it } from 'vitest';
import { savedMethods } from './saved-methods.ts';

afterEach(() => setLanguageSource(() => 'en'));

/** What the records of a test have besides their method. */
const quiet = { nextCharge: null, nextBill: null, problem: null, attempts: [] };

const card: Autopay = {
  ...quiet,
  ledgerId: 'l1',
  active: true,
  type: 'creditCard',
  creditCard: {
    paymentMethodId: 'm1',
    cardType: 'Visa',
    cardNumber: '************4242',
    expirationDate: '2028-04',
    bringsFee: true,
    name: 'Dana Reyes',
    streetAddress: null,
    postalCode: '76020',
  },
};
const bank: Autopay = {
  ...quiet,
  ledgerId: 'l3',
  active: true,
  type: 'ach',
  ach: {
    paymentMethodId: 'm2',
    accountType: 'Consumer Checking',
    accountNumber: '****6789',
    routingNumber: '*****0021',
  },
};

// spec 4.24, 9.15
it('lists each saved method once', () => {
  const autopays = [
    card,
    { ...card, ledgerId: 'l2' },
    bank,
    { ...quiet, ledgerId: 'l4', active: false },
  ];
  expect(savedMethods(autopays, '2028-04-30')).toEqual([
    {
      paymentMethodId: 'm1',
      type: 'creditCard',
      label: 'Visa ending in 4242',
      detail: 'Expires 4/2028',
      lastFour: '4242',
      bringsFee: true,
    },
    {
      paymentMethodId: 'm2',
      type: 'ach',
      label: 'Consumer Checking ending in 6789',
      detail: 'Bank account (ACH)',
      lastFour: '6789',
      bringsFee: false,
    },
  ]);
});

it('offers no card after the month in which it expires', () => {
  expect(
    savedMethods([card, bank], '2028-05-01').map(({ paymentMethodId }) => paymentMethodId),
  ).toEqual(['m2']);
});

it('has nothing to choose from where nothing is saved', () => {
  expect(savedMethods([{ ...quiet, ledgerId: 'l4', active: false }], '2026-11-21')).toEqual([]);
});

it('names a saved method in Spanish, our account types too', () => {
  setLanguageSource(() => 'es');
  expect(savedMethods([card, bank], '2028-04-30')).toMatchObject([
    { label: 'Visa terminada en 4242', detail: 'Vence en 4/2028' },
    { label: 'Cuenta de cheques personal terminada en 6789', detail: 'Cuenta bancaria (ACH)' },
  ]);
});
