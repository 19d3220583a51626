import { expect, test } from 'vitest';
import type { Books } from '#features/ledgers/books.ts';
import { replay, type ImportedEntry } from './replay.ts';

const empty: Books = {
  ledgerId: 'ledger',
  version: 0,
  balanceCents: 0,
  billedThrough: '',
  paymentOrder: 'oldest_first',
  charges: [],
  credits: [],
};
const rent = (id: string, dueOn: string, periodEnd: string): ImportedEntry => ({
  id,
  kind: 'charge',
  category: 'rent',
  on: dueOn,
  dueOn,
  periodEnd,
  cents: 20_000,
});
const october = rent('october', '2026-10-14', '2026-11-13');
const november = rent('november', '2026-11-14', '2026-12-13');
const paid = (id: string, on: string, cents: number): ImportedEntry => ({ id, kind: 'payment', on, cents });

test('what is left of a payment settles the next charge, whatever the order of the file', () => {
  const replayed = replay(empty, [paid('paid', '2026-10-14', 25_000), november, october]);
  expect(replayed).toMatchObject({ balanceCents: 15_000, paidThrough: '2026-11-13', billedThrough: '2026-12-13' });
  expect(replayed.allocations).toEqual([
    { creditId: 'paid', chargeId: 'october', cents: 20_000, reversalId: null },
    { creditId: 'paid', chargeId: 'november', cents: 5000, reversalId: null },
  ]);
});

test('what was taken back is open again', () => {
  const back: ImportedEntry = { id: 'back', kind: 'reversal', paymentId: 'first', on: '2026-11-20', cents: 20_000 };
  const entries = [october, paid('first', '2026-10-14', 20_000), november, paid('second', '2026-11-14', 20_000), back];
  expect(replay(empty, entries)).toMatchObject({ balanceCents: 20_000, paidThrough: '2026-10-13' });
});

test('charges of one day and kind are settled in the order of the file', () => {
  const fee = (id: string): ImportedEntry => ({
    ...{ id, kind: 'charge', category: 'fee', on: '2026-11-01', dueOn: '2026-11-01', periodEnd: null, cents: 1000 },
  });
  const later = { ...fee('later'), on: '2026-11-02' };
  const replayed = replay(empty, [fee('a'), fee('b'), later, paid('paid', '2026-11-03', 1500)]);
  expect(replayed.allocations.map(({ chargeId }) => chargeId)).toEqual(['a', 'b']);
});

test('new entries are posted onto the books of a ledger that was there before', () => {
  const open = { id: 'old', category: 'rent' as const, dueOn: '2026-10-14', position: 7, owedCents: 20_000 };
  const books: Books = { ...empty, version: 9, balanceCents: 20_000, billedThrough: '2026-11-13', charges: [open] };
  const replayed = replay(books, [november, paid('paid', '2026-11-15', 20_000)]);
  expect(replayed).toMatchObject({ balanceCents: 20_000, paidThrough: '2026-11-13', billedThrough: '2026-12-13' });
  expect(replayed.allocations).toEqual([{ creditId: 'paid', chargeId: 'old', cents: 20_000, reversalId: null }]);
});
