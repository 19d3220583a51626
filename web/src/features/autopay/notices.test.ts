import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { describe, expect, it } from 'vitest';
import { autopayNotice, isSwitchingFromCcToAch, paymentNotice } from './notices.ts';

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
  it('names units, date, payer and sum of an ACH payment', () => {
    expect(paymentNotice(lines, ach, { payer, ledgers, isSwitching: true, today: '2026-11-20' })).toEqual({
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

  it('says nothing to staff of a card payment', () => {
    const notice = paymentNotice(lines, card, { payer, ledgers, isSwitching: false, today: '2026-11-20' });
    expect(notice).toEqual({ switchingFromCcToAch: false, testMode: false });
  });
});

describe('the notice of an autopay update', () => {
  it('is sent when a bank account takes the place of a card', () => {
    expect(autopayNotice('A101', true, payer)).toEqual({
      switchingFromCcToAch: true,
      webhookData: { formType: 'autopayCreditCardToAch', unitName: 'A101', firstName: 'Dana', lastName: 'Reyes' },
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
