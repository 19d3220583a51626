import type { ReversalReason } from '#db/tables.ts';
import { owedOnAfter } from '#features/base/ledgers/owed-since.ts';
import {
  entryCents,
  joinPostings,
  nextPosition,
  post,
  type Books,
  type Change,
  type NewCharge,
  type NewCredit,
  type NewPayment,
  type NewWaiver,
  type PostedAllocation,
  type PostedCharge,
  type PostedPayment,
  type Posting,
} from '#features/base/ledgers/books.ts';
import { unwaivedCents, waivedTax } from '#features/base/ledgers/rules.ts';

/**
 * An entry of a file: `on` its day, `line` that of its file, `order` its place where the file has
 * it; sums in cents.
 */
export type ImportedEntry = { on: string; line: number; order: number | null } & (
  | NewCharge
  | NewPayment
  | NewCredit
  | { kind: 'waiver'; id: string; cents: number; chargeId: string; description: string }
  | {
      kind: 'reversal';
      id: string;
      cents: number;
      paymentId: string;
      reason: ReversalReason;
      description: string;
    }
);

/** An entry that cannot be posted, and why. */
export type EntryFault = { line: number; column: string; says: string };

/**
 * Posts entries of files to books in their order; without one a day after the other and on each day
 * charges first, then payments and credits, then what was taken back (I1). `posted` are the charges
 * of the ledger that waivers fall on and that are there already. Of an `isOpening` ledger the
 * charges of a day are posted together, as they were billed; else each entry by itself, as staff
 * post it. Answers all of it as one posting, or the first entry that does not fit.
 */
export function postEntries(
  books: Books,
  entries: ImportedEntry[],
  { isOpening, posted = [] }: { isOpening: boolean; posted?: PostedCharge[] },
): { posting: Posting } | { fault: EntryFault } {
  const world = new World(books, posted);
  for (const step of stepsOf(entries, isOpening)) {
    const fault = world.post(step);
    if (fault !== null) return { fault };
  }
  return { posting: world.posting };
}

const ranks = { charge: 0, payment: 1, credit: 1, waiver: 1, reversal: 2 };

function byDay(a: ImportedEntry, b: ImportedEntry): number {
  return a.on < b.on ? -1 : a.on > b.on ? 1 : ranks[a.kind] - ranks[b.kind];
}

function stepsOf(entries: ImportedEntry[], isOpening: boolean): ImportedEntry[][] {
  const isOrdered = entries.every(({ order }) => order !== null);
  const ordered = entries.toSorted(isOrdered ? (a, b) => a.order! - b.order! : byDay);
  const steps: ImportedEntry[][] = [];
  for (const entry of ordered) {
    const last = steps.at(-1);
    if (
      isOpening &&
      entry.kind === 'charge' &&
      last?.[0]?.kind === 'charge' &&
      last[0].on === entry.on
    )
      last.push(entry);
    else steps.push([entry]);
  }
  return steps;
}

/**
 * The books of a ledger while entries are posted to them, with what the charges and payments among
 * them settle.
 */
class World {
  #books: Books;
  readonly #postings: Posting[] = [];
  readonly #allocations: PostedAllocation[] = [];
  readonly #charges = new Map<string, PostedCharge>();
  readonly #credits = new Map<string, { cents: number; position: number }>();
  readonly #waivers = new Map<string, NewWaiver>();
  readonly #takenBack = new Map<string, number>();

  constructor(books: Books, posted: PostedCharge[]) {
    this.#books = books;
    for (const charge of books.charges)
      this.#charges.set(charge.id, asPosted(charge, charge.owedCents));
    for (const { id, position, leftCents } of books.credits)
      this.#credits.set(id, { cents: leftCents, position });
    for (const charge of posted) {
      this.#charges.set(charge.id, charge);
      for (const { creditId, position, cents } of charge.settledBy)
        this.#credits.set(creditId, { cents, position });
    }
  }

  get posting(): Posting {
    const [first, ...others] = this.#postings;
    return first === undefined ? post(this.#books, []).posting : joinPostings([first, ...others]);
  }

  post(step: ImportedEntry[]): EntryFault | null {
    const changes: Change[] = [];
    for (const entry of step) {
      const change = this.#changeOf(entry);
      if ('says' in change) return change;
      changes.push(change);
    }
    const first = nextPosition(this.#books);
    const { posting, after } = post(this.#books, changes, billedThrough(this.#books, changes));
    for (const [index, change] of changes.entries()) this.#keep(change, first + index);
    this.#reopen(changes, posting.allocations);
    this.#postings.push(posting);
    this.#allocations.push(...posting.allocations);
    this.#books = after;
    return null;
  }

  #changeOf(entry: ImportedEntry): Change | EntryFault {
    switch (entry.kind) {
      case 'waiver': {
        const charge = this.#chargeNow(entry.chargeId);
        const leftCents = unwaivedCents(charge);
        if (entry.cents > leftCents)
          return {
            line: entry.line,
            column: 'amount',
            says: 'is more than what is left of the charge that it waives',
          };
        return { ...entry, charge, ...waivedTax(charge, entry.cents) };
      }
      case 'reversal':
        return {
          ...entry,
          payment: this.#paymentNow(entry.paymentId),
          owedOn: owedOnAfter(entry.reason, entry.on),
        };
      default:
        return entry;
    }
  }

  #keep(change: Change, position: number): void {
    switch (change.kind) {
      case 'charge': {
        const { tax1Cents, tax2Cents } = change;
        const terms = asPosted({ ...change, position }, entryCents(change));
        this.#charges.set(change.id, { ...terms, tax1Cents, tax2Cents });
        return;
      }
      case 'reversal': {
        const { id } = change.payment;
        this.#takenBack.set(id, (this.#takenBack.get(id) ?? 0) + change.cents);
        const waiver = this.#waivers.get(id);
        if (waiver !== undefined) this.#waive(waiver, -1);
        return;
      }
      case 'waiver':
        this.#waivers.set(change.id, change);
        this.#waive(change, 1);
        this.#credits.set(change.id, { cents: change.cents, position });
        return;
      default:
        this.#credits.set(change.id, { cents: change.cents, position });
    }
  }

  /** Counts with its charge what an act of the operator opens, also where it is settled again. */
  #reopen(changes: Change[], allocations: PostedAllocation[]): void {
    for (const { chargeId, cents, reversalId } of allocations) {
      const by = changes.find(({ id }) => id === reversalId);
      if (by?.kind !== 'reversal' || by.owedOn == null) continue;
      const charge = this.#charges.get(chargeId)!;
      const before = charge.reopened?.cents ?? 0;
      this.#charges.set(chargeId, {
        ...charge,
        reopened: { cents: before - cents, on: by.owedOn },
      });
    }
  }

  /** Counts a waiver in with its charge, or out again where it was taken back. */
  #waive({ charge: { id }, cents, tax1Cents, tax2Cents }: NewWaiver, sign: 1 | -1): void {
    const charge = this.#charges.get(id)!;
    const { waived } = charge;
    const sums = {
      cents: waived.cents + sign * cents,
      tax1Cents: waived.tax1Cents + sign * tax1Cents,
      tax2Cents: waived.tax2Cents + sign * tax2Cents,
    };
    this.#charges.set(id, { ...charge, waived: sums });
  }

  /** A charge with what settles it now. */
  #chargeNow(id: string): PostedCharge {
    const charge = this.#charges.get(id)!;
    const settled = new Map(charge.settledBy.map((one) => [one.creditId, one.cents]));
    for (const { creditId, cents } of this.#allocations.filter(({ chargeId }) => chargeId === id))
      if (!this.#waivers.has(creditId)) settled.set(creditId, (settled.get(creditId) ?? 0) + cents);
    const settledBy = [...settled].map(([creditId, cents]) => {
      return { creditId, cents, position: this.#credits.get(creditId)!.position };
    });
    return { ...charge, settledBy };
  }

  /** A payment or credit of the files with what it settles now. */
  #paymentNow(id: string): PostedPayment {
    const settled = new Map<string, number>();
    for (const { chargeId, cents } of this.#allocations.filter(({ creditId }) => creditId === id))
      settled.set(chargeId, (settled.get(chargeId) ?? 0) + cents);
    return {
      id,
      leftCents: this.#credits.get(id)!.cents - (this.#takenBack.get(id) ?? 0),
      settled: [...settled]
        .filter(([, cents]) => cents > 0)
        .map(([chargeId, cents]) => {
          const { category, dueOn, position, reopened } = this.#charges.get(chargeId)!;
          return { id: chargeId, category, dueOn, position, reopened, cents };
        }),
    };
  }
}

function asPosted(
  {
    id,
    category,
    dueOn,
    position,
    reopened,
  }: Pick<PostedCharge, 'id' | 'category' | 'dueOn' | 'position' | 'reopened'>,
  totalCents: number,
): PostedCharge {
  const waived = { cents: 0, tax1Cents: 0, tax2Cents: 0 };
  return {
    id,
    category,
    dueOn,
    position,
    reopened,
    totalCents,
    tax1Cents: 0,
    tax2Cents: 0,
    waived,
    settledBy: [],
  };
}

/** The last day that has been billed once the changes are posted. */
function billedThrough(books: Books, changes: Change[]): string {
  return changes.reduce(
    (last, change) =>
      change.kind === 'charge' && change.category === 'rent' && change.periodEnd! > last
        ? change.periodEnd!
        : last,
    books.billedThrough,
  );
}
