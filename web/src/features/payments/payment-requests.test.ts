import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import { paymentParams } from '@gatehouse/contract/payments';
import { describe, expect, it } from 'vitest';
import {
  amountDue,
  autopayNotice,
  createUpdateKeys,
  isSwitchingFromCcToAch,
  paymentLines,
  paymentNotice,
} from './payment-requests.ts';

describe('the lines and the sum of a payment', () => {
  const owing = { id: 'l1', unitId: 'u1', balance: 0.1 };
  const paid = { id: 'l2', unitId: 'u2', balance: 0 };
  const credit = { id: 'l3', unitId: 'u3', balance: -20 };
  const alsoOwing = { id: 'l4', unitId: 'u4', balance: 12_345.67 };

  it('sums positive balances only, to the cent', () => {
    expect(amountDue([owing, { balance: 0.2 }])).toBe(0.3);
    expect(amountDue([owing, paid, credit, alsoOwing])).toBe(12_345.77);
    expect(amountDue([paid, credit])).toBe(0);
  });

  // spec 4.26
  it('pays each positive balance of the selected units whole', () => {
    expect(paymentLines([owing, paid, credit, alsoOwing])).toEqual([
      { ledgerId: 'l1', unitId: 'u1', amount: 0.1 },
      { ledgerId: 'l4', unitId: 'u4', amount: 12_345.67 },
    ]);
  });
});

const ledgers = [
  { id: 'l1', unitName: 'A101' },
  { id: 'l2', unitName: 'B207' },
  { id: 'l3', unitName: 'C014' },
] as Ledger[];
const lines = [
  { ledgerId: 'l1', unitId: 'u1', amount: 0.1 },
  { ledgerId: 'l3', unitId: 'u3', amount: 0.2 },
];
const payer = { firstName: 'Dana', lastName: 'Reyes' };
const ach = { ach: { paymentMethodId: 'm1' } };
const card = { creditCard: { paymentMethodId: 'm2' } };

describe('the notice of a payment', () => {
  // spec 7.58, 7.59
  it('names units, date, payer and sum of an ACH payment', () => {
    expect(
      paymentNotice(lines, ach, { payer, ledgers, isSwitching: true, today: '2026-11-20' }),
    ).toEqual({
      switchingFromCcToAch: true,
      testMode: false,
      webhookData: {
        formType: 'notifyAchPayment',
        ledgerId: 'l1',
        unitName: 'A101, C014',
        date: '2026-11-20',
        firstName: 'Dana',
        lastName: 'Reyes',
        amount: 0.3,
      },
    });
  });

  it('of more units than it can name is still one that the server takes', () => {
    const many = Array.from({ length: 120 }, (_, index) => ({
      id: `l${index}`,
      unitName: `F${index}`,
    }));
    const { webhookData } = paymentNotice(
      many.map(({ id }) => ({ ledgerId: id, unitId: 'u', amount: 1 })),
      ach,
      { payer, ledgers: many as Ledger[], isSwitching: false, today: '2026-11-20' },
    );
    expect(paymentParams.shape.webhookData.safeParse(webhookData)).toMatchObject({ success: true });
  });

  // spec 7.58
  it('says nothing to staff of a card payment', () => {
    const notice = paymentNotice(lines, card, {
      payer,
      ledgers,
      isSwitching: false,
      today: '2026-11-20',
    });
    expect(notice).toEqual({ switchingFromCcToAch: false, testMode: false });
  });
});

describe('the notice of an autopay update', () => {
  // spec 7.32
  it('is sent when a bank account takes the place of a card', () => {
    expect(autopayNotice('A101', true, payer)).toEqual({
      switchingFromCcToAch: true,
      webhookData: {
        formType: 'autopayCreditCardToAch',
        unitName: 'A101',
        firstName: 'Dana',
        lastName: 'Reyes',
      },
    });
    expect(autopayNotice('A101', false, payer)).toEqual({ switchingFromCcToAch: false });
  });

  it.each([
    [{ active: true, type: 'creditCard' }, ach, true],
    [{ active: true, type: 'creditCard' }, card, false],
    [{ active: true, type: 'ach' }, ach, false],
    [{ active: false }, ach, false],
    [undefined, ach, false],
  ])('%j changed to %j: %s', (record, method, isSwitching) => {
    expect(isSwitchingFromCcToAch(record as Autopay | undefined, method)).toBe(isSwitching);
  });
});

describe('the keys of savings', () => {
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
    expect([
      keyOf('l1', card()),
      keyOf('l1', card({ cardCvv: '999' })),
      keyOf('l1', card()),
    ]).toEqual(['key-1', 'key-1', 'key-1']);
  });

  it('another method or another rental has a key of its own', () => {
    const { keyOf } = openKeys();
    const ach: PaymentMethodFields = {
      ach: {
        accountType: 'Business Checking',
        accountNumber: '000123456789',
        routingNumber: '111000025',
      },
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
});
