import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';

let api: TestApp;
beforeAll(async () => {
  api = await openTestApp('demo_template');
});
afterAll(() => api.close());

test('the server may not write what was taken, and reckoning it anew finds the same', async () => {
  for (const change of [
    sql`UPDATE takings SET cents = cents + 1`,
    sql`DELETE FROM takings`,
    sql`SELECT reckon_takings(ARRAY(SELECT id FROM ledgers))`,
  ])
    await expect(change.execute(api.ctx.db)).rejects.toMatchObject({ code: '42501' });
  const stored = () => api.owner.selectFrom('takings').selectAll().orderBy('entry_id').execute();
  const before = await stored();
  expect(before.length).toBeGreaterThan(2);
  await sql`UPDATE takings SET cents = cents * 2`.execute(api.owner);
  await sql`SELECT reckon_takings(ARRAY(SELECT id FROM ledgers))`.execute(api.owner);
  expect(await stored()).toEqual(before);
});

test.each(['reckoned_payment_takings', 'reckoned_other_takings'])(
  'what is added is looked up by its entry, however many payments there are: %s',
  async (view) => {
    await sql`
      WITH payment AS MATERIALIZED (
        SELECT l.id AS ledger_id, l.tenant_id, gen_random_uuid() AS intent_id, gen_random_uuid() AS entry_id,
          nextval('receipt_numbers')::text AS receipt
        FROM (SELECT id, tenant_id FROM ledgers LIMIT 1) l CROSS JOIN generate_series(1, 3000)
      ), intent AS (
        INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt, receipt_number)
        SELECT intent_id, tenant_id, 'creditCard', 'Visa ending in 4242', 100, 'succeeded', sha256(receipt::bytea), 1, receipt
        FROM payment
      ), entry AS (
        INSERT INTO entries (id, ledger_id, kind, amount_cents, posted_on)
        SELECT entry_id, ledger_id, 'payment', -100, '2026-01-05' FROM payment
      )
      INSERT INTO payments (entry_id, intent_id, ledger_id, description, receipt_number)
      SELECT entry_id, intent_id, ledger_id, 'Visa ending in 4242', receipt FROM payment`.execute(
      api.owner,
    );
    const plan = await api.owner.transaction().execute(async (trx) => {
      // As the function has it that adds what went back; that of payments needs no setting.
      if (view === 'reckoned_other_takings')
        await sql`SET LOCAL join_collapse_limit = 16`.execute(trx);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        EXPLAIN SELECT t.* FROM unnest(ARRAY[gen_random_uuid()]) AS added (entry_id)
        JOIN ${sql.table(view)} t ON t.entry_id = added.entry_id`.execute(trx);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('Index Scan');
    expect(plan).not.toMatch(/Seq Scan on (entries|payments|payment_intents)\b/);
  },
);
