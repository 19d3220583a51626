import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DatabaseTransaction } from '#db/database.ts';
import { makeFacility, makeLedger, makeTenant, postCharges } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { expectSoundBooks } from '#test/books.ts';
import { post, waiverOf, type Change, type NewCharge } from './books.ts';
import { getPostedPayment } from './postings.fixture.ts';
import {
  lockBooks,
  postLocked,
  readBooks,
  readBooksWithPayments,
  readPostedCharges,
  StaleBooks,
  writePostings,
  type LedgerBooks,
} from './postings.ts';
import { waivedTax } from './rules.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const api = useTestApp('empty_template');
let tenantId: string;
let facilityId: string;
let ledgerId: string;

beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
});
beforeEach(async () => {
  ledgerId = await rental();
});

async function rental(): Promise<string> {
  const unit = { facility_id: facilityId, name: `U${randomUUID().slice(0, 8)}` };
  const made = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit,
    moved_in_on: '2026-11-14',
  });
  return made.ledgerId;
}

const at = { instant: new Date('2026-11-20T15:00:00Z'), dayOf: () => '2026-11-20' };
const credit = (cents: number): Change => ({
  kind: 'credit',
  id: randomUUID(),
  cents,
  description: 'Adjustment',
});
const fee = (priceCents: number): NewCharge => ({
  kind: 'charge',
  id: randomUUID(),
  category: 'fee',
  description: 'Late fee',
  dueOn: '2026-11-19',
  periodEnd: null,
  priceCents,
  discountCents: 0,
  tax1Cents: 0,
  tax2Cents: 0,
  lateFor: null,
});
const booksOf = async (id = ledgerId): Promise<LedgerBooks> =>
  (await readBooks(api.ctx.db, [id]))[0]!;
const countEntries = async () =>
  (await findRows(api.owner, 'entries', 'id', { ledger_id: ledgerId })).length;

async function write(changes: Change[]): Promise<void> {
  await writePostings(api.ctx.db, at, [post(await booksOf(), changes).posting]);
}

describe('what a rental owes', () => {
  const due = (dueOn: string, priceCents: number) => ({ ...fee(priceCents), dueOn });
  const since = async () => {
    const { owed_since } = await getRow(api.owner, 'ledgers', 'owed_since', { id: ledgerId });
    return owed_since;
  };
  const open = async () =>
    (await booksOf()).charges.map(({ dueOn, owedCents }) => [dueOn, owedCents]);

  test('has the due date of its first open charge, as charges come, are paid and open again', async () => {
    expect(await since()).toBeNull();
    await write([due('2026-10-02', 300), due('2026-09-01', 200)]);
    expect([await since(), await open()]).toEqual([
      '2026-09-01',
      [
        ['2026-09-01', 200],
        ['2026-10-02', 300],
      ],
    ]);
    const paid = credit(250);
    await write([paid]);
    expect([await since(), await open()]).toEqual(['2026-10-02', [['2026-10-02', 250]]]);
    await write([credit(250)]);
    expect([await since(), await open()]).toEqual([null, []]);
    const payment = await getPostedPayment(api.ctx.db, paid.id);
    const back = { kind: 'reversal', id: randomUUID(), payment, cents: 250 } as const;
    await write([{ ...back, reason: 'correction', description: 'Back' }]);
    expect([await since(), await open()]).toEqual([
      '2026-09-01',
      [
        ['2026-09-01', 200],
        ['2026-10-02', 50],
      ],
    ]);
    await expectSoundBooks(api.owner);
  });

  test('is read without the charges that were paid before it, however many there are', async () => {
    const months = Array.from({ length: 60 }, (_, index) =>
      due(addDays('2020-01-01', index * 30), 100),
    );
    await write([...months, credit(6000), due('2026-11-19', 100)]);
    const read = await api.owner.transaction().execute(async (trx) => {
      await sql`SET LOCAL enable_seqscan = off`.execute(trx);
      const before = await chargesRead(trx);
      await readBooks(trx, [ledgerId]);
      return (await chargesRead(trx)) - before;
    });
    expect(read).toBe(1);
  });
});

/** How many rows indexes have brought of the charges on this connection. */
async function chargesRead(trx: DatabaseTransaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT idx_tup_fetch::int AS count FROM pg_stat_xact_user_tables WHERE relid = 'charges'::regclass`.execute(
    trx,
  );
  return rows[0]!.count;
}

describe('a waiver', () => {
  const waive = (chargeId: string, cents: number) =>
    api.ctx.db.transaction().execute(async (trx) => {
      const [books] = await lockBooks(trx, [ledgerId]);
      const [charge] = await readPostedCharges(trx, ledgerId, [chargeId]);
      const id = randomUUID();
      const change = {
        kind: 'waiver' as const,
        id,
        charge: charge!,
        cents,
        ...waivedTax(charge!, cents),
        description: 'W',
      };
      await postLocked(trx, at, [post(books!, [change]).posting]);
    });

  test('of a paid charge leaves the payment as a credit, keeps its tax, and is read as waived', async () => {
    const wrong = { ...fee(1100), priceCents: 1000, tax1Cents: 100 };
    await write([wrong]);
    await write([credit(1100)]);
    await waive(wrong.id, 550);
    expect(await booksOf()).toMatchObject({
      balanceCents: -550,
      charges: [],
      credits: [{ leftCents: 550 }],
    });
    await waive(wrong.id, 550);
    expect(await booksOf()).toMatchObject({
      balanceCents: -1100,
      charges: [],
      credits: [{ leftCents: 1100 }],
    });
    const [charge] = await readPostedCharges(api.ctx.db, ledgerId, [wrong.id]);
    expect(charge).toMatchObject({
      totalCents: 1100,
      waived: { cents: 1100, tax1Cents: 100, tax2Cents: 0 },
      settledBy: [{ cents: 0 }],
    });
    await expectSoundBooks(api.owner);
  });

  test('frees the same credit in one posting with another waiver as after it', async () => {
    const left = [];
    for (const isAtOnce of [true, false]) {
      ledgerId = await rental();
      const deposit = { ...fee(100), dueOn: '2026-11-18' };
      const rent = fee(400);
      const [paid, adjusted] = [credit(300), credit(200)];
      for (const change of [deposit, rent, paid, adjusted]) await write([change]);
      const payment = await getPostedPayment(api.ctx.db, paid.id);
      const back = { payment, cents: 280, reason: 'correction' as const, description: 'Corrected' };
      await write([{ kind: 'reversal', id: randomUUID(), ...back }]);
      // The waiver of the deposit frees what is left of the payment for the rent, which the payment
      // had settled before the credit did.
      const waivers = async (ids: string[]) => {
        const charges = await readPostedCharges(api.ctx.db, ledgerId, ids);
        await write(
          charges.map((charge) => waiverOf(charge, charge.id === rent.id ? 300 : 100, 'Waived')),
        );
      };
      if (isAtOnce) await waivers([deposit.id, rent.id]);
      else for (const { id } of [deposit, rent]) await waivers([id]);
      const { credits } = await booksOf();
      left.push(credits.map(({ id, leftCents }) => [id === adjusted.id, leftCents]));
    }
    expect(left[0]).toEqual(left[1]);
    await expectSoundBooks(api.owner);
  });

  test('that is reversed opens its charge again', async () => {
    const wrong = fee(1000);
    await write([wrong]);
    await waive(wrong.id, 1000);
    const { entry_id: id } = await getRow(api.owner, 'credits', 'entry_id', {
      charge_entry_id: wrong.id,
    });
    const payment = await getPostedPayment(api.ctx.db, id);
    const back = {
      kind: 'reversal' as const,
      id: randomUUID(),
      payment,
      cents: 1000,
      reason: 'mistake' as const,
    };
    await write([{ ...back, description: 'Waived by mistake' }]);
    expect(await booksOf()).toMatchObject({
      balanceCents: 1000,
      charges: [{ id: wrong.id, owedCents: 1000 }],
    });
    const [charge] = await readPostedCharges(api.ctx.db, ledgerId, [wrong.id]);
    expect(charge).toMatchObject({ waived: { cents: 0 }, settledBy: [] });
    await expectSoundBooks(api.owner);
  });
});

describe('what is written is what is read', () => {
  test('charges, credits and reversals: the next reading is what the posting computed', async () => {
    const adjustment = credit(30_000);
    const charges = [fee(1500), fee(20_000), fee(0)];
    for (const changes of [[charges[0]!], [adjustment], [charges[1]!, charges[2]!]]) {
      const { posting, after } = post(await booksOf(), changes);
      await writePostings(api.ctx.db, at, [posting]);
      const read = await booksOf();
      const shown = ({ version, balanceCents, charges: open, credits }: typeof after) => ({
        version,
        balanceCents,
        charges: open.map(({ id, owedCents }) => [id, owedCents]),
        credits: credits.map(({ id, leftCents }) => [id, leftCents]),
      });
      expect(shown(read)).toEqual(shown(after));
    }
    const posted = await getPostedPayment(api.ctx.db, adjustment.id);
    expect(posted).toMatchObject({ ledgerId, leftCents: 30_000 });
    expect(posted.settled.map(({ id, cents }) => [id, cents])).toEqual([
      [charges[0]!.id, 1500],
      [charges[1]!.id, 20_000],
    ]);
    await write([
      {
        kind: 'reversal',
        id: randomUUID(),
        payment: posted,
        cents: 10_000,
        reason: 'correction',
        description: 'Corrected',
      },
    ]);
    const [after] = await readBooksWithPayments(api.ctx.db, [adjustment.id]);
    expect(after).toMatchObject({
      balanceCents: 1500,
      charges: [{ id: charges[1]!.id, owedCents: 1500 }],
      credits: [],
    });
    expect(after!.payments).toMatchObject([
      { leftCents: 20_000, settled: [{ cents: 1500 }, { cents: 18_500 }] },
    ]);
  });

  test('an entry that is no payment or credit is none', async () => {
    const [id] = await postCharges(api.owner, ledgerId, [
      { category: 'fee', description: 'Late fee', dueOn: '2026-11-19', priceCents: 100 },
    ]);
    await expect(getPostedPayment(api.ctx.db, id!)).rejects.toThrow('no payment or credit');
  });
});

describe('nothing is written', () => {
  test('where a ledger was posted to since it was read, not to the other ledgers either', async () => {
    const other = await rental();
    const [books, others] = [await booksOf(), await booksOf(other)];
    await write([fee(500)]);
    const postings = [post(books, [fee(700)]).posting, post(others, [fee(700)]).posting];
    await expect(writePostings(api.ctx.db, at, postings)).rejects.toThrow(StaleBooks);
    expect((await booksOf()).balanceCents).toBe(500);
    expect((await booksOf(other)).balanceCents).toBe(0);
    expect(await countEntries()).toBe(1);
  });

  test('where its transaction fails later', async () => {
    const failing = api.ctx.db.transaction().execute(async (trx) => {
      const [books] = await lockBooks(trx, [ledgerId]);
      await postLocked(trx, at, [post(books!, [fee(700)]).posting]);
      await sql`SELECT 1 / 0`.execute(trx);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await countEntries()).toBe(0);
  });

  test('where a reversal would be posted twice as a return', async () => {
    await write([fee(1000)]);
    const adjustment = credit(1000);
    await write([adjustment]);
    const posted = await getPostedPayment(api.ctx.db, adjustment.id);
    const half = (): Change => ({
      kind: 'reversal',
      id: randomUUID(),
      payment: posted,
      cents: 500,
      reason: 'return',
      description: 'Returned',
    });
    await write([half()]);
    await expect(write([half()])).rejects.toMatchObject({
      code: '23505',
      constraint: 'one_return',
    });
    expect((await booksOf()).balanceCents).toBe(500);
  });
});

describe('at once', () => {
  test('of two writers from one reading, one writes', async () => {
    const books = await booksOf();
    const answers = await Promise.allSettled(
      [1, 2].map((cents) => writePostings(api.ctx.db, at, [post(books, [fee(cents)]).posting])),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await countEntries()).toBe(1);
  });

  // asvs 15.4.3
  test('fifty writers who lock the ledger all write, and the balance is their sum', async () => {
    await Promise.all(
      Array.from({ length: 50 }, () =>
        api.ctx.db.transaction().execute(async (trx) => {
          const [books] = await lockBooks(trx, [ledgerId]);
          await postLocked(trx, at, [post(books!, [fee(100)]).posting]);
        }),
      ),
    );
    expect(await booksOf()).toMatchObject({ balanceCents: 5000, version: 50 });
  });

  test('what else changes on the ledger meanwhile neither stops a posting nor is lost', async () => {
    const { posting } = post(await booksOf(), [fee(700)]);
    const held = Promise.withResolvers<undefined>();
    const isHeld = Promise.withResolvers<undefined>();
    const holding = api.owner.transaction().execute(async (trx) => {
      await changeRows(trx, 'ledgers', { rental_rate_cents: 33_300 }, { id: ledgerId });
      isHeld.resolve(undefined);
      await held.promise;
    });
    await isHeld.promise;
    const writing = writePostings(api.ctx.db, at, [posting]);
    await untilLockWait(api.ctx.db);
    held.resolve(undefined);
    await holding;
    await writing;
    expect(
      await api.owner
        .selectFrom('ledgers')
        .select(['rental_rate_cents', 'balance_cents', 'version'])
        .where('id', '=', ledgerId)
        .executeTakeFirst(),
    ).toEqual({ rental_rate_cents: 33_300, balance_cents: 700, version: 1 });
  });
});
