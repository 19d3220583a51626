import {
  addChargeTo,
  waiveChargeOf,
  writeOffChargesOf,
} from '@gatehouse/server/src/features/money/counter/charges.ts';
import {
  addCreditTo,
  moveCreditTo,
  payOutCreditOf,
  reverseCreditOf,
} from '@gatehouse/server/src/features/money/counter/credits.ts';
import { halfUp } from '../model-bill.ts';
import {
  aboutAsMuchAs,
  chargeOf,
  creditOf,
  dayOf,
  everyCharge,
  everyCredit,
  isPending,
  reversalOf,
  someOf,
  staffPlan,
  waiverOf,
  type Step,
} from './step.ts';

/** What staff post at the counter but payments: charges, waivers and credits. */
export const counterSteps: Step[] = [
  {
    name: 'charges add',
    weight: 20,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      const category = random.pick(['service', 'insurance', 'fee'] as const);
      const cents = random.between(1, 30_000);
      const isTaxed = random.chance(0.4);
      const { insuranceTax1, insuranceTax2 } = sequence.settings;
      const { tax1, tax2 } = account.terms;
      const rates = category === 'insurance' ? [insuranceTax1, insuranceTax2] : [tax1, tax2];
      const taxes = rates.map((rate) => (isTaxed ? halfUp(cents * rate, 10_000) : 0));
      const refused =
        isTaxed && category !== 'insurance' && !account.isTaxed ? 'the rental is not taxed' : null;
      const total = cents + taxes[0]! + taxes[1]!;
      const charge = { category, dueOn: dayOf(sequence), total, tax1: taxes[0]!, tax2: taxes[1]! };
      const body = {
        ledgerId: account.ledgerId,
        category,
        description: 'Cleaning',
        amount: cents / 100,
        isTaxed,
      };
      return staffPlan(sequence, random, {
        work: addChargeTo,
        body,
        refused,
        expected: () => [chargeOf(account, charge)],
      });
    },
  },
  {
    name: 'charges waive',
    weight: 10,
    plan(sequence, random) {
      const found = someOf(random, everyCharge(sequence));
      if (found === null) return null;
      const { account, charge } = found;
      const left = account.model.waivable(charge);
      const isAll = random.chance(0.3);
      const cents = isAll ? left : aboutAsMuchAs(random, left);
      const refused = cents > left || left === 0 ? `${left} cents are left of the charge` : null;
      const body = { chargeId: charge.id, ...(!isAll && { amount: cents / 100 }) };
      const expected = () => [waiverOf(account, charge.id, cents)];
      return staffPlan(sequence, random, { work: waiveChargeOf, body, refused, expected });
    },
  },
  {
    name: 'charges write-off',
    weight: 6,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      const { model, ledgerId } = account;
      const open = model.charges
        .filter(({ id }) => model.open[id] !== undefined)
        .toSorted((a, b) => a.dueOn.localeCompare(b.dueOn));
      const owed = open.reduce((sum, { id }) => sum + model.open[id]!, 0);
      if (owed === 0 && random.chance(0.9)) return null;
      const isAll = random.chance(0.5);
      const cents = isAll ? owed : aboutAsMuchAs(random, owed);
      const refused = cents > owed || owed === 0 ? `${owed} cents are owed` : null;
      const body = { ledgerId, ...(!isAll && { amount: cents / 100 }) };
      const expected = () => {
        let rest = cents;
        return open.flatMap(({ id }) => {
          const part = Math.min(rest, model.open[id]!);
          rest -= part;
          return part === 0 ? [] : [waiverOf(account, id, part, true)];
        });
      };
      return staffPlan(sequence, random, { work: writeOffChargesOf, body, refused, expected });
    },
  },
  {
    name: 'credits add',
    weight: 6,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      const owed = Math.max(0, account.model.balance);
      const cents = random.between(1, 40_000) + (random.chance(0.4) ? owed : 0);
      const body = { ledgerId: account.ledgerId, amount: cents / 100, description: 'Goodwill' };
      const expected = () => [creditOf(account, cents)];
      return staffPlan(sequence, random, { work: addCreditTo, body, refused: null, expected });
    },
  },
  {
    name: 'credits move',
    weight: 14,
    plan(sequence, random) {
      const from = random.pick(sequence.accounts);
      const to = random.pick(sequence.accounts);
      const open = from.model.credits.flatMap((credit) => {
        const left = from.model.unused(credit);
        return left > 0 ? [{ id: credit.id, left }] : [];
      });
      const openCents = open.reduce((sum, { left }) => sum + left, 0);
      const cents = aboutAsMuchAs(random, openCents);
      if ((openCents === 0 || from === to) && random.chance(0.95)) return null;
      const firstPending = open.findIndex(({ id }) => isPending(sequence, from.model.creditOf(id)));
      const settled = open.slice(0, firstPending === -1 ? open.length : firstPending);
      const refused =
        from === to
          ? 'a rental is named twice'
          : cents > openCents
            ? `${openCents} cents are open`
            : cents > settled.reduce((sum, { left }) => sum + left, 0)
              ? 'the credit is of a bank debit that has not settled yet'
              : null;
      const body = { fromLedgerId: from.ledgerId, toLedgerId: to.ledgerId, amount: cents / 100 };
      // The oldest credit first; only what settles nothing goes, each as a credit of its own.
      const expected = () => {
        let rest = cents;
        const parts = open.flatMap(({ id, left }) => {
          const part = Math.min(rest, left);
          rest -= part;
          return part === 0 ? [] : [{ id, part }];
        });
        return [
          ...parts.map(({ id, part }) => reversalOf(from, id, part, 'moved')),
          ...parts.map(({ id, part }) =>
            creditOf(to, part, { capture: null, isMoney: from.model.creditOf(id).isMoney }),
          ),
        ];
      };
      return staffPlan(sequence, random, { work: moveCreditTo, body, refused, expected });
    },
  },
  {
    name: 'credits pay-out',
    weight: 8,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      const { model, ledgerId } = account;
      const open = model.credits.flatMap((credit) => {
        const isAtGateway =
          credit.kind === 'payment' && sequence.gateway.charged.has(credit.capture!);
        const left = isAtGateway ? 0 : model.unused(credit);
        return left > 0 ? [{ id: credit.id, left }] : [];
      });
      const most = open.reduce((sum, { left }) => sum + left, 0);
      if (most === 0 && random.chance(0.95)) return null;
      const cents = aboutAsMuchAs(random, most);
      const refused = cents > most ? `${most} cents can be paid out` : null;
      const way = random.chance(0.5) ? { way: 'cash' } : { way: 'check', number: '1882' };
      const body = { ledgerId, amount: cents / 100, ...way };
      const expected = () => {
        let rest = cents;
        return open.flatMap(({ id, left }) => {
          const part = Math.min(rest, left);
          rest -= part;
          return part === 0 ? [] : [reversalOf(account, id, part, 'refund')];
        });
      };
      return staffPlan(sequence, random, { work: payOutCreditOf, body, refused, expected });
    },
  },
  {
    name: 'credits reverse',
    weight: 5,
    plan(sequence, random) {
      const found = someOf(
        random,
        everyCredit(sequence).filter(({ credit }) => credit.kind !== 'payment'),
      );
      if (found === null) return null;
      const { account, credit } = found;
      const left = account.model.left(credit.id);
      const refused = left === 0 ? 'nothing is left of the credit' : null;
      const body = { creditId: credit.id };
      const expected = () => [reversalOf(account, credit.id, left, 'mistake')];
      return staffPlan(sequence, random, { work: reverseCreditOf, body, refused, expected });
    },
  },
];
