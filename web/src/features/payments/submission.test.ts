import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import type { PaymentReceipt } from '@gatehouse/contract/payments';
import { describe, expect, it, vi } from 'vitest';
import {
  type Answer,
  confirmPayment,
  isFinal,
  isTaken,
  paySelected,
  saveAutopay,
} from './submission.ts';

const owing = { id: 'l1', unitId: 'u1', balance: 214.5 };
const paid = { id: 'l2', unitId: 'u2', balance: 0 };
const alsoOwing = { id: 'l3', unitId: 'u3', balance: 600 };

const newCard: PaymentMethodFields = {
  creditCard: {
    cardType: 'Visa',
    cardNumber: '4242424242424242',
    cardCvv: '123',
    expirationMonth: '04',
    expirationYear: '2028',
    name: 'Dana Reyes',
    postalCode: '76020',
  },
};
const receipt: PaymentReceipt = { status: 'succeeded', receiptNumber: '1000042', payments: [] };
const record = {
  ledgerId: 'l1',
  active: true,
  type: 'creditCard',
  creditCard: { paymentMethodId: 'm1' },
} as Autopay;
const refusal = (status: number, message = 'The card was declined.') => ({
  error: { status, message },
});

describe('paying the selected units', () => {
  // spec 4.26, 7.56
  it('is one request with every positive balance', async () => {
    const makePayment = vi.fn(() => Promise.resolve<Answer<PaymentReceipt>>({ data: receipt }));
    expect(await paySelected({ makePayment }, [owing, paid, alsoOwing], newCard)).toEqual({
      kind: 'paid',
      receipt,
    });
    expect(makePayment.mock.calls).toEqual([
      [
        {
          payments: [
            { ledgerId: 'l1', unitId: 'u1', amount: 214.5 },
            { ledgerId: 'l3', unitId: 'u3', amount: 600 },
          ],
          ...newCard,
        },
        false,
      ],
    ]);
  });

  it('is another amount of one unit, and names the bills that it pays ahead', async () => {
    const makePayment = vi.fn(() => Promise.resolve<Answer<PaymentReceipt>>({ data: receipt }));
    await paySelected({ makePayment }, [owing], newCard, false, { amount: 150 });
    await paySelected({ makePayment }, [paid], newCard, false, { amount: 409, prepayMonths: 2 });
    expect(makePayment.mock.calls).toEqual([
      [{ payments: [{ ledgerId: 'l1', unitId: 'u1', amount: 150 }], ...newCard }, false],
      [
        {
          payments: [{ ledgerId: 'l2', unitId: 'u2', amount: 409 }],
          prepayMonths: 2,
          ...newCard,
        },
        false,
      ],
    ]);
  });

  it('sends nothing where nothing is owed', async () => {
    const makePayment = vi.fn();
    expect(await paySelected({ makePayment }, [paid], newCard)).toEqual({ kind: 'nothingDue' });
    expect(makePayment).not.toHaveBeenCalled();
  });

  it.each([402, 422])('is refused with the message of a %i', async (status) => {
    const makePayment = () => Promise.resolve(refusal(status));
    expect(await paySelected({ makePayment }, [owing], newCard)).toEqual({
      kind: 'refused',
      message: 'The card was declined.',
      isDeclined: status === 402,
    });
  });

  it.each([0, 408, 409, 500, 503])('stays open after a %i', async (status) => {
    const makePayment = () => Promise.resolve(refusal(status));
    expect(await paySelected({ makePayment }, [owing], newCard)).toEqual({ kind: 'unconfirmed' });
    expect(isFinal(status)).toBe(false);
  });

  it.each([401, 403, 429])(
    'stays open after a %i to the same payment sent again',
    async (status) => {
      const makePayment = () => Promise.resolve(refusal(status));
      expect(await paySelected({ makePayment }, [owing], newCard, true)).toEqual({
        kind: 'unconfirmed',
      });
      expect((await paySelected({ makePayment }, [owing], newCard)).kind).toBe('refused');
    },
  );
});

describe('saving autopay', () => {
  // spec 4.27
  it('sends a new card once and its saved method for the other units', async () => {
    const updateAutopay = vi.fn((ledgerId: string) =>
      Promise.resolve({ data: { ...record, ledgerId } }),
    );
    expect(await saveAutopay({ updateAutopay }, ['l1', 'l2', 'l3'], newCard)).toEqual({
      kind: 'saved',
    });
    expect(updateAutopay.mock.calls).toEqual([
      ['l1', newCard],
      ['l2', { creditCard: { paymentMethodId: 'm1' } }],
      ['l3', { creditCard: { paymentMethodId: 'm1' } }],
    ]);
  });

  it('reports what is left when it stops, and with which method to go on', async () => {
    const updateAutopay = (ledgerId: string) =>
      Promise.resolve(ledgerId === 'l2' ? refusal(500, 'Try later.') : { data: record });
    expect(await saveAutopay({ updateAutopay }, ['l1', 'l2', 'l3'], newCard)).toEqual({
      kind: 'unsaved',
      ledgerIds: ['l2', 'l3'],
      method: { creditCard: { paymentMethodId: 'm1' } },
      message: 'Try later.',
      isRefused: false,
    });
  });

  it('reports that the method itself was refused', async () => {
    const updateAutopay = () => Promise.resolve(refusal(402, 'Your card was declined.'));
    const saved = { creditCard: { paymentMethodId: 'm1' } };
    expect(await saveAutopay({ updateAutopay }, ['l1'], saved)).toMatchObject({
      kind: 'unsaved',
      isRefused: true,
    });
  });
});

describe('an unconfirmed payment', () => {
  it('was taken once every unit that owed owes less', () => {
    expect(
      isTaken([owing, alsoOwing], [{ ...owing, balance: 0 }, paid, { ...alsoOwing, balance: 0 }]),
    ).toBe(true);
    expect(isTaken([owing, alsoOwing], [{ ...owing, balance: 0 }, alsoOwing])).toBe(false);
    expect(isTaken([owing], [])).toBe(false);
    // A payment ahead of a unit that owed nothing leaves a credit.
    expect(isTaken([paid], [paid])).toBe(false);
    expect(isTaken([paid], [{ ...paid, balance: -204.5 }])).toBe(true);
  });
});

describe('watching an unconfirmed payment', () => {
  const before = [{ id: 'l1', balance: 214.5 }] as Ledger[];
  const after = [{ id: 'l1', balance: 0 }] as Ledger[];
  const wait = () => Promise.resolve();
  const hasLeft = () => false;

  it('ends once the balance has changed', async () => {
    const listLedgers = vi.fn(() =>
      Promise.resolve(listLedgers.mock.calls.length < 3 ? before : after),
    );
    expect(await confirmPayment({ paid: before, listLedgers, hasLeft, wait })).toBe('taken');
    expect(listLedgers).toHaveBeenCalledTimes(3);
  });

  it('looks again where a look fails', async () => {
    const listLedgers = vi.fn(() =>
      Promise.resolve(listLedgers.mock.calls.length < 2 ? undefined : after),
    );
    expect(await confirmPayment({ paid: before, listLedgers, hasLeft, wait })).toBe('taken');
  });

  it('has an end', async () => {
    const listLedgers = vi.fn(() => Promise.resolve(before));
    expect(await confirmPayment({ paid: before, listLedgers, hasLeft, wait })).toBe('open');
    expect(listLedgers).toHaveBeenCalledTimes(30);
  });

  it('stops asking when the tenant leaves', async () => {
    const listLedgers = vi.fn(() => Promise.resolve(before));
    expect(await confirmPayment({ paid: before, listLedgers, hasLeft: () => true, wait })).toBe(
      'open',
    );
    expect(listLedgers).not.toHaveBeenCalled();
  });
});
