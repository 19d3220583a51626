import { expect, test } from 'vitest';
import type { Books, PostedCharge } from '#features/base/ledgers/books.ts';
import { postEntries, type ImportedEntry } from './history.ts';

const empty: Books = {
  ledgerId: 'ledger',
  version: 0,
  balanceCents: 0,
  billedThrough: '',
  paymentOrder: 'oldest_first',
  charges: [],
  credits: [],
};
const charge = (id: string, on: string, cents: number): ImportedEntry & { kind: 'charge' } => ({
  kind: 'charge',
  id,
  on,
  line: 2,
  order: null,
  category: 'fee',
  description: id,
  dueOn: on,
  periodEnd: null,
  priceCents: cents,
  discountCents: 0,
  tax1Cents: 0,
  tax2Cents: 0,
  lateFor: null,
});
const rent = (id: string, dueOn: string, periodEnd: string): ImportedEntry => ({
  ...charge(id, dueOn, 20_000),
  category: 'rent',
  periodEnd,
});
const october = rent('october', '2026-10-14', '2026-11-13');
const november = rent('november', '2026-11-14', '2026-12-13');
const paid = (id: string, on: string, cents: number): ImportedEntry => ({
  kind: 'payment',
  id,
  on,
  line: 2,
  order: null,
  cents,
  intentId: id,
  description: 'Cash',
  receiptNumber: id,
});
const back = (id: string, paymentId: string, on: string, cents: number): ImportedEntry => ({
  kind: 'reversal',
  id,
  paymentId,
  on,
  line: 2,
  order: null,
  cents,
  reason: 'nsf',
  description: 'Bounced',
});
const waiver = (id: string, chargeId: string, on: string, cents: number): ImportedEntry => ({
  kind: 'waiver',
  id,
  chargeId,
  on,
  line: 9,
  order: null,
  cents,
  description: 'Waived',
});

function posted(books: Books, entries: ImportedEntry[], charges: PostedCharge[] = []) {
  const result = postEntries(books, entries, { isOpening: books === empty, posted: charges });
  if ('fault' in result) throw new Error(result.fault.says);
  return result.posting;
}

test('what is left of a payment settles the next charge, whatever the order of the file', () => {
  const posting = posted(empty, [paid('paid', '2026-10-14', 25_000), november, october]);
  expect(posting).toMatchObject({
    balanceCents: 15_000,
    paidThrough: '2026-11-13',
    billedThrough: '2026-12-13',
  });
  expect(posting.allocations).toMatchObject([
    { creditId: 'paid', chargeId: 'october', cents: 20_000, reversalId: null },
    { creditId: 'paid', chargeId: 'november', cents: 5000, reversalId: null },
  ]);
});

test('what was taken back is open again, also of a charge that was there before', () => {
  const entries = [
    paid('first', '2026-10-14', 20_000),
    november,
    paid('second', '2026-11-14', 20_000),
  ];
  const all = [...entries, back('back', 'first', '2026-11-20', 20_000)];
  const after = { balanceCents: 20_000, paidThrough: '2026-10-13' };
  expect(posted(empty, [october, ...all])).toMatchObject(after);
  const open = {
    id: 'october',
    category: 'rent' as const,
    dueOn: '2026-10-14',
    position: 7,
    owedCents: 20_000,
  };
  const books = {
    ...empty,
    version: 9,
    balanceCents: 20_000,
    billedThrough: '2026-11-13',
    charges: [open],
  };
  expect(posted(books, all)).toMatchObject(after);
});

test('charges of one day are settled in the order of the file', () => {
  const fees = [
    charge('a', '2026-11-01', 1000),
    charge('b', '2026-11-01', 1000),
    charge('later', '2026-11-02', 1000),
  ];
  const { allocations } = posted(empty, [...fees, paid('paid', '2026-11-03', 1500)]);
  expect(allocations.map(({ chargeId }) => chargeId)).toEqual(['a', 'b']);
});

test('entries that have an order are posted in it, whatever their days', () => {
  const order = [
    october,
    paid('paid', '2026-11-20', 15_000),
    charge('earlier', '2026-10-01', 5000),
  ];
  const { allocations } = posted(
    empty,
    order.map((entry, index) => ({ ...entry, order: index })),
  );
  expect(allocations.map(({ chargeId }) => chargeId)).toEqual(['october']);
});

test('new entries are posted onto the books of a ledger that was there before, each as a posting', () => {
  const open = {
    id: 'old',
    category: 'rent' as const,
    dueOn: '2026-10-14',
    position: 7,
    owedCents: 20_000,
  };
  const books: Books = {
    ...empty,
    version: 9,
    balanceCents: 20_000,
    billedThrough: '2026-11-13',
    charges: [open],
  };
  const posting = posted(books, [november, paid('paid', '2026-11-15', 20_000)]);
  expect(posting).toMatchObject({
    balanceCents: 20_000,
    paidThrough: '2026-11-13',
    billedThrough: '2026-12-13',
  });
  expect(posting).toMatchObject({ version: 9, versionAfter: 11 });
  expect(posting.allocations).toMatchObject([
    { creditId: 'paid', chargeId: 'old', cents: 20_000, reversalId: null },
  ]);
});

test('a waiver of what was paid makes the payment an open credit, and its tax comes to the charge’s', () => {
  const taxed = { ...charge('taxed', '2026-11-01', 1000), tax1Cents: 83 };
  const halves = [
    waiver('half', 'taxed', '2026-11-03', 541),
    waiver('rest', 'taxed', '2026-11-04', 542),
  ];
  const { changes, allocations, balanceCents } = posted(empty, [
    taxed,
    paid('paid', '2026-11-02', 1083),
    ...halves,
  ]);
  expect(balanceCents).toBe(-1083);
  const taxes = changes.flatMap((change) => (change.kind === 'waiver' ? [change.tax1Cents] : []));
  expect(taxes).toEqual([41, 42]);
  const used = allocations.filter(({ creditId }) => creditId === 'paid').map(({ cents }) => cents);
  expect(used).toEqual([1083, -541, -542]);
});

test('a waiver that was taken back can be given again, of a charge that was there before', () => {
  const waived = { cents: 0, tax1Cents: 0, tax2Cents: 0 };
  const terms = {
    id: 'old',
    category: 'fee' as const,
    dueOn: '2026-10-14',
    position: 7,
    tax1Cents: 0,
    tax2Cents: 0,
  };
  const old: PostedCharge = { ...terms, totalCents: 1000, waived, settledBy: [] };
  old.settledBy.push({ creditId: 'earlier', position: 8, cents: 1000 });
  const books: Books = { ...empty, version: 4, billedThrough: '2026-11-13' };
  const first = [
    waiver('first', 'old', '2026-11-01', 1000),
    back('back', 'first', '2026-11-02', 1000),
  ];
  expect(
    posted(books, [...first, waiver('second', 'old', '2026-11-03', 1000)], [old]),
  ).toMatchObject({
    balanceCents: -1000,
  });
  const twice = [
    waiver('first', 'old', '2026-11-01', 1000),
    waiver('second', 'old', '2026-11-03', 1),
  ];
  expect(postEntries(books, twice, { isOpening: false, posted: [old] })).toEqual({
    fault: {
      line: 9,
      column: 'amount',
      says: 'is more than what is left of the charge that it waives',
    },
  });
});

/**
 * What a payment settles after another one, of all that is owed, was taken back as a typing error.
 */
function settledAfterTypo(books: Books, before: ImportedEntry[]) {
  const { allocations } = posted(books, [
    ...before,
    charge('later', '2026-11-10', 1000),
    paid('wrong', '2026-11-10', 1500),
    { ...back('back', 'wrong', '2026-11-10', 1500), reason: 'correction' } as ImportedEntry,
    paid('right', '2026-11-11', 1000),
  ]);
  return allocations.filter(({ creditId }) => creditId === 'right');
}

test('what an act of ours opened keeps its day when a payment of the files has settled it and is taken back', () => {
  const opened = {
    id: 'opened',
    category: 'fee' as const,
    dueOn: '2026-11-01',
    position: 1,
    owedCents: 500,
    reopened: { cents: 500, on: '2026-11-20' },
  };
  const books = { ...empty, version: 1, balanceCents: 500, nextPosition: 2, charges: [opened] };
  expect(settledAfterTypo(books, [])).toMatchObject([{ chargeId: 'later', cents: 1000 }]);
});

test('what a mistake of the files opened keeps its day likewise', () => {
  const mistake = { ...back('mistake', 'first', '2026-11-02', 500), reason: 'mistake' };
  const before = [
    charge('opened', '2026-11-01', 500),
    paid('first', '2026-11-01', 500),
    mistake as ImportedEntry,
  ];
  expect(settledAfterTypo({ ...empty, version: 1 }, before)).toMatchObject([
    { chargeId: 'later', cents: 1000 },
  ]);
});
