import type { ChargeCategory } from '#db/tables.ts';
import { post, type Books, type Change, type PostedAllocation } from '#features/ledgers/books.ts';
import { paidThrough } from '#features/ledgers/rules.ts';

/** An entry of a file in the order in which it was posted; sums in cents, `on` its day. */
export type ImportedEntry = { id: string; on: string; cents: number } & (
  | { kind: 'charge'; category: ChargeCategory; dueOn: string; periodEnd: string | null }
  | { kind: 'payment' | 'credit' }
  | { kind: 'reversal'; paymentId: string }
);

/** What the entries leave: their allocations in order, and how the ledger stands. */
export type Replayed = {
  allocations: PostedAllocation[];
  balanceCents: number;
  paidThrough: string;
  billedThrough: string;
};

/**
 * Posts entries to a ledger's books as the server would have, a day after the other and on each day charges first, then
 * payments and credits, then what was taken back (I1). A reversal opens again what its payment had settled.
 */
export function replay(books: Books, entries: ImportedEntry[]): Replayed {
  const allocations: PostedAllocation[] = [];
  const charges = new Map<string, ImportedEntry & { kind: 'charge' }>();
  let now = inOrder(books);
  for (const step of stepsOf(entries)) {
    const changes = step.map((entry) => changeOf(entry, { entries, charges, allocations }));
    const { posting, after } = post(now, changes, laterPeriod(now.billedThrough, step));
    allocations.push(...posting.allocations);
    for (const entry of step) if (entry.kind === 'charge') charges.set(entry.id, entry);
    now = inOrder(after);
  }
  const openRent = now.charges.filter(({ category }) => category === 'rent');
  const { balanceCents, billedThrough } = now;
  return { allocations, balanceCents, billedThrough, paidThrough: paidThrough(openRent, billedThrough) };
}

/** Each posting gives the same places anew: they count on here. */
function inOrder(books: Books): Books {
  const placed = <One extends { position: number }>(all: One[]) =>
    all.map((one, position) => ({ ...one, position: position + 1 }));
  return { ...books, charges: placed(books.charges), credits: placed(books.credits) };
}

const ranks = { charge: 0, payment: 1, credit: 1, reversal: 2 };

/** What is posted together: those of a day and rank; a reversal by itself. */
function stepsOf(entries: ImportedEntry[]): ImportedEntry[][] {
  const ordered = entries.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : ranks[a.kind] - ranks[b.kind]));
  const steps: ImportedEntry[][] = [];
  for (const entry of ordered) {
    const last = steps.at(-1);
    const before = last?.[0];
    const isTogether =
      before !== undefined &&
      before.on === entry.on &&
      ranks[before.kind] === ranks[entry.kind] &&
      entry.kind !== 'reversal';
    if (isTogether) last!.push(entry);
    else steps.push([entry]);
  }
  return steps;
}

function laterPeriod(billedThrough: string, step: ImportedEntry[]): string {
  return step.reduce(
    (last, entry) => (entry.kind === 'charge' && (entry.periodEnd ?? '') > last ? entry.periodEnd! : last),
    billedThrough,
  );
}

type Posted = {
  entries: ImportedEntry[];
  charges: Map<string, ImportedEntry & { kind: 'charge' }>;
  allocations: PostedAllocation[];
};

/** Only sums, days and categories decide what is settled: the rest of a charge is left out. */
function changeOf(entry: ImportedEntry, posted: Posted): Change {
  const { id, cents } = entry;
  switch (entry.kind) {
    case 'charge': {
      const { category, dueOn, periodEnd } = entry;
      const none = { discountCents: 0, tax1Cents: 0, tax2Cents: 0, lateFor: null, description: '' };
      return { kind: 'charge', id, category, dueOn, periodEnd, priceCents: cents, ...none };
    }
    case 'payment':
    case 'credit':
      return { kind: 'credit', id, cents, description: '' };
    case 'reversal':
      return reversalOf(entry, posted);
  }
}

function reversalOf(entry: ImportedEntry & { kind: 'reversal' }, { entries, charges, allocations }: Posted): Change {
  const payment = entries.find(({ id }) => id === entry.paymentId)!;
  const settled = allocations
    .filter(({ creditId }) => creditId === payment.id)
    .map(({ chargeId, cents }) => {
      const { category, dueOn } = charges.get(chargeId)!;
      return { id: chargeId, category, dueOn, position: 0, cents };
    });
  return {
    kind: 'reversal',
    id: entry.id,
    payment: { id: payment.id, leftCents: payment.cents, settled },
    cents: entry.cents,
    reason: 'correction',
    description: '',
  };
}
