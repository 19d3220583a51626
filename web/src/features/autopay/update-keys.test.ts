import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import { expect, it } from 'vitest';
import { createUpdateKeys } from './update-keys.ts';

const card = (change: object = {}): PaymentMethodFields => ({
  creditCard: {
    cardType: 'Visa',
    cardNumber: '4242424242424242',
    cardCvv: '123',
    expirationMonth: '04',
    expirationYear: '2028',
    name: 'Dana Reyes',
    postalCode: '76020',
    ...change,
  },
});
const saved: PaymentMethodFields = { creditCard: { paymentMethodId: 'm1' } };

function openKeys() {
  let count = 0;
  return createUpdateKeys(() => `key-${++count}`);
}

it('attempts to save the same method for a rental share a key, also with the security code typed again', () => {
  const { keyOf } = openKeys();
  expect([keyOf('l1', card()), keyOf('l1', card({ cardCvv: '999' })), keyOf('l1', card())]).toEqual([
    'key-1',
    'key-1',
    'key-1',
  ]);
});

it('another method or another rental has a key of its own', () => {
  const { keyOf } = openKeys();
  const ach: PaymentMethodFields = {
    ach: { accountType: 'Business Checking', accountNumber: '000123456789', routingNumber: '111000025' },
  };
  const keys = [
    keyOf('l1', saved),
    keyOf('l2', saved),
    keyOf('l1', card()),
    keyOf('l1', card({ cardNumber: '4000056655665556' })),
    keyOf('l1', card({ paymentToken: 'ctoken_2' })),
    keyOf('l1', ach),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

it('a final answer gives the rental’s next attempt a new key, and leaves the other rentals theirs', () => {
  const { keyOf, renew } = openKeys();
  const [first, other] = [keyOf('l1', saved), keyOf('l2', saved)];
  renew('l1');
  expect(keyOf('l1', saved)).not.toBe(first);
  expect(keyOf('l2', saved)).toBe(other);
});
