import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type Cluster, type NewDatabase } from '../harness/cluster.ts';
import type { Worker } from './worker-pool.ts';
import * as ledgerSequence from './steps/ledger-sequence.ts';
import { modelPeriod } from './model-bill.ts';
import { ModelLedger } from './model-ledger.ts';
import * as paymentSimulation from './payment-simulation.ts';
import { randomOf } from '../harness/random.ts';

describe('the model ledger', () => {
  const ledger = () => {
    const made = new ModelLedger('2026-01-31', 'oldest_first');
    made.charge({ id: 'rent', category: 'rent', dueOn: '2026-02-01', total: 10_000 });
    made.charge({ id: 'plan', category: 'insurance', dueOn: '2026-02-01', total: 1400 });
    made.billedThrough = '2026-02-28';
    return made;
  };

  test('pays rent before the plan of the same day, and keeps what is too much', () => {
    const books = ledger();
    expect(books.paidThrough).toBe('2026-01-31');
    books.credit({ id: 'payment', kind: 'payment', given: 10_500 });
    expect(books.open).toEqual({ plan: 900 });
    expect(books.paidThrough).toBe('2026-02-28');
    books.credit({ id: 'gift', kind: 'credit', given: 1000 });
    expect(books.balance).toBe(-100);
  });

  test('opens first what a payment settled last', () => {
    const books = ledger();
    books.credit({ id: 'payment', kind: 'payment', given: 11_400 });
    books.takeBack('payment', 2000);
    expect(books.open).toEqual({ rent: 600, plan: 1400 });
    expect(books.balance).toBe(2000);
  });

  test('frees what a payment settled with a charge that is waived, with its tax', () => {
    const books = ledger();
    books.charge({ id: 'fee', category: 'fee', dueOn: '2026-02-02', total: 110, tax1: 10 });
    books.credit({ id: 'payment', kind: 'payment', given: 10_000 });
    books.waive('waiver', 'rent', 400);
    expect(books.open).toEqual({ plan: 1000, fee: 110 });
    books.waive('half', 'fee', 55);
    expect(books.creditOf('half').tax1).toBe(5);
    expect(books.waivable(books.chargeOf('fee'))).toBe(55);
  });
});

test('the model bill takes the days of the calendar and rounds a half up', () => {
  const terms = {
    kind: 'anniversary',
    billingDay: 31,
    rateCents: 10_000,
    discountBasisPoints: 0,
    isTaxed: true,
    tax1: 0,
    tax2: 0,
  };
  expect(modelPeriod(terms, '2028-01-31')).toMatchObject({
    dueOn: '2028-01-31',
    periodEnd: '2028-02-28',
    rentCents: 10_000,
  });
  expect(modelPeriod({ ...terms, kind: 'first_of_month' }, '2026-04-16').rentCents).toBe(5000);
  expect(modelPeriod({ ...terms, rateCents: 2, tax1: 2500 }, '2028-01-31').rentCents).toBe(3);
});

test('the same seed makes the same choices, another seed others', () => {
  const drawn = (seed: number) =>
    Array.from({ length: 5 }, () => randomOf(seed)).map((random) => random.uuid());
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
});

/** A model that has never found anything proves nothing: each fault is planted and must be seen. */
describe('a model finds what is wrong', () => {
  let cluster: Cluster;
  let database: NewDatabase;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  const of = async <Task, Result>(open: (url: string) => Promise<Worker<Task, Result>>) => {
    database = await cluster.newDatabase();
    return open(database.url);
  };
  const newest = "(SELECT id FROM entries WHERE kind = 'charge' ORDER BY position DESC LIMIT 1)";

  test('in a sequence of postings', async () => {
    const worker = await of(ledgerSequence.open);
    const faultOf = async (plant?: string) => {
      const { faults } = await worker.work({
        seeds: [4],
        steps: 25,
        ...(plant !== undefined && { plant }),
      });
      return faults[0]?.sentence.split(':')[0] ?? null;
    };
    expect(await faultOf()).toBeNull();
    expect(await faultOf('UPDATE ledgers SET balance_cents = balance_cents + 1')).toBe(
      'I1 balance',
    );
    expect(await faultOf(`UPDATE entries SET posted_on = posted_on - 1 WHERE id = ${newest}`)).toBe(
      'I3 the entries before',
    );
    expect(await faultOf('UPDATE ledgers SET paid_through = paid_through + 1')).toBe(
      'paid through',
    );
    expect(await faultOf('UPDATE charges SET price_cents = price_cents + 1')).toBe(
      'I1 what is owed on each charge',
    );
    expect(await faultOf('UPDATE billed_periods SET rate_cents = rate_cents + 1')).toMatch(
      /^It has its rent since the move-in, and by its billed periods since/,
    );
    await worker.close();
    await database.close();
  });

  test('in a simulation', async () => {
    const worker = await of(paymentSimulation.open);
    const faultOf = async (plant?: string) => {
      const [result] = await worker.work({
        // Its debits are still pending when the fault is planted.
        seeds: [4],
        keepsLog: false,
        ...(plant !== undefined && { plant }),
      });
      return result!.fault === null ? null : result!.fault.split('\n')[0];
    };
    expect(await faultOf()).toBeNull();
    expect(await faultOf('UPDATE ledgers SET balance_cents = balance_cents + 1')).toContain(
      'I1 balance of',
    );
    expect(
      await faultOf(`UPDATE entries SET posted_on = posted_on - 1 WHERE id = ${newest}`),
    ).toContain('I3 an entry');
    expect(
      await faultOf(
        "UPDATE payment_intents SET state = 'returned', return_code = 'R01' WHERE state = 'pending'",
      ),
    ).toContain('the state of');
    await worker.close();
    await database.close();
  });
});
