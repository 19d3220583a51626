import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { runBilling } from '@gatehouse/server/src/features/billing/billing.ts';
import { sendRateNotices } from '@gatehouse/server/src/features/billing/rate-notices.ts';
import { naivePeriod } from '../naive-bill.ts';
import { NOTICE_DAYS } from '../world.ts';
import { chargeOf, dayOf, isCurrent, type Account, type Expected, type Step } from './step.ts';

const DAY = 86_400_000;

/** What the calendar brings: billing runs and changes of the rate. */
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
  {
    name: 'rate',
    weight: 5,
    plan(sequence, random) {
      const { ctx, session, world } = sequence;
      const account = random.pick(sequence.accounts);
      if (!isCurrent(sequence, account)) return null;
      const today = dayOf(sequence);
      const cents = random.between(2000, 90_000);
      const on = addDays(today, random.between(1, 75));
      // The mail goes out at once, late, or never.
      const sentAfterDays = random.pick([0, 0, 20, null]);
      const run = async () => {
        await session.run('UPDATE ledgers SET scheduled_rate_cents = $2, scheduled_rate_on = $3 WHERE id = $1', [
          account.ledgerId,
          cents,
          on,
        ]);
        await sendRateNotices(ctx, { facilityId: world.facilityId, date: today });
        const sentAt = sentAfterDays === null ? null : new Date(ctx.clock.now().getTime() + sentAfterDays * DAY);
        if (sentAt !== null)
          await session.run(
            `UPDATE mails SET sent_at = $1 WHERE sent_at IS NULL AND id IN (SELECT mail_id FROM rate_notices
              WHERE ledger_id = $2 AND effective_on = $3 AND to_cents = $4)`,
            [sentAt, account.ledgerId, on, cents],
          );
        const latest = addDays(on, -NOTICE_DAYS);
        // Its own day by the facility's calendar: twenty days after an evening before summer time it is past midnight.
        const isNoticed = today <= latest && sentAt !== null && calendarDateIn(world.timeZone, sentAt) <= latest;
        account.scheduled = { cents, on, isNoticed };
      };
      return { refused: null, run, expected: () => [] };
    },
  },
];

/** The periods that a run must bill, and what the model makes of them. */
function billed(account: Account, date: string): Expected[] {
  const due: Expected[] = [];
  let billedThrough = account.model.billedThrough;
  for (;;) {
    const dueOn = addDays(billedThrough, 1);
    if (dueOn > date || (account.movedOutOn !== null && dueOn >= account.movedOutOn)) return due;
    const { scheduled, terms } = account;
    if (scheduled !== null && scheduled.isNoticed && dueOn >= scheduled.on) {
      terms.rateCents = scheduled.cents;
      account.scheduled = null;
    }
    const { periodEnd, rentCents, tax1, tax2 } = naivePeriod(terms, dueOn);
    billedThrough = periodEnd;
    account.model.billedThrough = billedThrough;
    due.push(chargeOf(account, { category: 'rent', dueOn, periodEnd, total: rentCents, tax1, tax2 }));
  }
}
