import { randomUUID } from 'node:crypto';
import { makePayment } from '@gatehouse/server/src/features/payments/payments.ts';
import { refundPayment } from '@gatehouse/server/src/features/payments/refunds.ts';
import { settleReturn } from '@gatehouse/server/src/features/payments/returns.ts';
import { isCaptured } from '../model-gateway.ts';
import {
  chargeOf,
  dayOf,
  everyCredit,
  paymentOf,
  reversalOf,
  someOf,
  somePart,
  type Expected,
  type Step,
} from './step.ts';

/** What tenants, the gateway and banks do with payments. */
export const paymentSteps: Step[] = [
  {
    name: 'pay in the portal',
    weight: 26,
    plan({ ctx, renter, world, gateway, accounts }, random) {
      const owing = accounts.filter(({ model, movedOutOn }) => model.balance > 0 && movedOutOn === null);
      const paid = random.chance(0.3) ? owing : owing.slice(0, 1);
      if (paid.length === 0) return null;
      const lines = paid.map((account) => ({ account, cents: somePart(random, account.model.balance) }));
      const before = new Set(gateway.charged.keys());
      const method = random.pick(['creditCard', 'ach'] as const);
      const run = () =>
        makePayment(ctx, {
          userId: renter.userId,
          tenantId: renter.tenantId,
          timeZone: world.timeZone,
          idempotencyKey: randomUUID(),
          params: {
            payments: lines.map(({ account: { ledgerId, unitId }, cents }) => ({
              ledgerId,
              unitId,
              amount: cents / 100,
            })),
            [method]: { paymentMethodId: method === 'ach' ? renter.accountId : renter.cardId },
          },
        }).catch((error: unknown) => {
          if ((error as { status?: number }).status !== 402) throw error;
        });
      const expected = () => {
        const charged = [...gateway.charged.values()].find(({ reference }) => !before.has(reference));
        if (charged === undefined || !isCaptured(charged)) return [];
        return lines.map(({ account, cents }) => paymentOf(account, cents, { intentId: charged.reference, method }));
      };
      return { refused: null, run, expected };
    },
  },
  {
    name: 'refund at the gateway',
    weight: 10,
    plan(sequence, random) {
      const some = everyCredit(sequence).filter(
        ({ account, credit: { id, method } }) =>
          (method === 'creditCard' || method === 'ach') && account.model.left(id) > 0,
      );
      const found = someOf(random, some);
      if (found === null) return null;
      const { account, credit } = found;
      const left = account.model.left(credit.id);
      const cents = random.chance(0.4) ? left : random.between(1, left);
      const run = async () => {
        const request = { paymentEntryId: credit.id, cents, reason: 'Overcharged' };
        const { outcome } = await refundPayment(sequence.ctx, request);
        if (outcome !== 'succeeded') throw new Error(`the refund ${outcome}`);
      };
      return { refused: null, run, expected: () => [reversalOf(account, credit.id, cents)] };
    },
  },
  {
    name: 'bank return',
    weight: 8,
    plan(sequence, random) {
      const { ctx, gateway, accounts, settings } = sequence;
      const debits = [...gateway.charged.values()].filter((one) => one.type === 'ach' && isCaptured(one));
      const found = someOf(random, debits);
      if (found === null) return null;
      const { reference } = found;
      const isToldTwice = random.chance(0.3);
      const run = async () => {
        gateway.sendBack(reference, 'R01');
        await settleReturn(ctx, reference, 'R01');
        // Told twice, it is taken back once.
        if (isToldTwice) await settleReturn(ctx, reference, 'R01');
      };
      const expected = () => {
        const due: Expected[] = [];
        let fee = settings.returnFeeCents;
        for (const account of accounts) {
          const part = account.model.credits.find(({ intentId }) => intentId === reference);
          if (part === undefined) continue;
          const left = account.model.left(part.id);
          if (left > 0) due.push(reversalOf(account, part.id, left));
          if (fee > 0) due.push(chargeOf(account, { category: 'fee', dueOn: dayOf(sequence), total: fee }));
          fee = 0;
        }
        return due;
      };
      return { refused: null, run, expected };
    },
  },
];
