import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseTransaction } from '#db/database.ts';
import {
  makeCorporation,
  makeFacility,
  makeLedger,
  makeTenant,
  postCharges,
} from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '#test/app.ts';

let api: TestApp;
beforeAll(async () => {
  api = await openTestApp('demo_template');
});
afterAll(() => api.close());

const fee = (dueOn: string, priceCents: number) => ({
  category: 'fee' as const,
  description: 'Fee',
  dueOn,
  priceCents,
});

/** A ledger with fees of these cents; what is stored as owed of each. */
async function ledgerWith(cents: number[]) {
  const { id: tenantId } = await api.owner
    .selectFrom('tenants')
    .select('id')
    .executeTakeFirstOrThrow();
  const { facility_id } = await api.owner
    .selectFrom('tenants')
    .select('facility_id')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return api.owner.transaction().execute(async (trx) => {
    const { ledgerId } = await makeLedger(trx, api.ctx.vault, {
      tenant_id: tenantId,
      unit: { facility_id, name: `F${randomUUID().slice(0, 8)}` },
    });
    const charges = cents.map((price, index) => fee(`2026-03-0${index + 1}`, price));
    return { ledgerId, chargeIds: await postCharges(trx, ledgerId, charges) };
  });
}

async function owedOf(ledgerId: string): Promise<number[]> {
  const { rows } = await sql<{ cents: number }>`
    SELECT owed_cents AS cents FROM open_charges WHERE ledger_id = ${ledgerId} ORDER BY position`.execute(
    api.owner,
  );
  return rows.map(({ cents }) => cents);
}

async function credit(ledgerId: string, cents: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO entries (ledger_id, kind, amount_cents, posted_on)
    VALUES (${ledgerId}, 'credit', ${-cents}, '2026-04-01') RETURNING id`.execute(api.owner);
  return rows[0]!.id;
}

function allocate(creditId: string, parts: [string, number][]): RawBuilder<unknown> {
  return sql`
    INSERT INTO allocations (credit_entry_id, charge_entry_id, amount_cents)
    SELECT ${creditId}, id, cents FROM unnest(
      ${parts.map(([id]) => id)}::uuid[], ${parts.map(([, cents]) => cents)}::bigint[]) AS p (id, cents)`;
}

test('what is owed of a charge is stored with it, less what settles it, and again when that is taken back', async () => {
  const { ledgerId, chargeIds } = await ledgerWith([1000, 2000, 0]);
  expect(await owedOf(ledgerId)).toEqual([1000, 2000]);
  const [first, second] = chargeIds as [string, string];
  const paid = await credit(ledgerId, 3000);
  await allocate(paid, [
    [first, 400],
    [second, 2000],
    [first, 600],
  ]).execute(api.owner);
  expect(await owedOf(ledgerId)).toEqual([]);
  await sql`
    WITH back AS (
      INSERT INTO entries (ledger_id, kind, amount_cents, posted_on)
      VALUES (${ledgerId}, 'reversal', 500, '2026-04-02') RETURNING id
    )
    INSERT INTO allocations (credit_entry_id, charge_entry_id, amount_cents, reversal_entry_id)
    SELECT ${paid}, ${second}, -500, id FROM back`.execute(api.owner);
  expect(await owedOf(ledgerId)).toEqual([500]);
});

test('a charge that is settled in its own statement is not stored', async () => {
  const { ledgerId, chargeIds } = await ledgerWith([700]);
  const paid = await credit(ledgerId, 900);
  const [open, settled] = [randomUUID(), randomUUID()];
  await sql`
    WITH entry AS (
      INSERT INTO entries (id, ledger_id, kind, amount_cents, posted_on)
      SELECT id, ${ledgerId}, 'charge', 200, '2026-05-01' FROM unnest(${[open, settled]}::uuid[]) AS id
    ), charge AS (
      INSERT INTO charges (entry_id, ledger_id, category, description, due_on, price_cents)
      SELECT id, ${ledgerId}, 'fee', 'Fee', '2026-05-01', 200 FROM unnest(${[open, settled]}::uuid[]) AS id
    )
    ${allocate(paid, [
      [settled, 200],
      [chargeIds[0]!, 700],
    ])}`.execute(api.owner);
  expect(await owedOf(ledgerId)).toEqual([200]);
});

test('the server may not write what is owed, and reckoning it anew finds the same', async () => {
  const { ledgerId } = await ledgerWith([1000, 2000]);
  for (const change of [
    sql`UPDATE owed_charges SET owed_cents = 1`,
    sql`DELETE FROM owed_charges`,
    sql`SELECT reckon_owed_charges(ARRAY[${ledgerId}]::uuid[])`,
  ])
    await expect(change.execute(api.ctx.db)).rejects.toMatchObject({ code: '42501' });
  const stored = () =>
    api.owner.selectFrom('owed_charges').selectAll().orderBy('entry_id').execute();
  const before = await stored();
  expect(before.length).toBeGreaterThan(2);
  await sql`UPDATE owed_charges SET owed_cents = owed_cents + 1`.execute(api.owner);
  await sql`SELECT reckon_owed_charges(ARRAY(SELECT id FROM ledgers))`.execute(api.owner);
  expect(await stored()).toEqual(before);
});

test('what is owed is looked up by id, also by a plan that was made when the tables were empty', async () => {
  const empty = await openTestApp('empty_template');
  try {
    const facility_id = await makeFacility(empty.owner, {
      corporation_id: await makeCorporation(empty.owner),
    });
    const tenant_id = await makeTenant(empty.owner, { facility_id });
    const counts = await empty.owner.transaction().execute(async (trx) => {
      const { ledgerId } = await makeLedger(trx, empty.ctx.vault, {
        tenant_id,
        unit: { facility_id, name: 'A101' },
      });
      // PostgreSQL keeps a plan from the sixth execution on.
      for (let batch = 0; batch < 10; batch += 1) await chargeAndCredit(trx, ledgerId);
      const before = await readCounts(trx);
      await chargeAndCredit(trx, ledgerId);
      const after = await readCounts(trx);
      return after.map(({ table, whole, rows }, index) => ({
        table,
        whole: whole - before[index]!.whole,
        // Rows that indexes brought, for each of the twenty charges.
        rows: Math.ceil((rows - before[index]!.rows) / 20),
      }));
    });
    expect(counts.map(({ table, whole }) => [table, whole])).toEqual(
      counts.map(({ table }) => [table, 0]),
    );
    for (const { rows } of counts) expect(rows).toBeLessThan(12);
  } finally {
    await empty.close();
  }
});

/** Twenty charges in one statement, and a credit that settles half of each. */
async function chargeAndCredit(trx: DatabaseTransaction, ledgerId: string): Promise<void> {
  await sql`
    WITH charge AS (
      INSERT INTO entries (ledger_id, kind, amount_cents, posted_on)
      SELECT ${ledgerId}, 'charge', 1000, '2026-03-01' FROM generate_series(1, 20) RETURNING id, ledger_id
    )
    INSERT INTO charges (entry_id, ledger_id, category, description, due_on, price_cents)
    SELECT id, ledger_id, 'fee', 'Fee', '2026-03-01', 1000 FROM charge`.execute(trx);
  await sql`
    WITH credit AS (
      INSERT INTO entries (ledger_id, kind, amount_cents, posted_on)
      VALUES (${ledgerId}, 'credit', -10000, '2026-03-02') RETURNING id
    )
    INSERT INTO allocations (credit_entry_id, charge_entry_id, amount_cents)
    SELECT credit.id, newest.entry_id, 500 FROM credit, (
      SELECT c.entry_id FROM charges c JOIN entries e ON e.id = c.entry_id ORDER BY e.position DESC LIMIT 20) newest`.execute(
    trx,
  );
}

/** How often a table was read as a whole in this transaction, and how many rows indexes brought. */
async function readCounts(
  trx: DatabaseTransaction,
): Promise<{ table: string; whole: number; rows: number }[]> {
  const { rows } = await sql<{ table: string; whole: number; rows: number }>`
    SELECT relname AS table, seq_scan::int AS whole, idx_tup_fetch::int AS rows FROM pg_stat_xact_user_tables
    WHERE relname IN ('ledgers', 'units', 'owed_charges') ORDER BY 1`.execute(trx);
  return rows;
}
