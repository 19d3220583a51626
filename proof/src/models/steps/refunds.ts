import { applyDispute } from '@gatehouse/server/src/features/payments/disputes.ts';
import { applyRefund } from '@gatehouse/server/src/features/payments/gateway-refunds.ts';
import { refundPayment } from '@gatehouse/server/src/features/payments/refunds.ts';
import { isCaptured, type Charged } from '../model-gateway.ts';
import type { Random } from '../random.ts';
import {
  creditOf,
  everyCredit,
  leftOfCapture,
  someOf,
  somePart,
  takenFrom,
  type Expected,
  type Plan,
  type Sequence,
  type Step,
} from './step.ts';

/** Refunds by staff and in the gateway's own dashboard, and disputes of card payments. */
export const refundSteps: Step[] = [
  {
    name: 'refund at the gateway',
    weight: 12,
    plan(sequence, random) {
      const { ctx, gateway } = sequence;
      const payments = everyCredit(sequence).filter(
        ({ account, credit }) =>
          credit.kind === 'payment' && account.model.left(credit.id) > 0 && gateway.charged.has(credit.capture!),
      );
      const found = someOf(random, payments);
      if (found === null) return null;
      const { account, credit } = found;
      const charge = gateway.charged.get(credit.capture!)!;
      const cents = somePart(random, account.model.left(credit.id));
      if (charge.refundedCents + cents > charge.cents) return null;
      const run = () => refundPayment(ctx, { paymentEntryId: credit.id, cents, reason: 'Overcharged' });
      const expected = () => takenFrom(leftOfCapture(sequence, credit.capture!, credit.id), cents);
      return { refused: null, run, expected };
    },
  },
  {
    name: 'refund in the dashboard',
    weight: 7,
    plan(sequence, random) {
      const { gateway } = sequence;
      const found = someOf(random, refundable(sequence));
      if (found === null) return null;
      const cents = somePart(random, found.cents - found.refundedCents);
      const isKnown = random.chance(0.7);
      let id = '';
      const run = async () => {
        id = await gateway.dashboard.refund(found.reference, cents);
        if (isKnown) await applyOne(sequence, random, id);
      };
      return { refused: null, run, expected: () => (isKnown ? dueOf(sequence, id) : []) };
    },
  },
  {
    name: 'dispute opened',
    weight: 7,
    plan(sequence, random) {
      const { gateway } = sequence;
      const found = someOf(
        random,
        refundable(sequence).filter(({ type }) => type === 'creditCard'),
      );
      if (found === null) return null;
      const cents = somePart(random, found.cents - found.refundedCents);
      const isInquiry = random.chance(0.1);
      const isKnown = random.chance(0.7);
      let id = '';
      const run = async () => {
        id = await gateway.dashboard.dispute(found.reference, cents, { isInquiry });
        if (isKnown) await applyOne(sequence, random, id);
      };
      return { refused: null, run, expected: () => (isKnown ? dueOf(sequence, id) : []) };
    },
  },
  { name: 'dispute won', weight: 6, plan: (sequence, random) => decide(sequence, random, 'won') },
  { name: 'dispute lost', weight: 4, plan: (sequence, random) => decide(sequence, random, 'lost') },
  {
    name: 'told late of a refund or dispute',
    weight: 6,
    plan(sequence, random) {
      const { gateway, disputes } = sequence;
      const late = [...gateway.outside.keys(), ...gateway.disputes.keys()].filter(
        (id) => disputes.get(id)?.standing !== (gateway.disputes.get(id)?.standing ?? 'refunded'),
      );
      const id = someOf(random, late);
      if (id === null) return null;
      return { refused: null, run: () => applyOne(sequence, random, id), expected: () => dueOf(sequence, id) };
    },
  },
];

/** Captures of which the gateway has something left. */
function refundable({ gateway }: Sequence): Charged[] {
  return [...gateway.charged.values()].filter((one) => isCaptured(one) && one.refundedCents < one.cents);
}

function decide(sequence: Sequence, random: Random, standing: 'won' | 'lost'): Plan | null {
  const { gateway } = sequence;
  const opened = [...gateway.disputes.values()].filter((one) => one.standing === 'opened');
  const found = someOf(random, opened);
  if (found === null) return null;
  const { id } = found;
  const isKnown = random.chance(0.8);
  const run = async () => {
    await gateway.dashboard.decide(id, standing);
    if (isKnown) await applyOne(sequence, random, id);
  };
  return { refused: null, run, expected: () => (isKnown ? dueOf(sequence, id) : []) };
}

/** By an event that comes once, or twice. */
async function applyOne(sequence: Sequence, random: Random, id: string): Promise<void> {
  await applyById(sequence, id);
  if (random.chance(0.3)) await applyById(sequence, id);
}

async function applyById({ ctx, gateway }: Sequence, id: string): Promise<void> {
  const refund = gateway.outside.get(id);
  if (refund !== undefined) await applyRefund(ctx, { ...refund });
  else await applyDispute(ctx, { ...gateway.disputes.get(id)! });
}

/** What the books must have of a refund in the dashboard or a dispute now, and did not have before. */
function dueOf(sequence: Sequence, id: string): Expected[] {
  const refund = sequence.gateway.outside.get(id);
  const known = sequence.disputes.get(id) ?? { taken: null, standing: null };
  if (refund !== undefined) {
    if (known.taken !== null) return [];
    sequence.disputes.set(id, { taken: [], standing: 'refunded' });
    return takenFrom(leftOfCapture(sequence, refund.chargeReference!), refund.amountCents);
  }
  const { chargeReference, amountCents, standing } = sequence.gateway.disputes.get(id)!;
  if (standing === 'inquiry' || known.standing === standing) return [];
  const opened = known.taken === null ? takenFrom(leftOfCapture(sequence, chargeReference!), amountCents) : [];
  const taken = known.taken ?? opened.map(({ account, cents }) => ({ account, cents }));
  sequence.disputes.set(id, { taken, standing });
  // Won, what was taken is given back where it was taken.
  const restored =
    standing === 'won' ? taken.map(({ account, cents }) => creditOf(account, cents, chargeReference)) : [];
  return [...opened, ...restored];
}
