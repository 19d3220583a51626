import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import { recordPaymentFor } from '@gatehouse/server/src/features/money/counter/record-payment.ts';
import { reversePaymentOf } from '@gatehouse/server/src/features/money/counter/reverse-payment.ts';
import { makePayment } from '@gatehouse/server/src/features/money/payments/payments.ts';
import { lookUpPending } from '@gatehouse/server/src/features/money/payments/resolve.ts';
import { settleReturn } from '@gatehouse/server/src/features/money/payments/returns.ts';
import { isCaptured } from '../../harness/simulator/fake-gateway.ts';
import { modelPeriod } from '../model-bill.ts';
import {
  aboutAsMuchAs,
  AFTER_REFUND,
  chargeOf,
  dayOf,
  everyCredit,
  isCurrent,
  leftOfCapture,
  paymentOf,
  ratherRefunded,
  somePart,
  someOf,
  staffPlan,
  sumOf,
  takenFrom,
  wasRefunded,
  wholeOf,
  type Account,
  type Expected,
  type Step,
} from './step.ts';

const MONTHS_AHEAD = 'for months ahead';

/** Payments in the portal and at the counter, and how they come back. */
export const paymentSteps: Step[] = [
  {
    name: 'pay in the portal',
    weight: 40,
    plan(sequence, random) {
      const { ctx, renter, world, gateway, accounts } = sequence;
      const owing = accounts.filter(
        (account) => account.model.balance > 0 && isCurrent(sequence, account),
      );
      const paid = random.chance(0.3) ? owing : owing.slice(0, 1);
      if (paid.length === 0) return null;
      const lines = paid.map((account) => ({
        account,
        cents: somePart(random, account.model.balance),
      }));
      const before = new Set(gateway.charged.keys());
      const method = random.pick(['creditCard', 'ach'] as const);
      const payments = lines.map(({ account: { ledgerId, unitId }, cents }) => ({
        ledgerId,
        unitId,
        amount: cents / 100,
      }));
      const run = () =>
        makePayment(ctx, {
          userId: renter.userId,
          tenantId: renter.tenantId,
          timeZone: world.timeZone,
          idempotencyKey: randomUUID(),
          params: {
            payments,
            [method]: { paymentMethodId: method === 'ach' ? renter.accountId : renter.cardId },
          },
        }).catch((error: unknown) => {
          if ((error as { status?: number }).status !== 402) throw error;
        });
      const expected = () => {
        const charged = [...gateway.charged.values()].find(
          ({ reference }) => !before.has(reference),
        );
        if (charged === undefined || !isCaptured(charged)) return [];
        return lines.map(({ account, cents }) =>
          paymentOf(account, cents, { capture: charged.reference, method }),
        );
      };
      return { refused: null, run, expected };
    },
  },
  {
    name: 'bank debit settles',
    weight: 40,
    plan({ ctx, gateway }, random) {
      const pending = [...gateway.charged.values()].filter(
        ({ standing }) => standing.outcome === 'pending',
      );
      const found = someOf(random, pending);
      if (found === null) return null;
      const run = async () => {
        gateway.settle(found.reference);
        await lookUpPending(ctx, found.reference);
      };
      return { refused: null, run, expected: () => [] };
    },
  },
  {
    name: 'bank return',
    weight: 50,
    situations: [AFTER_REFUND],
    plan(sequence, random) {
      const { ctx, gateway, settings } = sequence;
      const debits = [...gateway.charged.values()].filter(
        (one) => one.type === 'ach' && isCaptured(one),
      );
      const found = ratherRefunded(sequence, random, debits);
      if (found === null) return null;
      const { reference } = found;
      const situations = [wasRefunded(sequence, reference) && AFTER_REFUND];
      const isSentTwice = random.chance(0.3);
      const run = async () => {
        gateway.sendBack(reference, 'R01');
        await settleReturn(ctx, reference, 'R01');
        // CallResult twice, it is taken back once.
        if (isSentTwice) await settleReturn(ctx, reference, 'R01');
      };
      const expected = () => {
        const parts = leftOfCapture(sequence, reference);
        const due = takenFrom(sequence, parts, wholeOf(parts), 'undone');
        // The fee falls once, on the ledger that was paid first.
        const first = parts.at(-1)?.account;
        const fee = { category: 'fee', dueOn: dayOf(sequence), total: settings.returnFeeCents };
        return fee.total > 0 ? [...due, chargeOf(first!, fee)] : due;
      };
      return { refused: null, run, expected, situations };
    },
  },
  {
    name: 'payments record',
    weight: 20,
    situations: ['for an earlier day', 'for a year that is over', MONTHS_AHEAD],
    plan(sequence, random) {
      const named = random.chance(0.4)
        ? random.shuffled(sequence.accounts)
        : [random.pick(sequence.accounts)];
      const owedBy = named.map((account) => ({
        account,
        left: Math.max(0, account.model.balance),
      }));
      const today = dayOf(sequence);
      const ahead = random.chance(0.3) ? billsAhead(named[0]!, random.between(2, 4)) : 0;
      const cents =
        ahead > 0
          ? sumOf(owedBy) + ahead
          : aboutAsMuchAs(random, sumOf(owedBy)) +
            (random.chance(0.15) ? random.between(1, 30_000) : 0);
      const isPrepaid = ahead > 0 || random.chance(0.5);
      const owed = sumOf(owedBy);
      const earliest = addDays(today, -sequence.settings.daysBack);
      const lastYear = addDays(`${today.slice(0, 4)}-01-01`, -1);
      const earlier =
        lastYear >= earliest && random.chance(0.9)
          ? lastYear
          : addDays(today, random.pick([1, -1, -2, -7, -20, -32]));
      const on = random.chance(0.4) ? today : earlier;
      const refused =
        cents > owed && !isPrepaid
          ? `${owed} cents are owed in all`
          : on > today
            ? 'the day is still to come'
            : on < earliest
              ? 'the day is too far back'
              : null;
      if (refused !== null && random.chance(0.7)) return null;
      const type = random.pick(['cash', 'check', 'moneyOrder'] as const);
      const ledgerIds = named.map(({ ledgerId }) => ledgerId);
      const number = type === 'cash' ? {} : { number: String(random.between(1, 9999)) };
      const body = { ledgerIds, type, ...number, amount: cents / 100, isPrepaid, on };
      const isOver = on.slice(0, 4) < today.slice(0, 4);
      const cameEarlier = (due: Expected): Expected => ({
        ...due,
        enter(entry) {
          if (isOver) sequence.recordedLater.add(entry.id);
          due.enter(entry);
        },
      });
      const capture = randomUUID();
      // In the order in which they are named, up to what each owes; the rest on the first.
      const expected = () => {
        let rest = cents;
        const parts = owedBy.map(({ account, left }) => {
          const part = Math.min(rest, left);
          rest -= part;
          return { account, part };
        });
        parts[0]!.part += rest;
        return parts.flatMap(({ account, part }) =>
          part === 0 ? [] : [cameEarlier(paymentOf(account, part, { capture, method: type }))],
        );
      };
      const situations = [
        refused === null && on < today && 'for an earlier day',
        refused === null && isOver && 'for a year that is over',
        refused === null && ahead > 0 && MONTHS_AHEAD,
      ];
      const work = recordPaymentFor;
      return staffPlan(sequence, random, { work, body, refused, expected, situations });
    },
  },
  {
    name: 'payments reverse',
    weight: 26,
    situations: ['of a check that bounces after a refund', 'of a chargeback after a refund'],
    plan(sequence, random) {
      const isAny = random.chance(0.1);
      const payments = everyCredit(sequence).filter(
        ({ account, credit }) =>
          credit.kind === 'payment' &&
          (isAny ||
            (wholeOf([{ account, credit, left: account.model.left(credit.id) }]) > 0 &&
              credit.method !== 'ach')),
      );
      const refunded = payments.filter(({ credit }) => wasRefunded(sequence, credit.capture));
      const found =
        (random.chance(0.85) ? someOf(random, refunded) : null) ?? someOf(random, payments);
      if (found === null) return null;
      const { credit } = found;
      const fitting =
        { creditCard: 'chargeback', ach: 'chargeback', check: 'nsf', moneyOrder: 'nsf' }[
          credit.method!
        ] ?? 'mistake';
      const reason = random.chance(0.1)
        ? random.pick(['nsf', 'chargeback', 'mistake'])
        : fitting === 'nsf' && random.chance(0.15)
          ? 'mistake'
          : fitting;
      const whole = credit.receipt!.replace(/-.*/, '');
      const isPart = whole !== credit.receipt && random.chance(0.3);
      const body = { receiptNumber: isPart ? credit.receipt : whole, reason };
      const parts = leftOfCapture(sequence, credit.capture!, isPart ? credit.id : null);
      const isNothing = wholeOf(parts) === 0;
      const isDisputed = [...sequence.gateway.disputes.values()].some(
        ({ id, chargeReference }) =>
          chargeReference === credit.capture && sequence.disputes.has(id),
      );
      const refused =
        whyNotReversed(reason, credit.method!, isPart) ??
        (reason === 'chargeback' && isDisputed ? 'the dispute is posted by itself' : null) ??
        (isNothing ? 'nothing is left' : null);
      const fee = {
        category: 'fee',
        dueOn: dayOf(sequence),
        total: sequence.settings.returnFeeCents,
      };
      const expected = (): Expected[] => {
        const due = takenFrom(
          sequence,
          parts,
          wholeOf(parts),
          reason === 'mistake' ? 'mistake' : 'undone',
        );
        if (reason === 'chargeback') {
          const before = sequence.byHand.get(credit.capture!) ?? [];
          sequence.byHand.set(credit.capture!, [...before, ...due]);
        }
        // On the ledger of the first part of which anything was there to take back.
        const first = parts.findLast((part) => wholeOf([part]) > 0)!;
        return [
          ...due,
          ...(reason === 'nsf' && fee.total > 0 ? [chargeOf(first.account, fee)] : []),
        ];
      };
      const isAfterRefund = refused === null && wasRefunded(sequence, credit.capture);
      const situations = [
        isAfterRefund && reason === 'nsf' && 'of a check that bounces after a refund',
        isAfterRefund && reason === 'chargeback' && 'of a chargeback after a refund',
      ];
      const work = reversePaymentOf;
      return staffPlan(sequence, random, { work, body, refused, expected, situations });
    },
  },
];

/** What the next bills of a rental come to. */
function billsAhead({ model, terms }: Account, bills: number): number {
  let [cents, dueOn] = [0, addDays(model.billedThrough, 1)];
  for (; bills > 0; bills--) {
    const { periodEnd, rentCents } = modelPeriod(terms, dueOn);
    [cents, dueOn] = [cents + rentCents, addDays(periodEnd, 1)];
  }
  return cents;
}

/**
 * A check bounces, a card payment is charged back, and a mistake is none of the gateway's; a bank
 * takes back all parts.
 */
function whyNotReversed(reason: string, method: string, isPart: boolean): string | null {
  // Imported from a system that may not say how it was paid.
  if (reason === 'nsf' && !['check', 'moneyOrder', 'imported'].includes(method))
    return 'only a check or money order can bounce';
  if (reason === 'chargeback' && method !== 'creditCard')
    return 'only a card payment can be charged back';
  if (reason === 'mistake' && (method === 'creditCard' || method === 'ach'))
    return 'the gateway took it';
  if (reason !== 'mistake' && isPart) return 'a bank takes back the whole payment';
  return null;
}
