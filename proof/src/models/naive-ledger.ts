import { addDays } from '@gatehouse/contract/dates';

/** A charge as the model keeps it: what it came to, and what of which payment has gone into it, in that order. */
type NaiveCharge = {
  id: string;
  category: string;
  dueOn: string;
  total: number;
  parts: { creditId: string; cents: number }[];
};

type NaiveCredit = { id: string; given: number; takenBack: number; intentId: string | null };

const ranks: Record<string, string[]> = {
  oldest_first: ['rent', 'service', 'insurance', 'fee'],
  rent_first: ['rent', 'service', 'insurance', 'fee'],
  fees_first: ['fee', 'rent', 'service', 'insurance'],
};

/**
 * A ledger kept in the plainest way: lists, and everything reckoned anew from them. It shares no code with the server, so
 * that the two must come to the same by themselves.
 */
export class NaiveLedger {
  readonly charges: NaiveCharge[] = [];
  readonly credits: NaiveCredit[] = [];
  billedThrough: string;
  readonly #order: string;

  constructor(billedThrough: string, order: string) {
    this.billedThrough = billedThrough;
    this.#order = order;
  }

  charge(charge: Omit<NaiveCharge, 'parts'>): void {
    this.charges.push({ ...charge, parts: [] });
  }

  /** A payment, by its intent, or a credit that is none. */
  credit(id: string, cents: number, intentId: string | null = null): void {
    this.credits.push({ id, given: cents, takenBack: 0, intentId });
    this.settle();
  }

  /** The charges that came last into a payment are open first; what credits do with them is for `settle`. */
  takeBack(creditId: string, cents: number): void {
    const credit = this.credits.find(({ id }) => id === creditId)!;
    let left = cents - Math.min(cents, this.unused(credit));
    credit.takenBack += cents;
    const order = this.#entered.filter((part) => part.creditId === creditId).toReversed();
    for (const { chargeId } of order) {
      const charge = this.charges.find(({ id }) => id === chargeId)!;
      for (const part of charge.parts.filter((one) => one.creditId === creditId)) {
        const back = Math.min(left, part.cents);
        part.cents -= back;
        left -= back;
      }
    }
  }

  /** In which order payments went into charges, the first time for each pair. */
  readonly #entered: { creditId: string; chargeId: string }[] = [];

  settle(): void {
    for (const credit of this.credits) {
      for (const charge of this.#inOrder()) {
        const cents = Math.min(this.unused(credit), owed(charge));
        if (cents === 0) continue;
        charge.parts.push({ creditId: credit.id, cents });
        const isKnown = this.#entered.some((one) => one.creditId === credit.id && one.chargeId === charge.id);
        if (!isKnown) this.#entered.push({ creditId: credit.id, chargeId: charge.id });
      }
    }
  }

  unused({ id, given, takenBack }: NaiveCredit): number {
    const parts = this.charges.flatMap((charge) => charge.parts.filter((part) => part.creditId === id));
    return given - takenBack - parts.reduce((sum, part) => sum + part.cents, 0);
  }

  /** What of a payment has not been taken back. */
  left(creditId: string): number {
    const credit = this.credits.find(({ id }) => id === creditId);
    return credit === undefined ? 0 : credit.given - credit.takenBack;
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
    return Object.fromEntries(this.charges.flatMap((one) => (owed(one) > 0 ? [[one.id, owed(one)]] : [])));
  }

  #inOrder(): NaiveCharge[] {
    const rank = ({ category }: NaiveCharge) => ranks[this.#order]!.indexOf(category);
    const due = (a: NaiveCharge, b: NaiveCharge) => a.dueOn.localeCompare(b.dueOn);
    const open = this.charges.filter((charge) => owed(charge) > 0);
    return open.sort((a, b) =>
      this.#order === 'oldest_first' ? due(a, b) || rank(a) - rank(b) : rank(a) - rank(b) || due(a, b),
    );
  }
}

function owed({ total, parts }: NaiveCharge): number {
  return parts.reduce((sum, part) => sum - part.cents, total);
}
