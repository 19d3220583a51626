import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLedger, postCharges } from '#seeds/builders.ts';
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
