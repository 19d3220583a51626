import { addDays } from '@gatehouse/contract/dates';
import { runBilling } from '@gatehouse/server/src/features/money/billing/billing.ts';
import { modelPeriod } from '../model-bill.ts';
import { chargeOf, dayOf, type Account, type Expected, type Step } from './step.ts';

const DAY = 86_400_000;

/** What the calendar brings. */
export const billingSteps: Step[] = [
  {
    name: 'bill',
    weight: 8,
    plan(sequence, random) {
      const { ctx, world, accounts, clock } = sequence;
      const days = random.pick([0, 5, 31, 62]);
      const run = async () => {
        clock.at += days * DAY;
        await runBilling(ctx, { facilityId: world.facilityId, date: dayOf(sequence) });
      };
      const expected = () => accounts.flatMap((account) => billed(account, dayOf(sequence)));
      return { refused: null, run, expected };
    },
  },
];

/** The periods that a run must bill, and what the model makes of them. */
export function billed(account: Account, date: string): Expected[] {
  const due: Expected[] = [];
  let billedThrough = account.model.billedThrough;
  for (;;) {
    const dueOn = addDays(billedThrough, 1);
    if (dueOn > date || (account.movedOutOn !== null && dueOn >= account.movedOutOn)) return due;
    const { scheduled, terms } = account;
    // A rise needs its notice in time; a rent that falls does not.
    const isDue = scheduled !== null && dueOn >= scheduled.on;
    if (isDue && (scheduled.isNoticed || scheduled.cents <= terms.rateCents)) {
      terms.rateCents = scheduled.cents;
      account.applied.push(scheduled);
      account.scheduled = null;
    }
    const { periodEnd, rentCents, tax1, tax2 } = modelPeriod(terms, dueOn);
    billedThrough = periodEnd;
    account.model.billedThrough = billedThrough;
    due.push(
      chargeOf(account, { category: 'rent', dueOn, periodEnd, total: rentCents, tax1, tax2 }),
    );
  }
}
