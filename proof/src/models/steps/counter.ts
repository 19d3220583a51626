import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import { addCreditTo } from '@gatehouse/server/src/features/counter/credits.ts';
import { entryCents, post, type Change, type NewCharge } from '@gatehouse/server/src/features/ledgers/books.ts';
import { lockBooks, postLocked, readPostedCharges } from '@gatehouse/server/src/features/ledgers/postings.ts';
import { waivedTax } from '@gatehouse/server/src/features/ledgers/rules.ts';
import type { Random } from '../random.ts';
import {
  chargeOf,
  creditOf,
  dayOf,
  everyCharge,
  someOf,
  somePart,
  staffPlan,
  waiverOf,
  type Account,
  type Plan,
  type Sequence,
  type Step,
} from './step.ts';

/** What staff post at the counter: charges, waivers and credits. */
export const counterSteps: Step[] = [
  { name: 'charge', weight: 18, plan: (sequence, random) => chargePlan(sequence, random, { discounted: false }) },
  {
    name: 'charge with a discount',
    weight: 6,
    plan: (sequence, random) => chargePlan(sequence, random, { discounted: true }),
  },
  {
    name: 'charges waive',
    weight: 8,
    plan(sequence, random) {
      const some = everyCharge(sequence).filter(({ account, charge }) => account.model.waivable(charge) > 0);
      const found = someOf(random, some);
      if (found === null) return null;
      const { account, charge } = found;
      const cents = somePart(random, account.model.waivable(charge));
      const run = () =>
        postTo(sequence, account, async (trx) => {
          const [posted] = await readPostedCharges(trx, account.ledgerId, [charge.id]);
          const id = randomUUID();
          const tax = waivedTax(posted!, cents);
          return [{ kind: 'waiver', id, charge: posted!, cents, ...tax, description: 'Waived' }];
        });
      return { refused: null, run, expected: () => [waiverOf(account, charge.id, cents)] };
    },
  },
  {
    name: 'credits add',
    weight: 6,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      const cents = random.between(1, 40_000);
      const body = { ledgerId: account.ledgerId, amount: cents / 100, description: 'Goodwill' };
      const expected = () => [creditOf(account, cents)];
      return staffPlan(sequence, random, { work: addCreditTo, body, refused: null, expected });
    },
  },
];

function chargePlan(sequence: Sequence, random: Random, { discounted }: { discounted: boolean }): Plan {
  const account = random.pick(sequence.accounts);
  const priceCents = random.between(1, 30_000);
  const charge: NewCharge = {
    kind: 'charge',
    id: randomUUID(),
    category: random.pick(['service', 'insurance', 'fee', 'deposit'] as const),
    description: 'Charge',
    dueOn: addDays(dayOf(sequence), random.between(-20, 10)),
    periodEnd: null,
    priceCents,
    discountCents: discounted ? random.between(1, priceCents) : 0,
    tax1Cents: random.pick([0, 3, 825]),
    tax2Cents: random.pick([0, 1, 200]),
    lateFor: null,
  };
  const { category, dueOn, tax1Cents: tax1, tax2Cents: tax2 } = charge;
  const run = () => postTo(sequence, account, () => Promise.resolve([charge]));
  return {
    refused: null,
    run,
    expected: () => [chargeOf(account, { category, dueOn, total: entryCents(charge), tax1, tax2 })],
  };
}

type Transaction = Parameters<typeof lockBooks>[0];

/** Posts by the kernel alone, as every verb does. */
export async function postTo(
  sequence: Sequence,
  { ledgerId }: Account,
  changesOf: (trx: Transaction) => Promise<Change[]>,
): Promise<void> {
  const { ctx } = sequence;
  const instant = ctx.clock.now();
  await ctx.db.transaction().execute(async (trx) => {
    const [books] = await lockBooks(trx, [ledgerId]);
    const { posting } = post(books!, await changesOf(trx));
    await postLocked(trx, { instant, dayOf: () => dayOf(sequence) }, [posting]);
  });
}
