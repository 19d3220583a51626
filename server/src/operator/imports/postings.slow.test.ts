import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#db/database.ts';
import { addChargeTo } from '#features/money/counter/charges.ts';
import { addCreditTo } from '#features/money/counter/credits.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { reversePaymentOf } from '#features/money/counter/reverse-payment.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { deleteFolders, exported, faultsOf, importInto } from './import.fixture.ts';

let api: TestApp;
beforeEach(async () => {
  api = await openTestApp('demo_template');
});
afterEach(() => api.close());
afterAll(deleteFolders);

/** A rental of the demo world with its facility's code, and its state. */
async function rentalOf(unit: string) {
  return api.owner
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .innerJoin('facilities', 'facilities.id', 'units.facility_id')
    .select([
      'ledgers.id',
      'facilities.location_code as facility',
      'ledgers.balance_cents as balance',
    ])
    .select([
      'ledgers.paid_through as paidThrough',
      'ledgers.billed_through as billedThrough',
      'ledgers.version',
    ])
    .where('units.name', '=', unit)
    .executeTakeFirstOrThrow();
}

const charges = 'facility,charge_id,ledger_id,category,description,due_on,period_end,price\n';
const payments = 'facility,payment_id,ledger_id,paid_on,amount,description\n';

describe('charges and payments of a rental that owes something', () => {
  test('settle what was open first, and what is left over is an open credit', async () => {
    const { id, facility, balance } = await rentalOf('P118');
    expect(balance).toBe(17_500);
    const result = await importInto(api, {
      'charges.csv': `${charges}${facility},C1,${id},fee,Lock cut,2026-11-20,,50\n`,
      'payments.csv': `${payments}${facility},PAY1,${id},2026-11-20,300,Cash\n`,
    });
    expect(faultsOf(result)).toEqual([]);
    await expectSoundBooks(api.owner);
    expect(await rentalOf('P118')).toMatchObject({ balance: -7500 });
    const { rows } = await sql`
      SELECT a.amount_cents AS cents FROM allocations a JOIN charges c ON c.entry_id = a.charge_entry_id
      WHERE c.ledger_id = ${id} AND c.description = 'Lock cut'`.execute(api.owner);
    expect(rows).toEqual([{ cents: 5000 }]);
    const credits = api.owner
      .selectFrom('open_credits')
      .select('left_cents')
      .where('ledger_id', '=', id);
    expect(await credits.execute()).toEqual([{ left_cents: 7500 }]);
  });

  test('move the paid-through date on to the end of what is paid', async () => {
    const { id, facility, balance, billedThrough } = await rentalOf('C014');
    expect(balance).toBe(45_000);
    const [first, last] = [addDays(billedThrough, 1), addDays(billedThrough, 31)];
    const header = charges.replace('price', 'price,posted_on');
    const result = await importInto(api, {
      'charges.csv': `${header}${facility},C1,${id},rent,Rent December,${first},${last},425,2026-11-20\n`,
      'payments.csv': `${payments}${facility},PAY1,${id},2026-11-21,875,Check 1881\n`,
    });
    expect(faultsOf(result)).toEqual([]);
    expect(await rentalOf('C014')).toMatchObject({
      balance: 0,
      paidThrough: last,
      billedThrough: last,
    });
    await expectSoundBooks(api.owner);
  });

  test('may be taken back in the same row, which opens again what was there before', async () => {
    const { id, facility } = await rentalOf('P118');
    const header = payments.trim() + ',method,taken_back,taken_back_on,taken_back_reason\n';
    const bounced = `${facility},PAY1,${id},2026-11-20,175,Check 1881,check,175,2026-11-21,nsf\n`;
    expect(faultsOf(await importInto(api, { 'payments.csv': header + bounced }))).toEqual([]);
    expect(await rentalOf('P118')).toMatchObject({ balance: 17_500 });
    await expectSoundBooks(api.owner);
  });

  test('name no rent of a period that was billed here', async () => {
    const { id, facility, billedThrough } = await rentalOf('P118');
    const day = addDays(billedThrough, -3);
    const row = `${facility},C1,${id},rent,Rent,${day},${addDays(day, 30)},175,2026-11-20\n`;
    const header = charges.replace('price', 'price,posted_on');
    expect(faultsOf(await importInto(api, { 'charges.csv': header + row }))).toEqual([
      'charges.csv, line 2, due_on: is within a period that has been billed here already.',
    ]);
  });

  test('are not taken over where the books of the rental do not hold, which is said', async () => {
    const { id, facility, balance } = await rentalOf('P118');
    await sql`UPDATE ledgers SET balance_cents = ${balance + 100} WHERE id = ${id}`.execute(
      api.owner,
    );
    const result = await importInto(api, {
      'payments.csv': `${payments}${facility},PAY1,${id},2026-11-20,175,Cash\n`,
    });
    expect(result).toMatchObject({ imported: [], refused: [facility] });
    expect(faultsOf(result)[0]).toMatch(
      new RegExp(
        `^ledgers.csv: would break the books of ${id} \\(I1\\): The balance is .*[^.]\\.$`,
      ),
    );
    expect(await rentalOf('P118')).toMatchObject({ balance: balance + 100 });
  });

  test('raise the version, so that nothing is written that was computed before', async () => {
    const { id, facility, version } = await rentalOf('P118');
    await importInto(api, {
      'payments.csv': `${payments}${facility},PAY1,${id},2026-11-20,175,Cash\n`,
    });
    expect((await rentalOf('P118')).version).toBe(version + 1);
  });
});

/**
 * The rows of the books in all their columns, in order; new entries by their place, and without
 * positions and instants.
 */
async function booksOf(owner: Database): Promise<string[]> {
  const all: string[] = [];
  for (const [table, order] of [
    ['entries', 'position'],
    ['charges', 'entry_id'],
    ['payments', 'entry_id'],
    ['credits', 'entry_id'],
    ['reversals', 'entry_id'],
    ['allocations', 'id'],
    ['billed_periods', 'ledger_id, due_on'],
    ['ledgers', 'id'],
  ] as const) {
    const left = table === 'allocations' ? ['id'] : ['position', 'created_at', 'posted_at'];
    const { rows } = await sql<{ row: string }>`
      SELECT (to_jsonb(t) - ${left}::text[])::text AS row FROM ${sql.table(table)} t ORDER BY ${sql.raw(order)}`.execute(
      owner,
    );
    all.push(...rows.map(({ row }) => `${table} ${row}`));
  }
  const known = new Map<string, string>();
  const { rows } = await sql<{ id: string }>`SELECT id FROM entries ORDER BY position`.execute(
    owner,
  );
  for (const { id } of rows) known.set(id, `entry ${known.size + 1}`);
  const payments = await owner
    .selectFrom('payments')
    .select(['intent_id', 'receipt_number'])
    .execute();
  for (const { intent_id, receipt_number } of payments)
    known.set(intent_id, `intent of ${receipt_number}`);
  return all
    .map((row) =>
      row.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => known.get(id) ?? id),
    )
    .sort();
}

describe('the same postings by verb and by import', () => {
  const call = { by: 'Ana', why: '', facilityIds: null, isPreview: false };
  const credits = 'facility,payment_id,ledger_id,kind,paid_on,amount,description\n';

  test.each([
    [
      'credits add',
      async (on: TestApp, ledgerId: string) => {
        for (const amount of [100, 200]) {
          const body = { ledgerId, amount, description: 'Gate was out of order' };
          await addCreditTo(on.ctx, { ...call, key: randomUUID() }, body);
        }
      },
      (place: string, today: string) => ({
        'payments.csv':
          `${credits}${place.replace('#', 'K1')},credit,${today},100,Gate was out of order\n` +
          `${place.replace('#', 'K2')},credit,${today},200,Gate was out of order\n`,
      }),
    ],
    [
      'charges add, payments record, credits add and payments reverse',
      async (on: TestApp, ledgerId: string) => {
        const next = () => ({ ...call, key: randomUUID() });
        const fee = { ledgerId, category: 'fee', description: 'Lock cut', amount: 50 };
        await addChargeTo(on.ctx, next(), fee);
        const cash = (amount: number) => ({
          ledgerIds: [ledgerId],
          type: 'cash',
          amount,
          isPrepaid: true,
        });
        await recordPaymentFor(on.ctx, next(), cash(120));
        await addCreditTo(on.ctx, next(), {
          ledgerId,
          amount: 20,
          description: 'Gate was out of order',
        });
        const { receiptNumber } = await recordPaymentFor(on.ctx, next(), cash(300));
        await reversePaymentOf(on.ctx, next(), {
          receiptNumber: receiptNumber!,
          reason: 'mistake',
        });
      },
      (place: string, today: string) => ({
        'charges.csv': `${charges}${place.replace('#', 'C1')},fee,Lock cut,${today},,50\n`,
        'payments.csv':
          `${credits.trim()},method,taken_back,taken_back_on,taken_back_reason,taken_back_description\n` +
          `${place.replace('#', 'P1')},payment,${today},120,Cash,cash,,,,\n` +
          `${place.replace('#', 'P2')},credit,${today},20,Gate was out of order,,,,,\n` +
          `${place.replace('#', 'P3')},payment,${today},300,Cash,cash,300,${today},mistake,Recorded by mistake\n`,
      }),
    ],
  ])('%s give the same books', async (_, byVerb, files) => {
    const other = await openTestApp('demo_template');
    const { id, facility } = await rentalOf('P118');
    await byVerb(other, id);
    const today = calendarDateIn('America/Phoenix', api.ctx.clock.now());
    expect(faultsOf(await importInto(api, files(`${facility},#,${id}`, today)))).toEqual([]);
    const [ours, theirs] = [await booksOf(api.owner), await booksOf(other.owner)];
    await other.close();
    expect(ours).toEqual(theirs);
    expect(ours.join()).toContain('Gate was out of order');
  });
});

/**
 * One posting as a verb and a file both have it; `takes` is the place of the payment that a
 * reversal takes back.
 */
type Drawn = {
  kind: 'charge' | 'cash' | 'check' | 'credit' | 'reversal';
  cents: number;
  takes: number;
};

const drawn: fc.Arbitrary<Drawn[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('charge', 'cash', 'check', 'credit', 'reversal'),
    cents: fc.integer({ min: 1, max: 40_000 }),
    takes: fc.nat(20),
  }),
  { minLength: 1, maxLength: 6 },
);

describe('random postings by verb and by import', () => {
  const call = { by: 'Ana', why: '', facilityIds: null, isPreview: false };
  const next = () => ({ ...call, key: randomUUID() });

  test('give the same books, each onto what the ones before have left', async () => {
    const other = await openTestApp('demo_template');
    const { id: ledgerId, facility } = await rentalOf('P118');
    const today = calendarDateIn('America/Phoenix', api.ctx.clock.now());
    const money = (cents: number) => (cents / 100).toFixed(2);
    let rows = 0;
    const sameBooks = async (postings: Drawn[]) => {
      const chargeRows: string[] = [];
      const paid: { receiptNumber: string; row: string[] }[] = [];
      const creditRows: string[][] = [];
      for (const [place, { kind, cents, takes }] of postings.entries()) {
        const amount = cents / 100;
        const start = [facility, `ROW${(rows += 1)}`, ledgerId];
        if (kind === 'charge') {
          const body = { ledgerId, category: 'fee', description: 'Lock cut', amount };
          await addChargeTo(other.ctx, next(), body);
          chargeRows.push([...start, 'fee', 'Lock cut', today, money(cents), place].join(','));
        } else if (kind === 'credit') {
          await addCreditTo(other.ctx, next(), { ledgerId, amount, description: 'Goodwill' });
          creditRows.push([
            ...start,
            'credit',
            today,
            money(cents),
            'Goodwill',
            '',
            '',
            '',
            '',
            '',
            String(place),
            '',
          ]);
        } else if (kind === 'reversal') {
          const open = paid.filter(({ row }) => row[8] === '');
          const taken = open[takes % Math.max(1, open.length)];
          if (taken === undefined) continue;
          const { receiptNumber, row } = taken;
          await reversePaymentOf(other.ctx, next(), { receiptNumber, reason: 'mistake' });
          row.splice(8, 4, row[5]!, today, 'mistake', 'Recorded by mistake');
          row[13] = String(place);
        } else {
          const number = kind === 'check' ? { number: '1881' } : {};
          const body = { ledgerIds: [ledgerId], type: kind, ...number, amount, isPrepaid: true };
          const { receiptNumber } = await recordPaymentFor(other.ctx, next(), body);
          const words = kind === 'check' ? 'Check 1881' : 'Cash';
          const row = [
            ...start,
            'payment',
            today,
            money(cents),
            words,
            kind,
            '',
            '',
            '',
            '',
            String(place),
            '',
          ];
          paid.push({ receiptNumber: receiptNumber!, row });
        }
      }
      const paymentRows = [...paid.map(({ row }) => row), ...creditRows].map((row) =>
        row.join(','),
      );
      const files = {
        'charges.csv': [
          'facility,charge_id,ledger_id,category,description,due_on,price,posting_order',
          ...chargeRows,
        ],
        'payments.csv': [
          'facility,payment_id,ledger_id,kind,paid_on,amount,description,method,taken_back,taken_back_on,' +
            'taken_back_reason,taken_back_description,posting_order,taken_back_order',
          ...paymentRows,
        ],
      };
      const texts = Object.entries(files).map(([name, lines]) => [name, `${lines.join('\n')}\n`]);
      expect(
        faultsOf(await importInto(api, Object.fromEntries(texts) as Record<string, string>)),
      ).toEqual([]);
      expect(await booksOf(api.owner)).toEqual(await booksOf(other.owner));
    };
    const reversal: Drawn[] = [
      { kind: 'charge', cents: 1500, takes: 0 },
      { kind: 'check', cents: 5000, takes: 0 },
      { kind: 'credit', cents: 700, takes: 0 },
      { kind: 'reversal', cents: 1, takes: 0 },
    ];
    const options = {
      numRuns: 12,
      endOnFailure: true,
      seed: 5,
      examples: [[reversal] as [Drawn[]]],
    };
    await fc.assert(fc.asyncProperty(drawn, sameBooks), options);
    const books = (await booksOf(api.owner)).join();
    for (const words of ['Lock cut', 'Check 1881', 'Goodwill', 'Recorded by mistake'])
      expect(books.includes(words), words).toBe(true);
    await expectSoundBooks(api.owner);
    await other.close();
  });
});

test('what was waived, paid at the counter, taken back and deposited is exported and imported as the same books', async () => {
  const { id, facility } = await rentalOf('P118');
  const fees = charges.trim() + ',tax1\n';
  const header =
    payments.trim() + ',method,taken_back,taken_back_on,taken_back_reason,kind,waives\n';
  const rows = [
    'PAY1,#,2026-11-18,175,Cash,cash,,,,,',
    'PAY2,#,2026-11-18,60,Check 1881,check,60,2026-11-19,nsf,,',
    'PAY3,#,2026-11-20,40,Money order,moneyOrder,15,2026-11-21,chargeback,,',
    'K1,#,2026-11-20,7,Waived,,,,,credit,C1',
    'K2,#,2026-11-21,30,Waived,,30,2026-11-22,mistake,credit,C1',
  ].map((row) => `${facility},${row.replace('#', id)}\n`);
  const imported = await importInto(api, {
    'charges.csv': `${fees}${facility},C1,${id},fee,Lock cut,2026-11-18,,50,4.13\n${facility},C2,${id},deposit,Deposit,2026-11-19,,100,\n`,
    'payments.csv': header + rows.join(''),
  });
  expect(faultsOf(imported)).toEqual([]);
  await expectSoundBooks(api.owner);
  const target = await openTestApp('empty_template');
  expect(faultsOf(await importInto(target, await exported(api)))).toEqual([]);
  await expectSoundBooks(target.owner);
  const standing = async (owner: Database) =>
    (
      await sql`
        SELECT u.name, l.balance_cents, l.paid_through,
          (SELECT json_agg(json_build_array(c.category, c.description, c.due_on, c.owed_cents) ORDER BY c.position)
            FROM open_charges c WHERE c.ledger_id = l.id) AS owed,
          (SELECT json_agg(c.left_cents ORDER BY c.position) FROM open_credits c WHERE c.ledger_id = l.id) AS unused,
          (SELECT json_agg(json_build_array(i.type, p.description, r.reason) ORDER BY e.position) FROM payments p
            JOIN entries e ON e.id = p.entry_id JOIN payment_intents i ON i.id = p.intent_id
            LEFT JOIN reversals r ON r.payment_entry_id = p.entry_id WHERE p.ledger_id = l.id) AS paid,
          (SELECT json_agg(json_build_array(k.description, k.tax1_cents, c.description, r.reason) ORDER BY e.position)
            FROM credits k JOIN entries e ON e.id = k.entry_id LEFT JOIN charges c ON c.entry_id = k.charge_entry_id
            LEFT JOIN reversals r ON r.payment_entry_id = k.entry_id WHERE k.ledger_id = l.id) AS credited
        FROM ledgers l JOIN units u ON u.id = l.unit_id ORDER BY u.name, l.moved_in_on`.execute(
        owner,
      )
    ).rows;
  expect(await standing(target.owner)).toEqual(await standing(api.owner));
  await target.close();
});
