import { describe, expect, test } from 'vitest';
import {
  ach,
  cardTypeOf,
  creditCard,
  expirationYears,
  isRoutingNumber,
} from './payment-methods.ts';

const card = {
  cardType: 'Visa',
  cardNumber: '4242424242424242',
  cardCvv: '123',
  expirationMonth: '04',
  expirationYear: '2029',
  name: 'Dana Reyes',
  postalCode: '76020',
};
const account = { accountType: 'Consumer Savings', accountNumber: '1', routingNumber: '123456789' };

describe('a card', () => {
  // spec 5.18, 9.5
  test.each([
    [13, false],
    [14, true],
    [16, true],
    [17, false],
  ])('number of %d characters: %s', (length, isTaken) => {
    expect(creditCard.safeParse({ ...card, cardNumber: '4'.repeat(length) }).success).toBe(isTaken);
  });

  // spec 5.19, 9.6
  test.each([
    [2, false],
    [3, true],
    [4, true],
    [5, false],
  ])('security code of %d characters: %s', (length, isTaken) => {
    expect(creditCard.safeParse({ ...card, cardCvv: '1'.repeat(length) }).success).toBe(isTaken);
  });

  // spec 5.20
  test('types are Visa, American Express, Discover and Master Card', () => {
    for (const cardType of ['Visa', 'American Express', 'Discover', 'Master Card'])
      expect(creditCard.safeParse({ ...card, cardType }).success).toBe(true);
    expect(creditCard.safeParse({ ...card, cardType: 'Mastercard' }).success).toBe(false);
  });

  // spec 5.21
  test('months are 01 to 12', () => {
    for (const expirationMonth of ['01', '12'])
      expect(creditCard.safeParse({ ...card, expirationMonth }).success).toBe(true);
    for (const expirationMonth of ['00', '13', '1', 4])
      expect(creditCard.safeParse({ ...card, expirationMonth }).success).toBe(false);
  });

  // spec 5.22, 9.7
  test('years run from the current year through +21: 22 values', () => {
    const years = expirationYears(2026);
    expect(years).toHaveLength(22);
    expect([years[0], years.at(-1)]).toEqual(['2026', '2047']);
  });

  // spec 5.23, 5.24
  test('name on card and billing zip are required, the street address is not', () => {
    expect(creditCard.safeParse(card).success).toBe(true);
    expect(creditCard.safeParse({ ...card, name: '' }).success).toBe(false);
    expect(creditCard.safeParse({ ...card, postalCode: '' }).success).toBe(false);
  });

  test.each([
    ['4242', 'Visa'],
    ['378282', 'American Express'],
    ['6011', 'Discover'],
    ['5555', 'Master Card'],
    ['2223', 'Master Card'],
    ['9', undefined],
    ['', undefined],
  ])('%s begins a %s', (digits, type) => {
    expect(cardTypeOf(digits)).toBe(type);
  });
});

// spec 5.66
test('numbers are understood in full-width digits, and their lengths are those of the digits', () => {
  expect(
    creditCard.parse({
      ...card,
      cardNumber: '４２４２４２４２４２４２４２４２',
      cardCvv: '１２３',
      postalCode: '７６０２０－１２３４',
    }),
  ).toEqual({ ...card, postalCode: '76020-1234' });
  expect(
    ach.parse({ ...account, accountNumber: '０００１', routingNumber: '\u200B１１１０００２５０' }),
  ).toEqual({ ...account, accountNumber: '0001', routingNumber: '111000250' });
  expect(creditCard.safeParse({ ...card, cardNumber: '４'.repeat(13) }).success).toBe(false);
  expect(creditCard.safeParse({ ...card, cardNumber: '4242 4242 4242 4242' }).success).toBe(false);
});

describe('a bank account', () => {
  // spec 5.15, 9.4
  test.each([
    [8, false],
    [9, true],
    [10, false],
  ])('routing number of %d characters: %s', (length, isTaken) => {
    expect(ach.safeParse({ ...account, routingNumber: '1'.repeat(length) }).success).toBe(isTaken);
  });

  // spec 5.63
  test.each(['11100002a', 'ABCDEFGHI', '111 00002', '11100002\n'])(
    'routing number %j is refused: it has more than digits',
    (routingNumber) => {
      const { error } = ach.safeParse({ ...account, routingNumber });
      expect(error?.issues.map(({ message }) => message)).toEqual([
        'Routing number must be exactly 9 digits.',
      ]);
    },
  );

  // spec 5.16
  test('types are Business Checking, Consumer Checking and Consumer Savings', () => {
    for (const accountType of ['Business Checking', 'Consumer Checking', 'Consumer Savings'])
      expect(ach.safeParse({ ...account, accountType }).success).toBe(true);
    expect(ach.safeParse({ ...account, accountType: 'Checking' }).success).toBe(false);
  });

  // spec 5.62
  test('the ABA checksum separates a routing number from any nine digits', () => {
    expect(isRoutingNumber('111000025')).toBe(true);
    expect(isRoutingNumber('111000026')).toBe(false);
    expect(isRoutingNumber('11100002')).toBe(false);
  });
});
