import { refundPaymentOf } from '@gatehouse/server/src/features/money/payments/refund-payment.ts';
import { applyDispute } from '@gatehouse/server/src/features/money/payments/disputes.ts';
import { applyRefund } from '@gatehouse/server/src/features/money/payments/gateway-refunds.ts';
import { hasMoney, type Charged } from '../../harness/simulator/fake-gateway.ts';
import type { Random } from '../../harness/random.ts';
import {
  aboutAsMuchAs,
  AFTER_REFUND,
  creditOf,
  everyCredit,
  leftOfCapture,
  someOf,
  somePart,
  staffPlan,
  ratherRefunded,
  refundableOf,
  takenFrom,
  unheardOf,
  wasRefunded,
  wholeOf,
  type Expected,
  type Plan,
  type Sequence,
  type Step,
} from './step.ts';

/** Refunds by staff and in the gateway's own dashboard, and disputes of card payments. */
export const refundSteps: Step[] = [
  {
    name: 'payments refund',
    weight: 34,
    plan(sequence, random) {
      const isAny = random.chance(0.15);
      const payments = everyCredit(sequence).filter(
        ({ account, credit: { id, kind } }) =>
          kind === 'payment' && (isAny || account.model.left(id) > 0),
      );
      const atGateway = payments.filter(({ credit: { capture } }) => {
        const charged = sequence.gateway.charged.get(capture!);
        return charged !== undefined && hasMoney(charged);
      });
      const debits = atGateway.filter(
        ({ credit }) => credit.method === 'ach' && !wasRefunded(sequence, credit.capture),
      );
      const found =
        (random.chance(0.6) ? someOf(random, debits.length > 0 ? debits : atGateway) : null) ??
        someOf(random, payments);
      if (found === null) return null;
      const { credit } = found;
      const charge = sequence.gateway.charged.get(credit.capture!);
      const way =
        charge === undefined || random.chance(0.1)
          ? random.pick(['cash', 'check', undefined] as const)
          : undefined;
      const whole = credit.receipt!.replace(/-.*/, '');
      const isPart = whole !== credit.receipt && random.chance(0.5);
      const parts = leftOfCapture(sequence, credit.capture!, isPart ? credit.id : null);
      const left = refundableOf(sequence, credit.capture!, parts);
      const isAll = random.chance(0.3);
      const cents = isAll ? left : aboutAsMuchAs(random, left);
      const body = {
        receiptNumber: isPart ? credit.receipt : whole,
        ...(way !== undefined && { way }),
        ...(way === 'check' && { number: '1881' }),
        ...(!isAll && { amount: cents / 100 }),
      };
      const refused = whyNotRefunded(charge, way, cents, left);
      const expected = () =>
        takenFrom(
          sequence,
          leftOfCapture(sequence, credit.capture!, isPart ? credit.id : null),
          cents,
          'refund',
        );
      return staffPlan(sequence, random, { work: refundPaymentOf, body, refused, expected });
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
    weight: 32,
    situations: [AFTER_REFUND],
    plan(sequence, random) {
      const { gateway } = sequence;
      const found = ratherRefunded(
        sequence,
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
      const expected = () => (isKnown ? dueOf(sequence, id) : []);
      const situations = [isKnown && wasRefunded(sequence, found.reference) && AFTER_REFUND];
      return { refused: null, run, expected, situations };
    },
  },
  {
    name: 'dispute won',
    weight: 66,
    situations: [AFTER_REFUND],
    plan: (sequence, random) => decide(sequence, random, 'won'),
  },
  {
    name: 'dispute lost',
    weight: 56,
    situations: [AFTER_REFUND],
    plan: (sequence, random) => decide(sequence, random, 'lost'),
  },
  {
    name: 'late notice of a refund or dispute',
    weight: 20,
    plan(sequence, random) {
      const id = someOf(random, unheardOf(sequence));
      if (id === null) return null;
      return {
        refused: null,
        run: () => applyOne(sequence, random, id),
        expected: () => dueOf(sequence, id),
      };
    },
  },
];

function whyNotRefunded(
  charge: Charged | undefined,
  way: 'cash' | 'check' | undefined,
  cents: number,
  left: number,
): string | null {
  if (charge?.standing.outcome === 'pending') return 'the bank debit has not settled yet';
  if (left === 0 || cents > left) return `${left} cents are left of the payment`;
  if (way !== undefined) return null;
  if (charge === undefined || !hasMoney(charge)) return 'the gateway does not have the payment';
  return charge.refundedCents + cents > charge.cents ? 'the gateway has less left of it' : null;
}

/** Captures of which the gateway has something left. */
function refundable({ gateway }: Sequence): Charged[] {
  return [...gateway.charged.values()].filter(
    (one) => hasMoney(one) && one.refundedCents < one.cents,
  );
}

function decide(sequence: Sequence, random: Random, standing: 'won' | 'lost'): Plan | null {
  const { gateway } = sequence;
  const opened = [...gateway.disputes.values()].filter((one) => one.standing === 'opened');
  const refunded = opened.filter((one) => wasRefunded(sequence, one.chargeReference));
  const found = (random.chance(0.9) ? someOf(random, refunded) : null) ?? someOf(random, opened);
  if (found === null) return null;
  const { id } = found;
  const isKnown = random.chance(0.9);
  const run = async () => {
    await gateway.dashboard.decide(id, standing);
    if (isKnown) await applyOne(sequence, random, id);
  };
  const expected = () => (isKnown ? dueOf(sequence, id) : []);
  const situations = [isKnown && wasRefunded(sequence, found.chargeReference) && AFTER_REFUND];
  return { refused: null, run, expected, situations };
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

/**
 * What the books must have of a refund in the dashboard or a dispute now, and did not have before.
 */
function dueOf(sequence: Sequence, id: string): Expected[] {
  const refund = sequence.gateway.outside.get(id);
  const known = sequence.disputes.get(id) ?? { taken: null, standing: null };
  if (refund !== undefined) {
    if (known.taken !== null) return [];
    sequence.disputes.set(id, { taken: [], standing: 'refunded' });
    const parts = leftOfCapture(sequence, refund.chargeReference!);
    return takenFrom(sequence, parts, refund.amountCents, 'refund');
  }
  const { chargeReference, amountCents, standing } = sequence.gateway.disputes.get(id)!;
  if (standing === 'inquiry' || known.standing === standing) return [];
  let taken = known.taken;
  let opened: Expected[] = [];
  if (taken === null) {
    // A chargeback that staff have posted before is the dispute's, unless it is more than that.
    const posted = sequence.byHand.get(chargeReference!) ?? [];
    const cents = posted.reduce((sum, one) => sum + one.cents, 0);
    const own = cents > amountCents ? [] : posted;
    if (own.length > 0) sequence.byHand.delete(chargeReference!);
    const parts = leftOfCapture(sequence, chargeReference!);
    const more = amountCents - (own.length > 0 ? cents : 0);
    opened = takenFrom(sequence, parts, Math.min(more, wholeOf(parts)), 'undone');
    taken = [...own, ...opened].map((one) => ({ account: one.account, cents: one.cents }));
  }
  sequence.disputes.set(id, { taken, standing });
  // Won, what was taken is given back where it was taken.
  const restored =
    standing === 'won'
      ? taken.map(({ account, cents }) =>
          creditOf(account, cents, { capture: chargeReference, isMoney: true }),
        )
      : [];
  return [...opened, ...restored];
}
