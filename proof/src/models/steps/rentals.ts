import { addDays, daysBetween } from '@gatehouse/contract/dates';
import { moveOutOf, settleMoveOuts } from '@gatehouse/server/src/features/rentals/move-out.ts';
import { isCaptured } from '../model-gateway.ts';
import { halfUp } from '../naive-bill.ts';
import type { NaiveCharge } from '../naive-ledger.ts';
import type { Random } from '../random.ts';
import {
  dayOf,
  isCurrent,
  reversalOf,
  someOf,
  staffPlan,
  waiverOf,
  type Account,
  type Expected,
  type Plan,
  type Sequence,
  type Step,
} from './step.ts';

/** How rentals end: ahead, at once, and not after all. */
export const rentalSteps: Step[] = [
  {
    name: 'move-out ahead',
    weight: 6,
    plan: (sequence, random) => moveOut(sequence, random, addDays(dayOf(sequence), random.between(1, 40))),
  },
  {
    name: 'move-out at once',
    weight: 2,
    plan: (sequence, random) => moveOut(sequence, random, addDays(dayOf(sequence), -random.pick([0, 0, 0, 1, 7, 40]))),
  },
  {
    name: 'move-out cancelled',
    weight: 10,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      const isPlanned = isCurrent(sequence, account) && account.movedOutOn !== null;
      if (!isPlanned && random.chance(0.9)) return null;
      const expected = () => {
        [account.movedOutOn, account.moveOut] = [null, null];
        return [];
      };
      const refused = isPlanned ? null : 'no move-out is planned';
      const body = { ledgerId: account.ledgerId, cancel: true };
      return staffPlan(sequence, random, { work: moveOutOf, body, refused, expected });
    },
  },
  {
    name: 'move-out settled on its day',
    weight: 8,
    plan(sequence, random) {
      const planned = sequence.accounts.filter(({ moveOut: one }) => one !== null && !one.isSettled);
      const account = someOf(random, planned);
      if (account === null) return null;
      const { ctx, clock, world, accounts } = sequence;
      const run = async () => {
        clock.at += Math.max(0, daysBetween(dayOf(sequence), account.movedOutOn!)) * 86_400_000;
        await settleMoveOuts(ctx, { facilityId: world.facilityId, date: dayOf(sequence) });
      };
      const before = gatewayLefts(sequence);
      const expected = () =>
        accounts.flatMap((one) =>
          one.moveOut !== null && !one.moveOut.isSettled && !isCurrent(sequence, one)
            ? settled(sequence, one, before)
            : [],
        );
      return { refused: null, run, expected };
    },
  },
];

function moveOut(sequence: Sequence, random: Random, day: string): Plan | null {
  const account = random.pick(sequence.accounts);
  const on = random.chance(0.03) ? addDays(account.movedInOn, -1) : day;
  const refused = whyNot(sequence, account, on);
  if (refused !== null && random.chance(0.7)) return null;
  const credit = random.pick(['refund', 'keep'] as const);
  const isNow = on <= dayOf(sequence);
  const before = gatewayLefts(sequence);
  const expected = () => {
    account.movedOutOn = on;
    account.moveOut = { credit, isSettled: false };
    return isNow ? settled(sequence, account, before) : [];
  };
  const body = { ledgerId: account.ledgerId, on, credit };
  return { ...staffPlan(sequence, random, { work: moveOutOf, body, refused, expected }), answersBefore: true };
}

function whyNot(sequence: Sequence, account: Account, on: string): string | null {
  if (!isCurrent(sequence, account)) return 'the rental has ended';
  return on < account.movedInOn ? 'the day is before the move-in' : null;
}

/** What the gateway has left of each capture, in cents: it gives back no more. */
function gatewayLefts({ gateway }: Sequence): Map<string, number> {
  const captured = [...gateway.charged.values()].filter(isCaptured);
  return new Map(captured.map(({ reference, cents, refundedCents }) => [reference, cents - refundedCents]));
}

/**
 * What a move-out gives back: deposits, what was billed from its day on, and where the facility prorates the unused days of the
 * period that the day is in. What is left of a payment then goes back through the gateway, if the credit is to be refunded.
 */
function settled({ settings }: Sequence, account: Account, gatewayLeft: Map<string, number>): Expected[] {
  const { model, moveOut: planned } = account;
  planned!.isSettled = true;
  const after = model.copy();
  const waivers = model.charges.flatMap((charge) => {
    const cents = Math.min(model.waivable(charge), givenBack(charge, account.movedOutOn!, settings.prorates));
    if (cents > 0) after.waive(`waiver of ${charge.id}`, charge.id, cents);
    return cents > 0 ? [waiverOf(account, charge.id, cents)] : [];
  });
  if (planned!.credit === 'keep') return waivers;
  const refunds = after.credits.flatMap((credit) => {
    const cents = after.unused(credit);
    const isLeft = credit.kind === 'payment' && cents > 0 && cents <= (gatewayLeft.get(credit.capture!) ?? 0);
    return isLeft ? [reversalOf(account, credit.id, cents)] : [];
  });
  return [...waivers, ...refunds];
}

function givenBack({ category, dueOn, periodEnd, total }: NaiveCharge, day: string, prorates: boolean): number {
  if (category === 'deposit') return total;
  if ((category === 'rent' || category === 'insurance') && dueOn >= day) return total;
  if (!prorates || periodEnd === null || periodEnd < day) return 0;
  const unused = daysBetween(day, periodEnd) + 1;
  return halfUp(total * unused, daysBetween(dueOn, periodEnd) + 1);
}
