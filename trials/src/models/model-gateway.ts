import type { Dashboard } from '@gatehouse/server/src/adapters/payments/gateway.contract.ts';
import {
  GatewayUnknown,
  type GatewayDispute,
  type GatewayRefund,
  type PaymentGateway,
  type Selection,
  type Standing,
} from '@gatehouse/server/src/adapters/payments/gateway.ts';
import type { Clock } from '@gatehouse/server/src/adapters/clock.ts';

/** One reference in the gateway's own books. */
export type Charged = {
  reference: string;
  cents: number;
  type: 'creditCard' | 'ach';
  standing: Standing | { outcome: 'voided' };
  at: Date;
  refundedCents: number;
};

/** The kind of the gateway's answer to a charge. */
export type Judge = (request: {
  cents: number;
  type: 'creditCard' | 'ach';
}) => 'approve' | 'soft' | 'hard';

/**
 * A gateway in memory, the witness of what was charged. It answers at once and never fails; faults
 * are injected around it.
 */
export type ModelGateway = PaymentGateway & {
  charged: Map<string, Charged>;
  /** By our reference. */
  refunds: Map<string, GatewayRefund>;
  /** Refunds in the gateway's own dashboard, by the gateway's id. */
  outside: Map<string, GatewayRefund>;
  disputes: Map<string, GatewayDispute>;
  dashboard: Dashboard;
  /** Later events of a bank debit. */
  settle(reference: string): void;
  sendBack(reference: string, code: string): void;
};

export function createModelGateway(clock: Clock, judge: Judge = () => 'approve'): ModelGateway {
  const charged = new Map<string, Charged>();
  const refunds = new Map<string, GatewayRefund>();
  const outside = new Map<string, GatewayRefund>();
  const disputes = new Map<string, GatewayDispute>();
  const refundOf = (
    reference: string | null,
    chargeReference: string,
    amountCents: number,
  ): GatewayRefund => {
    const id = reference === null ? `model_re_${outside.size}` : `model_re_${reference}`;
    return { id, reference, chargeReference, amountCents, outcome: 'succeeded', at: clock.now() };
  };
  let kept = 0;
  const keep = (token: string, type: 'creditCard' | 'ach') => ({
    token,
    brand: type === 'ach' ? 'Consumer Checking' : 'Visa',
    lastFour: '4242',
    funding: type === 'ach' ? ('unknown' as const) : ('credit' as const),
    expiresOn: type === 'ach' ? null : '2039-04',
    routingLastFour: type === 'ach' ? '0025' : null,
    holderName: 'Dana Reyes',
    postalCode: '76020',
    fingerprint: null,
  });
  return {
    charged,
    refunds,
    outside,
    disputes,
    dashboard: {
      refund(chargeReference, cents) {
        const made = refundOf(null, chargeReference, cents);
        charged.get(chargeReference)!.refundedCents += cents;
        outside.set(made.id, made);
        return Promise.resolve(made.id);
      },
      failRefund(id) {
        const refund = outside.get(id) ?? [...refunds.values()].find((made) => made.id === id)!;
        refund.outcome = 'failed';
        charged.get(refund.chargeReference!)!.refundedCents -= refund.amountCents;
        return Promise.resolve();
      },
      dispute(chargeReference, amountCents, { isInquiry = false } = {}) {
        const id = `model_dp_${disputes.size}`;
        const at = clock.now();
        const standing = isInquiry ? 'inquiry' : 'opened';
        disputes.set(id, { id, chargeReference, amountCents, standing, evidenceDueAt: at, at });
        if (!isInquiry) charged.get(chargeReference)!.refundedCents += amountCents;
        return Promise.resolve(id);
      },
      decide(id, standing) {
        const dispute = disputes.get(id)!;
        if (standing === 'won')
          charged.get(dispute.chargeReference!)!.refundedCents -= dispute.amountCents;
        dispute.standing = standing;
        return Promise.resolve();
      },
    },
    patience: { lookups: 1, minutes: 0 },
    leastChargeCents: 1,
    debitBusinessDays: 2,
    async charge({ reference, amountCents, instrument }) {
      const before = charged.get(reference);
      if (before?.standing.outcome === 'voided')
        throw new GatewayUnknown('the reference was voided');
      const { type } = instrument;
      const standing = before?.standing ?? firstAnswer(judge({ cents: amountCents, type }), type);
      if (before === undefined)
        charged.set(reference, {
          reference,
          cents: amountCents,
          type,
          standing,
          at: clock.now(),
          refundedCents: 0,
        });
      if (standing.outcome === 'settled' || standing.outcome === 'returned')
        return { outcome: 'pending' };
      return Promise.resolve(standing);
    },
    async lookup(reference) {
      const { standing } = charged.get(reference) ?? {};
      return Promise.resolve(
        standing === undefined || standing.outcome === 'voided'
          ? { outcome: 'notFound' }
          : standing,
      );
    },
    async voidReference(reference) {
      const found = charged.get(reference);
      if (found !== undefined) return found.standing;
      const standing = { outcome: 'voided' as const };
      charged.set(reference, {
        reference,
        cents: 0,
        type: 'creditCard',
        standing,
        at: clock.now(),
        refundedCents: 0,
      });
      return Promise.resolve(standing);
    },
    async refund({ reference, chargeReference, amountCents }) {
      if (refunds.has(reference)) return { outcome: 'succeeded' };
      const charge = charged.get(chargeReference);
      if (
        charge === undefined ||
        !hasMoney(charge) ||
        charge.refundedCents + amountCents > charge.cents
      )
        return { outcome: 'failed', message: 'There is less left of the charge.' };
      charge.refundedCents += amountCents;
      refunds.set(reference, refundOf(reference, chargeReference, amountCents));
      return Promise.resolve({ outcome: 'succeeded' });
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
    describe: (instrument) =>
      Promise.resolve(
        keep('token' in instrument ? instrument.token : `model_${kept}`, instrument.type),
      ),
    saveMethod: (instrument) => Promise.resolve(keep(`model_${(kept += 1)}`, instrument.type)),
    settle(reference) {
      const charge = charged.get(reference);
      if (charge?.standing.outcome === 'pending') charge.standing = { outcome: 'settled' };
    },
    sendBack(reference, code) {
      const charge = charged.get(reference);
      if (charge !== undefined && charge.type === 'ach' && isCaptured(charge))
        charge.standing = { outcome: 'returned', code };
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

function firstAnswer(verdict: ReturnType<Judge>, type: 'creditCard' | 'ach'): Standing {
  if (verdict === 'approve') return { outcome: type === 'ach' ? 'pending' : 'succeeded' };
  return {
    outcome: 'declined',
    message: 'Your card was declined. Please use another card.',
    isHard: verdict === 'hard',
  };
}
