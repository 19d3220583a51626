import { randomUUID } from 'node:crypto';
import { addDays, daysBetween } from '@gatehouse/contract/dates';
import { runAutopay } from '@gatehouse/server/src/features/money/autopay/run.ts';
import { setAutopay, stopAutopay } from '@gatehouse/server/src/features/money/autopay/switch.ts';
import { runBilling } from '@gatehouse/server/src/features/money/billing/billing.ts';
import { addChargeTo } from '@gatehouse/server/src/features/money/counter/charges.ts';
import { recordPaymentFor } from '@gatehouse/server/src/features/money/counter/record-payment.ts';
import { isCaptured } from '../../harness/simulator/fake-gateway.ts';
import { billed } from './billing.ts';
import {
  advanceTo,
  chargeOf,
  dayOf,
  paymentOf,
  type Account,
  type Entered,
  type Expected,
  type Step,
} from './step.ts';

/** A bill that autopay charges, is declined, and tries again three days later. */
export const autopaySteps: Step[] = [
  {
    name: 'autopay tries again',
    weight: 6,
    situations: ['after a part payment', 'after a charge by hand', 'after both'],
    plan(sequence, random) {
      const { ctx, session, world, renter, gateway, accounts, verdicts } = sequence;
      const account = random.pick(accounts);
      const { ledgerId, model, movedOutOn } = account;
      const [today, dueOn] = [dayOf(sequence), addDays(model.billedThrough, 1)];
      const first = dueOn > today ? dueOn : today;
      const again = addDays(first, 3);
      if (daysBetween(today, first) > 62 || (movedOutOn !== null && movedOutOn <= again))
        return null;
      if (isWaiting(account, first)) return null;
      const draft = { ...account, terms: { ...account.terms }, applied: [], model: model.copy() };
      for (const [index, { enter }] of billed(draft, first).entries())
        enter({ id: `bill ${index}`, position: index, receipt: null, day: first });
      draft.model.settle();
      const owed = draft.model.balance;
      const ofFirst = draft.model.charges.map(({ id }) => id);
      if (owed < 2 * gateway.leastChargeCents) return null;
      const part = random.chance(0.7) ? random.between(1, owed - gateway.leastChargeCents) : 0;
      const fee = random.chance(0.6) ? random.between(1, 5000) : 0;
      const isFeeFirst = random.chance(0.5);
      const pay = () => draft.model.credit({ id: 'part', kind: 'payment', given: part });
      const charge = () =>
        draft.model.charge({ id: 'fee', category: 'fee', dueOn: first, total: fee });
      for (const one of isFeeFirst ? [charge, pay] : [pay, charge]) one();
      // At most what the first attempt was for, and of its charges only.
      const left = Object.entries(draft.model.open).filter(([id]) => ofFirst.includes(id));
      const cents = left.reduce((sum, [, one]) => sum + one, 0);
      const isTried = cents >= gateway.leastChargeCents;
      const attempt = async (date: string, verdict: 'approve' | 'soft') => {
        advanceTo(sequence, date);
        verdicts.push(verdict);
        await runAutopay(ctx, { facilityId: world.facilityId, date });
        verdicts.length = 0;
      };
      const caller = {
        userId: renter.userId,
        tenantIds: [renter.tenantId],
        timeZone: world.timeZone,
      };
      const run = async () => {
        advanceTo(sequence, first);
        await runBilling(ctx, { facilityId: world.facilityId, date: first });
        // Not that a card was disputed by which autopay paid.
        await session.run('UPDATE payment_methods SET refused_at = NULL', []);
        await setAutopay(ctx, {
          caller,
          ledgerId,
          params: { creditCard: { paymentMethodId: renter.cardId } },
          idempotencyKey: undefined,
          origin: { ip: '127.0.0.1', userAgent: null },
        });
        await attempt(first, 'soft');
        const key = () => ({ key: randomUUID(), by: 'Ana', why: 'a sequence' });
        const call = () => ({ ...key(), facilityIds: [world.facilityId], isPreview: false });
        const cash = { ledgerIds: [ledgerId], type: 'cash', amount: part / 100 };
        const ofFee = { ledgerId, category: 'fee', description: 'Lock cut', amount: fee / 100 };
        const verbs = [
          () => fee > 0 && addChargeTo(ctx, call(), ofFee),
          () => part > 0 && recordPaymentFor(ctx, call(), cash),
        ];
        for (const verb of isFeeFirst ? verbs : verbs.toReversed()) await verb();
        await attempt(again, 'approve');
        await stopAutopay(ctx, caller, ledgerId);
      };
      const before = new Set(gateway.charged.keys());
      const expected = () => {
        const bills = accounts.flatMap((one) => billed(one, first));
        const terms = { category: 'fee', dueOn: first, total: fee };
        const cash = paymentOf(account, part, { capture: randomUUID(), method: 'cash' });
        const taken = [...gateway.charged.values()].find(
          (one) => !before.has(one.reference) && isCaptured(one),
        );
        const due = [
          ...bills,
          ...(fee > 0 ? [chargeOf(account, terms)] : []),
          ...(part > 0 ? [cash] : []),
          ...(isTried ? [retried(account, cents, fee, taken?.reference ?? '')] : []),
        ];
        // Each is posted by itself: what is to the credit settles it before the next one comes.
        return due.map((one) => ({ ...one, enter: settling(one) }));
      };
      const situations = [
        part > 0 && 'after a part payment',
        fee > 0 && 'after a charge by hand',
        part > 0 && fee > 0 && 'after both',
      ];
      return { refused: null, run, expected, situations };
    },
  },
];

function settling({ account, enter }: Expected): Expected['enter'] {
  return (entry) => {
    enter(entry);
    account.model.settle();
  };
}

/** Pays the charges of the first attempt before what was charged since. */
function retried(account: Account, cents: number, fee: number, capture: string): Expected {
  const { model } = account;
  const paid = paymentOf(account, cents, { capture, method: 'creditCard' });
  const enter = (entry: Entered) => {
    const since = fee > 0 ? model.charges.findLast(({ category }) => category === 'fee')!.id : null;
    const first = model.charges.map(({ id }) => id).filter((id) => id !== since);
    paymentOf(account, cents, { capture, method: 'creditCard', first }).enter(entry);
  };
  return { ...paid, enter };
}

/** Whether some of what is owed was opened again by an act that gave the tenant days. */
function isWaiting({ model }: Account, day: string): boolean {
  return model.charges.some(({ isAgain, again }) => isAgain || (again?.on ?? '') > day);
}
