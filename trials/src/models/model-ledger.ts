import { addDays } from '@gatehouse/contract/dates';
import { halfUp } from './model-bill.ts';

/** A charge in the model, in cents: its total with taxes, and the amounts that credits settle. */
export type ModelCharge = {
  id: string;
  category: string;
  dueOn: string;
  /** The last day of the period that it is for; rent only. */
  periodEnd: string | null;
  total: number;
  tax1: number;
  tax2: number;
  /** Whether it is what went back of a payment that had less left. */
  isAgain: boolean;
  parts: { creditId: string; cents: number }[];
  /** What of it the operator's acts have opened again in all, and the last day given for that. */
  again?: { cents: number; on: string };
};

/**
 * Anything in the tenant's favour, in cents. `method` and `receipt` are of a payment only,
 * `waives` of a waiver only.
 */
export type ModelCredit = {
  id: string;
  kind: 'payment' | 'credit' | 'waiver';
  /** Its place among the entries of all ledgers. */
  position: number;
  given: number;
  takenBack: number;
  /** Everything that took some of it back, or was charged since it had less left. */
  backs: Back[];
  /**
   * The capture that it is a part of: payments over several ledgers, and what won disputes gave
   * back of them.
   */
  capture: string | null;
  /** Whether it is a payment, or a credit made of one by a move or a won dispute. */
  isMoney: boolean;
  method: string | null;
  receipt: string | null;
  waives: string | null;
  /** Of a waiver: bad debt, whose tax stays due. */
  isWriteOff?: boolean;
  tax1: number;
  tax2: number;
};

/** Why money goes back: `undone` where a bank takes a payment, or it never was one. */
export type Why = 'refund' | 'moved' | 'undone' | 'mistake';
export type Back = { cents: number; why: Why; position: number; isAgain: boolean };

const ranks: Record<string, string[]> = {
  oldest_first: ['rent', 'service', 'insurance', 'fee', 'deposit'],
  rent_first: ['rent', 'service', 'insurance', 'fee', 'deposit'],
  fees_first: ['fee', 'rent', 'service', 'insurance', 'deposit'],
};

/**
 * A reference implementation of a ledger: lists, from which everything is recomputed. It shares no
 * code with the server.
 */
export class ModelLedger {
  readonly charges: ModelCharge[] = [];
  readonly credits: ModelCredit[] = [];
  billedThrough: string;
  readonly #order: string;

  constructor(billedThrough: string, order: string) {
    this.billedThrough = billedThrough;
    this.#order = order;
  }

  /** A copy of the ledger. */
  copy(): ModelLedger {
    const copy = new ModelLedger(this.billedThrough, this.#order);
    copy.charges.push(...structuredClone(this.charges));
    copy.credits.push(...structuredClone(this.credits));
    copy.#entered.push(...this.#entered);
    return copy;
  }

  charge(
    charge: Pick<ModelCharge, 'id' | 'category' | 'dueOn' | 'total'> & Partial<ModelCharge>,
  ): void {
    this.charges.push({ periodEnd: null, tax1: 0, tax2: 0, isAgain: false, ...charge, parts: [] });
  }

  /**
   * A payment or another credit: settles what is owed at once, in the facility's order, but some
   * charges before all others.
   */
  credit({
    first = [],
    ...credit
  }: Pick<ModelCredit, 'id' | 'kind' | 'given'> &
    Partial<ModelCredit> & { first?: string[] }): void {
    this.#add(credit);
    for (const { charge, cents } of this.#inOrder().filter((one) => first.includes(one.charge.id)))
      this.#settleWith(charge, credit.id, Math.min(this.unused(this.creditOf(credit.id)), cents));
    this.settle();
  }

  /**
   * The charges that came last into a payment are open first; what credits do with them is for
   * `settle`. What an act of the operator's opens has a day of its own, `owedOn`.
   */
  takeBack(creditId: string, cents: number, owedOn?: string): void {
    const credit = this.creditOf(creditId);
    let left = cents - Math.min(cents, this.unused(credit));
    credit.takenBack += cents;
    for (const { chargeId } of this.#entered
      .filter((pair) => pair.creditId === creditId)
      .toReversed()) {
      const back = this.#release(creditId, chargeId, left);
      left -= back;
      const charge = this.chargeOf(chargeId);
      if (owedOn !== undefined && back > 0)
        charge.again = { cents: (charge.again?.cents ?? 0) + back, on: owedOn };
    }
  }

  /**
   * A waiver settles only its own charge. What is owed of it is waived first; for the rest, what
   * settled it last is released, and settles the next charge or stays as a credit.
   */
  waive(id: string, chargeId: string, cents: number, isWriteOff = false): void {
    const charge = this.chargeOf(chargeId);
    const { tax1, tax2 } = this.taxOfWaiver(charge, cents);
    let missing = cents - Math.min(cents, owed(charge));
    for (const { creditId } of this.#entered
      .filter((pair) => pair.chargeId === chargeId)
      .toReversed())
      if (this.creditOf(creditId).kind !== 'waiver')
        missing -= this.#release(creditId, chargeId, missing);
    this.#add({ id, kind: 'waiver', given: cents, waives: chargeId, isWriteOff, tax1, tax2 });
    this.#settleWith(charge, id, cents);
    this.settle();
  }

  /** What of a charge may still be waived. */
  waivable(charge: ModelCharge): number {
    return this.#waiversOf(charge).reduce((left, waiver) => left - waiver.given, charge.total);
  }

  /**
   * The tax in a waiver: in proportion to the charge, so that waivers of all of it come to its
   * taxes.
   */
  taxOfWaiver(charge: ModelCharge, cents: number): { tax1: number; tax2: number } {
    const before = this.#waiversOf(charge);
    const waived = charge.total - this.waivable(charge) + cents;
    const share = (tax: 'tax1' | 'tax2') => {
      const given = before.reduce((sum, waiver) => sum + waiver[tax], 0);
      const inProportion = halfUp(charge[tax] * waived, charge.total) - given;
      return Math.min(Math.max(inProportion, 0), cents);
    };
    return { tax1: share('tax1'), tax2: share('tax2') };
  }

  /** In which order credits went into charges, the first time for each pair. */
  readonly #entered: { creditId: string; chargeId: string }[] = [];

  settle(): void {
    for (const credit of this.credits)
      for (const { charge, cents } of this.#inOrder())
        this.#settleWith(charge, credit.id, Math.min(this.unused(credit), cents));
  }

  unused({ id, given, takenBack }: ModelCredit): number {
    const parts = this.charges.flatMap((charge) =>
      charge.parts.filter((part) => part.creditId === id),
    );
    return given - takenBack - parts.reduce((sum, part) => sum + part.cents, 0);
  }

  /** What of a payment or credit has not been taken back. */
  left(creditId: string): number {
    const { given, takenBack } = this.creditOf(creditId);
    return given - takenBack;
  }

  chargeOf(id: string): ModelCharge {
    return this.charges.find((charge) => charge.id === id)!;
  }

  creditOf(id: string): ModelCredit {
    return this.credits.find((credit) => credit.id === id)!;
  }

  get balance(): number {
    const charged = this.charges.reduce((sum, charge) => sum + charge.total, 0);
    return this.credits.reduce((sum, credit) => sum - credit.given + credit.takenBack, charged);
  }

  get paidThrough(): string {
    const open = this.charges
      .filter((charge) => charge.category === 'rent' && owed(charge) > 0)
      .map(({ dueOn }) => dueOn);
    return open.length === 0 ? this.billedThrough : addDays(open.toSorted()[0]!, -1);
  }

  /** What is owed on each open charge. */
  get open(): Record<string, number> {
    return Object.fromEntries(
      this.charges.flatMap((one) => (owed(one) > 0 ? [[one.id, owed(one)]] : [])),
    );
  }

  /** What is left of each open credit. */
  get openCredits(): Record<string, number> {
    const left = this.credits.map((credit) => [credit.id, this.unused(credit)] as const);
    return Object.fromEntries(left.filter(([, cents]) => cents !== 0));
  }

  #add(credit: Pick<ModelCredit, 'id' | 'kind' | 'given'> & Partial<ModelCredit>): void {
    const none = { position: 0, capture: null, method: null, receipt: null, waives: null };
    this.credits.push({
      takenBack: 0,
      backs: [],
      isMoney: false,
      ...none,
      tax1: 0,
      tax2: 0,
      ...credit,
    });
  }

  #settleWith(charge: ModelCharge, creditId: string, cents: number): void {
    if (cents === 0) return;
    charge.parts.push({ creditId, cents });
    const isKnown = this.#entered.some(
      (one) => one.creditId === creditId && one.chargeId === charge.id,
    );
    if (!isKnown) this.#entered.push({ creditId, chargeId: charge.id });
  }

  /** Takes up to this many cents of a credit out of a charge. Answers how many. */
  #release(creditId: string, chargeId: string, most: number): number {
    let released = 0;
    for (const part of this.chargeOf(chargeId).parts.filter((one) => one.creditId === creditId)) {
      const back = Math.min(most - released, part.cents);
      part.cents -= back;
      released += back;
    }
    return released;
  }

  #waiversOf({ id }: ModelCharge): ModelCredit[] {
    return this.credits.filter((credit) => credit.waives === id && credit.takenBack === 0);
  }

  /** What is open, by the day on which it is due: what was opened again counts with its new day. */
  #inOrder(): OpenPart[] {
    const rank = ({ charge }: OpenPart) => ranks[this.#order]!.indexOf(charge.category);
    const due = (a: OpenPart, b: OpenPart) => a.dueOn.localeCompare(b.dueOn);
    const open = this.charges.flatMap((charge): OpenPart[] => {
      const { again = { cents: 0, on: '' }, dueOn } = charge;
      const later = again.on > dueOn ? Math.min(again.cents, owed(charge)) : 0;
      return [
        { charge, dueOn, cents: owed(charge) - later },
        { charge, dueOn: again.on, cents: later },
      ].filter(({ cents }) => cents > 0);
    });
    return open.sort((a, b) =>
      this.#order === 'oldest_first'
        ? due(a, b) || rank(a) - rank(b)
        : rank(a) - rank(b) || due(a, b),
    );
  }
}

type OpenPart = { charge: ModelCharge; dueOn: string; cents: number };

function owed({ total, parts }: ModelCharge): number {
  return parts.reduce((sum, part) => sum - part.cents, total);
}
