import { randomUUID } from 'node:crypto';
import type { Clock } from '@gatehouse/server/src/adapters/clock.ts';
import type { Dashboard } from '@gatehouse/server/src/adapters/payments/gateway.contract.ts';
import {
  GatewayUnknown,
  MethodDeclined,
  type ChargeRequest,
  type GatewayDispute,
  type GatewayRefund,
  type Instrument,
  type MethodDetails,
  type PaymentGateway,
  type Selection,
  type Standing,
} from '@gatehouse/server/src/adapters/payments/gateway.ts';
import { DECLINED, describe, identify, INSUFFICIENT_FUNDS } from './instruments.ts';
import type { Fault, JournalLine } from './journal.ts';

/** One reference in the gateway's own books. */
export type Charged = {
  reference: string;
  cents: number;
  type: 'creditCard' | 'ach';
  standing: Standing | { outcome: 'voided' };
  at: Date;
  /** What went back, in refunds and in disputes that are open or lost. */
  refundedCents: number;
};

/** What the gateway answers to a charge. */
export type Verdict = 'approve' | 'soft' | 'noFunds' | 'hard';

/** How a fake gateway begins. */
type Options = {
  clock: Clock;
  judge?: (request: ChargeRequest) => Verdict;
  /** Hears of each change, in the order in which they are made. */
  write?: (line: JournalLine) => void;
};

/**
 * A gateway in memory, the witness of what was charged: that of the models, and of the simulator's
 * process. It answers at once and never fails; faults are injected around it.
 */
export type FakeGateway = PaymentGateway & {
  charged: Map<string, Charged>;
  /** By our reference. */
  refunds: Map<string, GatewayRefund>;
  /** Refunds in the gateway's own dashboard, by the gateway's id. */
  outside: Map<string, GatewayRefund>;
  disputes: Map<string, GatewayDispute>;
  dashboard: Dashboard;
  /** Charges a reference once, noting the fault that its answer will meet. */
  charge(
    request: ChargeRequest,
    signal?: AbortSignal,
    fault?: Fault | null,
  ): ReturnType<PaymentGateway['charge']>;
  /** Later events of a bank debit. */
  settle(reference: string): void;
  sendBack(reference: string, code: string): void;
};

export function createFakeGateway({
  clock,
  judge = judgeByInstrument,
  write = () => {},
}: Options): FakeGateway {
  const charged = new Map<string, Charged>();
  const refunds = new Map<string, GatewayRefund>();
  const outside = new Map<string, GatewayRefund>();
  const disputes = new Map<string, GatewayDispute>();
  const now = () => clock.now().toISOString();
  const details = (instrument: Instrument): Promise<MethodDetails> => {
    const found = describe(instrument);
    if ('declined' in found) return Promise.reject(new MethodDeclined(found.declined));
    return Promise.resolve({ ...found, fingerprint: null });
  };
  return {
    charged,
    refunds,
    outside,
    disputes,
    dashboard: {
      refund(chargeReference, amountCents) {
        const id = `sim_re_${randomUUID()}`;
        charged.get(chargeReference)!.refundedCents += amountCents;
        const made = { id, chargeReference, amountCents };
        outside.set(id, { ...made, reference: null, outcome: 'succeeded', at: clock.now() });
        write({ kind: 'outside refund', ...made, at: now() });
        return Promise.resolve(id);
      },
      failRefund(id) {
        const refund = outside.get(id) ?? [...refunds.values()].find((made) => made.id === id)!;
        refund.outcome = 'failed';
        charged.get(refund.chargeReference!)!.refundedCents -= refund.amountCents;
        write({ kind: 'failed refund', id, at: now() });
        return Promise.resolve();
      },
      dispute(chargeReference, amountCents, { isInquiry = false } = {}) {
        const made = { id: `sim_dp_${randomUUID()}`, chargeReference, amountCents };
        const standing = isInquiry ? 'inquiry' : 'opened';
        const evidenceDueAt = new Date(clock.now().getTime() + 14 * 86_400_000);
        disputes.set(made.id, { ...made, standing, evidenceDueAt, at: clock.now() });
        if (!isInquiry) charged.get(chargeReference)!.refundedCents += amountCents;
        write({ kind: 'dispute', ...made, isInquiry, at: now() });
        return Promise.resolve(made.id);
      },
      decide(id, standing) {
        const dispute = disputes.get(id)!;
        if (standing === 'won')
          charged.get(dispute.chargeReference!)!.refundedCents -= dispute.amountCents;
        dispute.standing = standing;
        write({ kind: 'decided', id, standing, at: now() });
        return Promise.resolve();
      },
    },
    patience: { lookups: 1, minutes: 0 },
    leastChargeCents: 1,
    debitBusinessDays: 2,
    async charge(request, _signal, fault: Fault | null = null) {
      const { reference, amountCents, instrument, initiator } = request;
      const before = charged.get(reference);
      if (before !== undefined) {
        const isVoided = before.standing.outcome === 'voided';
        write({ kind: isVoided ? 'refused' : 'repeated', reference, at: now() });
        return Promise.resolve(firstAnswer(before));
      }
      const { type } = instrument;
      const standing = standingOf(judge(request), type);
      const [cents, at] = [amountCents, clock.now()];
      charged.set(reference, { reference, cents, type, standing, at, refundedCents: 0 });
      const isDeclined = standing.outcome === 'declined';
      write({
        kind: 'charge',
        reference,
        amountCents,
        outcome: isDeclined ? 'declined' : type === 'ach' ? 'accepted' : 'captured',
        initiator,
        lastFour: identify(instrument).lastFour,
        fault,
        at: now(),
      });
      return Promise.resolve(standing);
    },
    async lookup(reference) {
      const { standing } = charged.get(reference) ?? {};
      const isFound = standing !== undefined && standing.outcome !== 'voided';
      return Promise.resolve(isFound ? standing : { outcome: 'notFound' });
    },
    async voidReference(reference) {
      const found = charged.get(reference);
      if (found !== undefined) return found.standing;
      const standing = { outcome: 'voided' as const };
      const at = clock.now();
      charged.set(reference, {
        reference,
        cents: 0,
        type: 'creditCard',
        standing,
        at,
        refundedCents: 0,
      });
      write({ kind: 'voided', reference, at: now() });
      return Promise.resolve(standing);
    },
    async refund({ reference, chargeReference, amountCents }) {
      if (refunds.has(reference)) return { outcome: 'succeeded' };
      const charge = charged.get(chargeReference);
      const left =
        charge !== undefined && hasMoney(charge) ? charge.cents - charge.refundedCents : 0;
      if (charge === undefined || amountCents > left)
        return { outcome: 'failed', message: 'There is less left of the charge.' };
      charge.refundedCents += amountCents;
      const [outcome, made] = ['succeeded' as const, { reference, chargeReference, amountCents }];
      refunds.set(reference, { ...made, id: `sim_re_${reference}`, outcome, at: clock.now() });
      write({ kind: 'refund', ...made, at: now() });
      return Promise.resolve({ outcome });
    },
    async *listTransactions(from, to) {
      for (const { reference, cents, standing, at } of charged.values())
        if (standing.outcome !== 'voided' && at >= from && at < to)
          yield await Promise.resolve({
            reference,
            amountCents: cents,
            standing: standing.outcome,
            at,
          });
    },
    listRefunds: (which) => selected([...refunds.values(), ...outside.values()], which),
    listDisputes: (which) => selected([...disputes.values()], which),
    createCustomer: () => Promise.resolve(null),
    describe: details,
    saveMethod: details,
    settle(reference) {
      const charge = charged.get(reference);
      if (charge?.standing.outcome !== 'pending') return;
      charge.standing = { outcome: 'settled' };
      write({ kind: 'settled', reference, at: now() });
    },
    sendBack(reference, code) {
      const charge = charged.get(reference);
      if (charge === undefined || charge.type !== 'ach' || !isCaptured(charge)) return;
      charge.standing = { outcome: 'returned', code };
      write({ kind: 'returned', reference, code, at: now() });
    },
  };
}

async function* selected<Kind extends GatewayRefund | GatewayDispute>(
  made: Kind[],
  which: Selection,
): AsyncGenerator<Kind> {
  for (const one of made)
    if (
      'from' in which
        ? one.at >= which.from && one.at < which.to
        : one.chargeReference === which.chargeReference
    )
      yield await Promise.resolve(structuredClone(one));
}

/**
 * Whether the gateway has the money, which it can give back: of a bank debit once that has settled.
 */
export function hasMoney({ standing: { outcome } }: Charged): boolean {
  return outcome === 'succeeded' || outcome === 'settled';
}

/** Whether the gateway has the money, or will have it. */
export function isCaptured({ standing: { outcome } }: Charged): boolean {
  return outcome === 'succeeded' || outcome === 'pending' || outcome === 'settled';
}

/** As the test number or the token says. */
function judgeByInstrument({ instrument, initiator }: ChargeRequest): Verdict {
  switch (identify(instrument).behaviour) {
    case 'decline':
      return 'soft';
    case 'hardDecline':
      return 'hard';
    case 'insufficientFunds':
      return 'noFunds';
    case 'declinedByAutopay':
      return initiator === 'autopay' ? 'soft' : 'approve';
    case 'approve':
    case 'noAnswer':
    case 'notSent':
      return 'approve';
  }
}

function standingOf(verdict: Verdict, type: 'creditCard' | 'ach') {
  if (verdict === 'approve')
    return { outcome: type === 'ach' ? ('pending' as const) : ('succeeded' as const) };
  const message = verdict === 'noFunds' ? INSUFFICIENT_FUNDS : DECLINED;
  return { outcome: 'declined' as const, message, isHard: verdict === 'hard' };
}

/** A repeated charge gets its first answer. */
function firstAnswer({ standing }: Charged) {
  if (standing.outcome === 'voided') throw new GatewayUnknown('the reference was voided');
  if (standing.outcome === 'settled' || standing.outcome === 'returned')
    return { outcome: 'pending' as const };
  return standing;
}
