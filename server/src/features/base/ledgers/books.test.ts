import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenCharge } from './allocation.ts';
import { waivedTax } from './rules.ts';
import {
  entryCents,
  post,
  type Books,
  type Change,
  type NewCharge,
  type NewWaiver,
  type PostedCharge,
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

const waiver = (id: string, of: PostedCharge, cents: number): NewWaiver => ({
  kind: 'waiver',
  id,
  charge: of,
  cents,
  ...waivedTax(of, cents),
  description: 'Waived',
});

describe('a posting', () => {
  test('of a charge adds price less discount and both taxes to the balance', () => {
    const rent = charge('rent', 20_000, { discountCents: 1000, tax1Cents: 1188, tax2Cents: 380 });
    const { posting, after } = post(empty, [rent], '2026-12-13');
    expect(posting).toMatchObject({
      version: 7,
      balanceCents: 20_568,
      paidThrough: '2026-11-13',
      allocations: [],
    });
    expect(after).toMatchObject({ version: 8, balanceCents: 20_568, billedThrough: '2026-12-13' });
    expect(after.charges).toMatchObject([{ id: 'rent', owedCents: 20_568 }]);
  });

  test('of a payment settles charges and moves paid-through on once the rent is covered', () => {
    const owing = post(empty, [charge('rent', 20_000), fee('fee', 1500)], '2026-12-13').after;
    const part = post(owing, [payment('first', 19_999)]);
    expect(part.posting).toMatchObject({ balanceCents: 1501, paidThrough: '2026-11-13' });
    const rest = post(part.after, [payment('second', 1)]);
    expect(rest.posting).toMatchObject({ balanceCents: 1500, paidThrough: '2026-12-13' });
    expect(rest.posting.allocations).toMatchObject([
      { creditId: 'second', chargeId: 'rent', cents: 1, reversalId: null },
    ]);
  });

  test('of a payment for what there was at a time settles that first', () => {
    const fees = { ...empty, paymentOrder: 'fees_first' as const };
    const owing = post(fees, [charge('rent', 20_000)], '2026-12-13').after;
    const through = owing.charges[0]!.position;
    const late = post(owing, [fee('fee', 1500)]).after;
    const paid = (cents: number) =>
      post(late, [{ ...payment('paid', cents), throughPosition: through } as Change]).after;
    expect(paid(20_000).charges).toMatchObject([{ id: 'fee', owedCents: 1500 }]);
    expect(paid(21_000).charges).toMatchObject([{ id: 'fee', owedCents: 500 }]);
  });

  test('of more than is owed leaves a credit, which the next charge uses first', () => {
    const owing = post(empty, [charge('rent', 20_000)], '2026-12-13').after;
    const paid = post(owing, [payment('paid', 25_000)]).after;
    expect(paid).toMatchObject({
      balanceCents: -5000,
      credits: [{ id: 'paid', leftCents: 5000 }],
      charges: [],
    });
    const next = post(paid, [fee('fee', 7000)]);
    expect(next.posting.allocations).toMatchObject([
      { creditId: 'paid', chargeId: 'fee', cents: 5000, reversalId: null },
    ]);
    expect(next.after).toMatchObject({
      balanceCents: 2000,
      credits: [],
      charges: [{ id: 'fee', owedCents: 2000 }],
    });
  });

  test('of a reversal opens what the payment had settled and moves paid-through back', () => {
    const owing = post(empty, [charge('rent', 20_000), fee('fee', 1500)], '2026-12-13').after;
    const paid = post(owing, [payment('paid', 21_500)]);
    const back = post(paid.after, [
      reversal('back', postedOf('paid', paid.posting, owing.charges), 21_500),
    ]);
    expect(back.posting).toMatchObject({ balanceCents: 21_500, paidThrough: '2026-11-13' });
    expect(byId(back.after.charges)).toEqual(byId(owing.charges));
  });

  test('of a part reversal opens last what was settled last', () => {
    const owing = post(empty, [charge('rent', 20_000), fee('fee', 1500)], '2026-12-13').after;
    const paid = post(owing, [payment('paid', 21_500)]);
    const back = post(paid.after, [
      reversal('back', postedOf('paid', paid.posting, owing.charges), 2000),
    ]);
    expect(back.posting.allocations).toMatchObject([
      { creditId: 'paid', chargeId: 'fee', cents: -1500, reversalId: 'back' },
      { creditId: 'paid', chargeId: 'rent', cents: -500, reversalId: 'back' },
    ]);
  });

  test('of a reversal takes what the payment settles nothing with first', () => {
    const owing = post(empty, [fee('fee', 1500)]).after;
    const paid = post(owing, [payment('paid', 2000)]);
    const back = post(paid.after, [
      reversal('back', postedOf('paid', paid.posting, owing.charges), 500),
    ]);
    expect(back.posting.allocations).toEqual([]);
    expect(back.after).toMatchObject({ balanceCents: 0, charges: [], credits: [] });
  });

  test('of a reversal of more than is left is refused', () => {
    const owing = post(empty, [fee('fee', 1500)]).after;
    const paid = post(owing, [payment('paid', 1500)]);
    const posted = postedOf('paid', paid.posting, owing.charges);
    for (const cents of [1501, 0, -1])
      expect(() => post(paid.after, [reversal('back', posted, cents)])).toThrow(
        'not within the 1500',
      );
  });

  test('of a waiver falls on the charge that it names, also where another one is older', () => {
    const world = new World(empty);
    world.post(fee('old', 1000, '2026-11-10'));
    world.post(fee('new', 1500, '2026-11-19'));
    world.post(waiver('waived', world.postedCharge('new'), 1500));
    expect(byId(world.books.charges)).toEqual(new Map([['old', 1000]]));
    world.check();
  });

  test('of a waiver of what was paid makes the payment an open credit, which settles what else is owed', () => {
    const world = new World(empty);
    world.post(fee('wrong', 1500));
    world.post(payment('paid', 1500));
    world.post(fee('right', 1000, '2026-11-20'));
    world.post(waiver('waived', world.postedCharge('wrong'), 1500));
    expect(world.books).toMatchObject({
      balanceCents: -500,
      charges: [],
      credits: [{ id: 'paid', leftCents: 500 }],
    });
    world.check();
  });

  test('of two waivers settles both charges though the first frees what settles the second', () => {
    const world = new World(empty);
    world.post(fee('paid for', 1500));
    world.post(payment('paid', 1500));
    world.post(fee('open', 1000, '2026-11-20'));
    const [one, two] = [world.postedCharge('paid for'), world.postedCharge('open')];
    world.postAll([waiver('first', one, 1500), waiver('second', two, 1000)]);
    expect(world.books).toMatchObject({
      balanceCents: -1500,
      charges: [],
      credits: [{ id: 'paid', leftCents: 1500 }],
    });
    world.check();
  });

  test('of a waiver of more than is left of the charge is refused', () => {
    const world = new World(empty);
    world.post(fee('fee', 1500));
    world.post(waiver('some', world.postedCharge('fee'), 1000));
    for (const cents of [501, 0, -1])
      expect(() => world.post(waiver('more', world.postedCharge('fee'), cents))).toThrow(
        'not within the 500',
      );
  });

  test('of waivers gives back exactly the taxes of the charge in the end', () => {
    const charge = {
      totalCents: 20_568,
      tax1Cents: 1188,
      tax2Cents: 380,
      waived: { cents: 0, tax1Cents: 0, tax2Cents: 0 },
    };
    const first = waivedTax(charge, 7000);
    const second = waivedTax({ ...charge, waived: { cents: 7000, ...first } }, 13_568);
    expect(first).toEqual({ tax1Cents: 404, tax2Cents: 129 });
    expect([first.tax1Cents + second.tax1Cents, first.tax2Cents + second.tax2Cents]).toEqual([
      1188, 380,
    ]);
  });

  test('settles a later charge of the same posting from the payment before it', () => {
    const { posting, after } = post(empty, [payment('paid', 1000), fee('fee', 1500)]);
    expect(posting.allocations).toMatchObject([
      { creditId: 'paid', chargeId: 'fee', cents: 1000, reversalId: null },
    ]);
    expect(after.balanceCents).toBe(500);
  });
});

describe('after any changes (I1)', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('charge' as const),
      cents: fc.integer({ min: 0, max: 60_000 }),
      category: fc.constantFrom(
        'rent' as const,
        'service' as const,
        'insurance' as const,
        'fee' as const,
      ),
      day: fc.integer({ min: 10, max: 28 }),
    }),
    fc.record({ do: fc.constant('payment' as const), cents: fc.integer({ min: 1, max: 90_000 }) }),
    fc.record({ do: fc.constant('credit' as const), cents: fc.integer({ min: 1, max: 90_000 }) }),
    fc.record({
      do: fc.constant('waiver' as const),
      which: fc.nat(50),
      share: fc.integer({ min: 1, max: 100 }),
    }),
    fc.record({
      do: fc.constant('reversal' as const),
      which: fc.nat(50),
      share: fc.integer({ min: 1, max: 100 }),
    }),
  );
  const orders = fc.constantFrom(
    'oldest_first' as const,
    'rent_first' as const,
    'fees_first' as const,
  );

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
            world.post({
              kind: 'credit',
              id: randomUUID(),
              cents: each.cents,
              description: 'Adjustment',
            });
          else if (each.do === 'waiver') {
            const id = world.charges[each.which % Math.max(1, world.charges.length)];
            if (id === undefined) continue;
            const posted = world.postedCharge(id);
            const cents = Math.floor(
              ((posted.totalCents - posted.waived.cents) * each.share) / 100,
            );
            if (cents > 0) world.post(waiver(randomUUID(), posted, cents));
          } else {
            const posted = world.postedPayments()[each.which % Math.max(1, world.payments.length)];
            if (posted === undefined || posted.leftCents === 0) continue;
            // A waiver is reversed wholly or not at all.
            const share = world.isWaiver(posted.id) ? 100 : each.share;
            world.post(
              reversal(
                randomUUID(),
                posted,
                Math.max(1, Math.floor((posted.leftCents * share) / 100)),
              ),
            );
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
        fc.array(
          fc.record({
            cents: fc.integer({ min: 1, max: 60_000 }),
            day: fc.integer({ min: 10, max: 28 }),
          }),
          {
            maxLength: 8,
          },
        ),
        fc.integer({ min: 1, max: 200_000 }),
        fc.integer({ min: 0, max: 40_000 }),
        orders,
        (charges, cents, before, paymentOrder) => {
          const world = new World({ ...empty, paymentOrder });
          if (before > 0)
            world.post({ kind: 'credit', id: 'credit', cents: before, description: 'Adjustment' });
          for (const { cents: price, day } of charges)
            world.post(fee(randomUUID(), price, `2026-11-${day}`));
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
  charges: string[] = [];
  readonly #rows: Posting['allocations'] = [];
  readonly #entries: Change[] = [];

  constructor(books: Books) {
    this.books = books;
  }

  post(change: Change): void {
    this.postAll([change]);
  }

  postAll(changes: Change[]): void {
    const { posting, after } = post(this.books, changes);
    this.#rows.push(...posting.allocations);
    this.#entries.push(...changes);
    for (const { kind, id } of changes) {
      if (kind === 'payment' || kind === 'credit' || kind === 'waiver') this.payments.push(id);
      if (kind === 'charge') this.charges.push(id);
    }
    this.books = after;
  }

  isWaiver(id: string): boolean {
    return this.#entries.some((entry) => entry.kind === 'waiver' && entry.id === id);
  }

  postedCharge(id: string): PostedCharge {
    const own = this.#entries.find(
      (entry) => entry.kind === 'charge' && entry.id === id,
    ) as NewCharge;
    const isReversed = (of: string) =>
      this.#entries.some((one) => one.kind === 'reversal' && one.payment.id === of);
    const waivers = this.#entries.filter(
      (entry): entry is NewWaiver =>
        entry.kind === 'waiver' && entry.charge.id === id && !isReversed(entry.id),
    );
    const settled = Map.groupBy(
      this.#rows.filter((row) => row.chargeId === id && !this.isWaiver(row.creditId)),
      (row) => row.creditId,
    );
    return {
      id,
      category: own.category,
      dueOn: own.dueOn,
      position: 1,
      totalCents: entryCents(own),
      tax1Cents: own.tax1Cents,
      tax2Cents: own.tax2Cents,
      waived: {
        cents: sumOf(waivers.map(({ cents }) => cents)),
        tax1Cents: sumOf(waivers.map(({ tax1Cents }) => tax1Cents)),
        tax2Cents: sumOf(waivers.map(({ tax2Cents }) => tax2Cents)),
      },
      settledBy: [...settled].map(([creditId, rows]) => ({
        creditId,
        position: 1,
        cents: sumOf(rows.map(({ cents }) => cents)),
      })),
    };
  }

  postedPayments(): PostedPayment[] {
    const charges = this.#entries.filter((entry) => entry.kind === 'charge');
    return this.payments.map((id) => {
      const own = this.#entries.find((entry) => entry.id === id)!;
      const back = this.#entries.filter(
        (entry) => entry.kind === 'reversal' && entry.payment.id === id,
      );
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
            return {
              id: chargeId,
              category,
              dueOn,
              position: 1,
              cents: sumOf(rows.map(({ cents }) => cents)),
            };
          })
          .filter(({ cents }) => cents > 0),
      };
    });
  }

  check(): void {
    const { charges, credits, balanceCents } = this.books;
    expect(balanceCents).toBe(sumOf(this.#entries.map(entryCents)));
    expect(balanceCents).toBe(
      sumOf(charges.map(({ owedCents }) => owedCents)) -
        sumOf(credits.map(({ leftCents }) => leftCents)),
    );
    for (const { owedCents } of charges) expect(owedCents).toBeGreaterThan(0);
    for (const { leftCents } of credits) expect(leftCents).toBeGreaterThan(0);
    expect(charges.length === 0 || credits.length === 0).toBe(true);
    for (const entry of this.#entries.filter(({ kind }) => kind === 'charge')) {
      const settled = sumOf(
        this.#rows.filter((row) => row.chargeId === entry.id).map(({ cents }) => cents),
      );
      const owed = charges.find(({ id }) => id === entry.id)?.owedCents ?? 0;
      expect(owed + settled).toBe(entryCents(entry));
    }
    for (const { leftCents, settled } of this.postedPayments())
      expect(sumOf(settled.map(({ cents }) => cents))).toBeLessThanOrEqual(leftCents);
  }
}

function postedOf(
  id: string,
  { allocations, changes }: Posting,
  charges: OpenCharge[],
): PostedPayment {
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
