import { randomUUID } from 'node:crypto';
import type {
  ChargeRequest,
  GatewayDispute,
  GatewayRefund,
  Refunded,
  Standing,
} from '@gatehouse/server/src/adapters/payments/gateway.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { DECLINED, identify, INSUFFICIENT_FUNDS } from './instruments.ts';
import type { ChargeLine, Fault, JournalLine } from './journal.ts';

type Held = ChargeLine | 'voided';

/**
 * The simulator's memory. Every change is made at once and handed to `write`, whose promise the
 * answer waits for: two requests for one reference meet here one after the other.
 */
export class SimulatorBooks {
  readonly #write: (line: JournalLine) => void;
  readonly #charges = new Map<string, Held>();
  readonly #later = new Map<
    string,
    { outcome: 'settled' } | { outcome: 'returned'; code: string }
  >();
  /** By our reference, or by the gateway's id where they were made in its dashboard. */
  readonly #refunds = new Map<string, GatewayRefund>();
  readonly #disputes = new Map<string, GatewayDispute>();
  /** References that the next so many look-ups do not find. */
  readonly #hidden = new Map<string, number>();

  constructor(write: (line: JournalLine) => void) {
    this.#write = write;
  }

  /** Charges a reference once; null where it was voided before. */
  charge(
    { reference, amountCents, instrument, initiator }: ChargeRequest,
    fault: Fault | null,
  ): Standing | null {
    const held = this.#charges.get(reference);
    if (held === 'voided') {
      this.#write({ kind: 'refused', reference, at: now() });
      return null;
    }
    if (held !== undefined) {
      this.#write({ kind: 'repeated', reference, at: now() });
      return standingOf(held);
    }
    const { behaviour, lastFour } = identify(instrument);
    const isDeclined =
      behaviour === 'decline' ||
      behaviour === 'hardDecline' ||
      behaviour === 'insufficientFunds' ||
      (behaviour === 'declinedByAutopay' && initiator === 'autopay');
    const line: ChargeLine = {
      kind: 'charge',
      reference,
      amountCents,
      outcome: isDeclined ? 'declined' : instrument.type === 'ach' ? 'accepted' : 'captured',
      message: !isDeclined ? '' : behaviour === 'insufficientFunds' ? INSUFFICIENT_FUNDS : DECLINED,
      isHard: behaviour === 'hardDecline',
      initiator,
      lastFour,
      fault,
      at: now(),
    };
    this.#charges.set(reference, line);
    if (fault === 'not found, then found') this.#hidden.set(reference, 1);
    this.#write(line);
    return standingOf(line);
  }

  lookup(reference: string): Standing | { outcome: 'notFound' } {
    const hidden = this.#hidden.get(reference) ?? 0;
    if (hidden > 0) this.#hidden.set(reference, hidden - 1);
    const held = this.#charges.get(reference);
    if (held === undefined || held === 'voided' || hidden > 0) return { outcome: 'notFound' };
    return this.#later.get(reference) ?? standingOf(held);
  }

  /** The last word: what is not charged by now never will be. */
  voidReference(reference: string): Standing | { outcome: 'voided' } {
    const held = this.#charges.get(reference);
    if (held !== undefined && held !== 'voided')
      return this.#later.get(reference) ?? standingOf(held);
    if (held === undefined) {
      this.#charges.set(reference, 'voided');
      this.#write({ kind: 'voided', reference, at: now() });
    }
    return { outcome: 'voided' };
  }

  refund(reference: string, chargeReference: string, amountCents: number): Refunded {
    if (this.#refunds.has(reference)) return { outcome: 'succeeded' };
    const held = this.#charges.get(chargeReference);
    const isCharged = held !== undefined && held !== 'voided' && held.outcome !== 'declined';
    if (!isCharged || this.#givenBack(chargeReference) + amountCents > held.amountCents)
      return { outcome: 'failed', message: 'There is not so much left to give back.' };
    const at = now();
    const outcome = 'succeeded' as const;
    const id = `sim_re_${reference}`;
    this.#refunds.set(reference, {
      id,
      reference,
      chargeReference,
      amountCents,
      outcome,
      at: new Date(at),
    });
    this.#write({ kind: 'refund', reference, chargeReference, amountCents, at });
    return { outcome };
  }

  #givenBack(chargeReference: string): number {
    const refunds = [...this.#refunds.values()].filter(({ outcome }) => outcome === 'succeeded');
    const disputes = [...this.#disputes.values()].filter(
      ({ standing }) => standing === 'opened' || standing === 'lost',
    );
    return [...refunds, ...disputes]
      .filter((back) => back.chargeReference === chargeReference)
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
  }

  /** A refund in the gateway's own dashboard. */
  refundOutside(chargeReference: string, amountCents: number): string {
    const [id, at] = [`sim_re_${randomUUID()}`, now()];
    const made = { id, chargeReference, amountCents };
    this.#refunds.set(id, { ...made, reference: null, outcome: 'succeeded', at: new Date(at) });
    this.#write({ kind: 'outside refund', ...made, at });
    return id;
  }

  failRefund(id: string): void {
    [...this.#refunds.values()].find((refund) => refund.id === id)!.outcome = 'failed';
    this.#write({ kind: 'failed refund', id, at: now() });
  }

  dispute(chargeReference: string, amountCents: number, isInquiry: boolean): string {
    const [id, at] = [`sim_dp_${randomUUID()}`, now()];
    const made = { id, chargeReference, amountCents };
    const evidenceDueAt = new Date(Date.parse(at) + 14 * 86_400_000);
    const standing = isInquiry ? 'inquiry' : 'opened';
    this.#disputes.set(id, { ...made, standing, evidenceDueAt, at: new Date(at) });
    this.#write({ kind: 'dispute', ...made, isInquiry, at });
    return id;
  }

  decide(id: string, standing: 'won' | 'lost'): void {
    this.#disputes.get(id)!.standing = standing;
    this.#write({ kind: 'decided', id, standing, at: now() });
  }

  listRefunds(which: Which): GatewayRefund[] {
    return [...this.#refunds.values()].filter(isOf(which));
  }

  listDisputes(which: Which): GatewayDispute[] {
    return [...this.#disputes.values()].filter(isOf(which));
  }

  /** What becomes of a bank debit, days later. */
  settle(reference: string): void {
    this.#later.set(reference, { outcome: 'settled' });
    this.#write({ kind: 'settled', reference, at: now() });
  }

  giveBack(reference: string, code: string): void {
    this.#later.set(reference, { outcome: 'returned', code });
    this.#write({ kind: 'returned', reference, code, at: now() });
  }

  /** All that was charged from one instant to another, in its order; what was declined as well. */
  list(from: Date, to: Date) {
    return [...this.#charges.values()]
      .filter((held) => held !== 'voided')
      .filter(({ at }) => new Date(at) >= from && new Date(at) < to)
      .map((line) => ({
        reference: line.reference,
        amountCents: line.amountCents,
        standing: (this.#later.get(line.reference) ?? standingOf(line)).outcome,
        at: line.at,
      }));
  }
}

/** Of a charge, or from one instant to another. */
export type Which = { charge: string } | { from: Date; to: Date };

function isOf(which: Which) {
  return ({ chargeReference, at }: { chargeReference: string | null; at: Date }) =>
    'charge' in which ? chargeReference === which.charge : at >= which.from && at < which.to;
}

function standingOf({ outcome, message, isHard }: ChargeLine): Standing {
  switch (outcome) {
    case 'captured':
      return { outcome: 'succeeded' };
    case 'accepted':
      return { outcome: 'pending' };
    case 'declined':
      return { outcome: 'declined', message, isHard };
  }
}

function now(): string {
  return testClock.now().toISOString();
}
