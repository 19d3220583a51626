import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenCharge } from './allocation.ts';
import {
  entryCents,
  post,
  type Books,
  type Change,
  type NewCharge,
  type PostedPayment,
  type Posting,
} from './books.ts';

const empty: Books = {
  ledgerId: 'ledger',
  version: 7,
  balanceCents: 0,
  billedThrough: '2026-11-13',
  paymentOrder: 'oldest_first',
  charges: [],
  credits: [],
};
const charge = (id: string, priceCents: number, part: Partial<NewCharge> = {}): NewCharge => ({
  kind: 'charge',
  id,
  category: 'rent',
  description: 'Rent',
  dueOn: '2026-11-14',
  periodEnd: '2026-12-13',
  priceCents,
  discountCents: 0,
  tax1Cents: 0,
  tax2Cents: 0,
  lateFor: null,
  ...part,
});
const fee = (id: string, priceCents: number, dueOn = '2026-11-19') =>
  charge(id, priceCents, { category: 'fee', description: 'Late fee', dueOn, periodEnd: null });
const payment = (id: string, cents: number): Change => ({
  kind: 'payment',
  id,
  cents,
  intentId: 'intent',
  description: 'Visa ending in 4242',
  receiptNumber: '1000001',
});
const reversal = (id: string, of: PostedPayment, cents: number): Change => ({
  kind: 'reversal',
  id,
  payment: of,
  cents,
  reason: 'return',
  description: 'Returned',
});

describe('a posting', () => {
  test('of a charge adds price less discount and both taxes to the balance', () => {
    const rent = charge('rent', 20_000, { discountCents: 1000, tax1Cents: 1188, tax2Cents: 380 });
    const { posting, after } = post(empty, [rent], '2026-12-13');
    expect(posting).toMatchObject({ version: 7, balanceCents: 20_568, paidThrough: '2026-11-13', allocations: [] });
    expect(after).toMatchObject({ version: 8, balanceCents: 20_568, billedThrough: '2026-12-13' });
    expect(after.charges).toMatchObject([{ id: 'rent', owedCents: 20_568 }]);
  });

  test('of a payment settles charges and moves paid-through on once the rent is covered', () => {
    const owing = post(empty, [charge('rent', 20_000), fee('fee', 1500)], '2026-12-13').after;
    const part = post(owing, [payment('first', 19_999)]);
    expect(part.posting).toMatchObject({ balanceCents: 1501, paidThrough: '2026-11-13' });
    const rest = post(part.after, [payment('second', 1)]);
    expect(rest.posting).toMatchObject({ balanceCents: 1500, paidThrough: '2026-12-13' });
    expect(rest.posting.allocations).toEqual([{ creditId: 'second', chargeId: 'rent', cents: 1, reversalId: null }]);
  });

  test('of more than is owed leaves a credit, which the next charge uses first', () => {
    const owing = post(empty, [charge('rent', 20_000)], '2026-12-13').after;
    const paid = post(owing, [payment('paid', 25_000)]).after;
    expect(paid).toMatchObject({ balanceCents: -5000, credits: [{ id: 'paid', leftCents: 5000 }], charges: [] });
    const next = post(paid, [fee('fee', 7000)]);
    expect(next.posting.allocations).toEqual([{ creditId: 'paid', chargeId: 'fee', cents: 5000, reversalId: null }]);
    expect(next.after).toMatchObject({ balanceCents: 2000, credits: [], charges: [{ id: 'fee', owedCents: 2000 }] });
  });

  test('of a reversal opens what the payment had settled and moves paid-through back', () => {
    const owing = post(empty, [charge('rent', 20_000), fee('fee', 1500)], '2026-12-13').after;
    const paid = post(owing, [payment('paid', 21_500)]);
    const back = post(paid.after, [reversal('back', postedOf('paid', paid.posting, owing.charges), 21_500)]);
    expect(back.posting).toMatchObject({ balanceCents: 21_500, paidThrough: '2026-11-13' });
    expect(byId(back.after.charges)).toEqual(byId(owing.charges));
  });

  test('of a part reversal opens last what was settled last', () => {
    const owing = post(empty, [charge('rent', 20_000), fee('fee', 1500)], '2026-12-13').after;
    const paid = post(owing, [payment('paid', 21_500)]);
    const back = post(paid.after, [reversal('back', postedOf('paid', paid.posting, owing.charges), 2000)]);
    expect(back.posting.allocations).toEqual([
      { creditId: 'paid', chargeId: 'fee', cents: -1500, reversalId: 'back' },
      { creditId: 'paid', chargeId: 'rent', cents: -500, reversalId: 'back' },
    ]);
  });

  test('of a reversal takes what the payment settles nothing with first', () => {
    const owing = post(empty, [fee('fee', 1500)]).after;
    const paid = post(owing, [payment('paid', 2000)]);
    const back = post(paid.after, [reversal('back', postedOf('paid', paid.posting, owing.charges), 500)]);
    expect(back.posting.allocations).toEqual([]);
    expect(back.after).toMatchObject({ balanceCents: 0, charges: [], credits: [] });
  });

  test('of a reversal of more than is left is refused', () => {
    const owing = post(empty, [fee('fee', 1500)]).after;
    const paid = post(owing, [payment('paid', 1500)]);
    const posted = postedOf('paid', paid.posting, owing.charges);
    for (const cents of [1501, 0, -1])
      expect(() => post(paid.after, [reversal('back', posted, cents)])).toThrow('not within the 1500');
  });

  test('settles a later charge of the same posting from the payment before it', () => {
    const { posting, after } = post(empty, [payment('paid', 1000), fee('fee', 1500)]);
    expect(posting.allocations).toEqual([{ creditId: 'paid', chargeId: 'fee', cents: 1000, reversalId: null }]);
    expect(after.balanceCents).toBe(500);
  });
});

describe('after any changes (I1)', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('charge' as const),
      cents: fc.integer({ min: 0, max: 60_000 }),
      category: fc.constantFrom('rent' as const, 'service' as const, 'insurance' as const, 'fee' as const),
      day: fc.integer({ min: 10, max: 28 }),
    }),
    fc.record({ do: fc.constant('payment' as const), cents: fc.integer({ min: 1, max: 90_000 }) }),
    fc.record({ do: fc.constant('credit' as const), cents: fc.integer({ min: 1, max: 90_000 }) }),
    fc.record({ do: fc.constant('reversal' as const), which: fc.nat(50), share: fc.integer({ min: 1, max: 100 }) }),
  );
  const orders = fc.constantFrom('oldest_first' as const, 'rent_first' as const, 'fees_first' as const);

  test('the balance is what is owed less what is to the credit, nothing is below 0, and never both are open', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), orders, (steps, paymentOrder) => {
        const world = new World({ ...empty, paymentOrder });
        for (const each of steps) {
          if (each.do === 'charge')
            world.post(
              charge(randomUUID(), each.cents, {
                category: each.category,
                dueOn: `2026-11-${each.day}`,
                periodEnd: each.category === 'rent' ? '2026-12-31' : null,
              }),
            );
          else if (each.do === 'payment') world.post(payment(randomUUID(), each.cents));
          else if (each.do === 'credit')
            world.post({ kind: 'credit', id: randomUUID(), cents: each.cents, description: 'Adjustment' });
          else {
            const posted = world.postedPayments()[each.which % Math.max(1, world.payments.length)];
            if (posted === undefined || posted.leftCents === 0) continue;
            world.post(reversal(randomUUID(), posted, Math.max(1, Math.floor((posted.leftCents * each.share) / 100))));
          }
          world.check();
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a payment that is wholly taken back leaves every charge as if it had never been made', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ cents: fc.integer({ min: 1, max: 60_000 }), day: fc.integer({ min: 10, max: 28 }) }), {
          maxLength: 8,
        }),
        fc.integer({ min: 1, max: 200_000 }),
        fc.integer({ min: 0, max: 40_000 }),
        orders,
        (charges, cents, before, paymentOrder) => {
          const world = new World({ ...empty, paymentOrder });
          if (before > 0) world.post({ kind: 'credit', id: 'credit', cents: before, description: 'Adjustment' });
          for (const { cents: price, day } of charges) world.post(fee(randomUUID(), price, `2026-11-${day}`));
          const was = world.books;
          world.post(payment('paid', cents));
          const posted = world.postedPayments().find(({ id }) => id === 'paid');
          world.post(reversal('back', posted!, cents));
          expect(byId(world.books.charges)).toEqual(byId(was.charges));
          expect(world.books.credits.filter(({ leftCents }) => leftCents > 0)).toEqual(was.credits);
          expect(world.books.balanceCents).toBe(was.balanceCents);
        },
      ),
    );
  });
});

/** A ledger's books with all that was ever posted to it, to check them against. */
class World {
  books: Books;
  payments: string[] = [];
  readonly #rows: Posting['allocations'] = [];
  readonly #entries: Change[] = [];

  constructor(books: Books) {
    this.books = books;
  }

  post(change: Change): void {
    const { posting, after } = post(this.books, [change]);
    this.#rows.push(...posting.allocations);
    this.#entries.push(change);
    if (change.kind === 'payment' || change.kind === 'credit') this.payments.push(change.id);
    this.books = after;
  }

  postedPayments(): PostedPayment[] {
    const charges = this.#entries.filter((entry) => entry.kind === 'charge');
    return this.payments.map((id) => {
      const own = this.#entries.find((entry) => entry.id === id)!;
      const back = this.#entries.filter((entry) => entry.kind === 'reversal' && entry.payment.id === id);
      const settled = [
        ...Map.groupBy(
          this.#rows.filter((row) => row.creditId === id),
          (row) => row.chargeId,
        ),
      ];
      return {
        id,
        leftCents: -entryCents(own) - sumOf(back.map(entryCents)),
        settled: settled
          .map(([chargeId, rows]) => {
            const { category, dueOn } = charges.find((one) => one.id === chargeId)!;
            return { id: chargeId, category, dueOn, position: 1, cents: sumOf(rows.map(({ cents }) => cents)) };
          })
          .filter(({ cents }) => cents > 0),
      };
    });
  }

  check(): void {
    const { charges, credits, balanceCents } = this.books;
    expect(balanceCents).toBe(sumOf(this.#entries.map(entryCents)));
    expect(balanceCents).toBe(
      sumOf(charges.map(({ owedCents }) => owedCents)) - sumOf(credits.map(({ leftCents }) => leftCents)),
    );
    for (const { owedCents } of charges) expect(owedCents).toBeGreaterThan(0);
    for (const { leftCents } of credits) expect(leftCents).toBeGreaterThan(0);
    expect(charges.length === 0 || credits.length === 0).toBe(true);
    for (const entry of this.#entries.filter(({ kind }) => kind === 'charge')) {
      const settled = sumOf(this.#rows.filter((row) => row.chargeId === entry.id).map(({ cents }) => cents));
      const owed = charges.find(({ id }) => id === entry.id)?.owedCents ?? 0;
      expect(owed + settled).toBe(entryCents(entry));
    }
    for (const { leftCents, settled } of this.postedPayments())
      expect(sumOf(settled.map(({ cents }) => cents))).toBeLessThanOrEqual(leftCents);
  }
}

function postedOf(id: string, { allocations, changes }: Posting, charges: OpenCharge[]): PostedPayment {
  const settled = allocations.map(({ chargeId, cents }) => {
    const { owedCents: _, ...one } = charges.find((open) => open.id === chargeId)!;
    return { ...one, cents };
  });
  return { id, leftCents: -entryCents(changes.find((change) => change.id === id)!), settled };
}

function byId(charges: OpenCharge[]) {
  return new Map(charges.map(({ id, owedCents }) => [id, owedCents]));
}

function sumOf(cents: number[]): number {
  return cents.reduce((total, one) => total + one, 0);
}
