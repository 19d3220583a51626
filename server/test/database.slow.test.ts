import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { prepareDatabase } from '#app/prepare.ts';
import type { Config } from '#config/config.ts';
import { openVault } from '#crypto/vault.ts';
import { migrate, missingMigrations, openOwnerDatabase, type Database } from '#db/database.ts';
import { makeCorporation, makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { patience } from './patience.ts';

let maintenance: Database;
beforeAll(() => {
  maintenance = openOwnerDatabase(inject('clusterUrl'));
});
afterAll(() => maintenance.destroy());

/** The URL of a new database without tables. */
async function newDatabase(): Promise<string> {
  const name = `database_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(maintenance, name, 'template0');
  return databaseUrl(inject('clusterUrl'), name);
}

test('several servers that start at once on an empty database prepare it once', async () => {
  const empty = await newDatabase();
  const keys = { dataKeys: [Buffer.alloc(32, 7)], secret: Buffer.alloc(32, 8) };
  const config = { corporationCode: 'ANCHOR', clockShiftMs: 0, ...keys } as Config;
  const made = await Promise.all(Array.from({ length: 4 }, () => prepareDatabase(empty, config)));
  expect(made.filter(Boolean)).toHaveLength(1);
  const owner = openOwnerDatabase(empty);
  const facilities = await owner.selectFrom('facilities').select('id').execute();
  expect(facilities).toHaveLength(12);
  await expect(prepareDatabase(empty, { ...config, profile: 'live' })).rejects.toThrow(
    'The database has the demo’s sign-ins, such as dana@example.com, whose password is public; the live profile needs a database without them.',
  );
  await owner.destroy();
});

test('a slow index build does not block writes, and is repeated after a start was killed during it', async () => {
  const bare = await newDatabase();
  const [owner, writer, other] = [
    openOwnerDatabase(bare),
    openOwnerDatabase(bare),
    openOwnerDatabase(bare),
  ];
  const indexes = async () => {
    const { rows } = await sql<{ name: string; isWhole: boolean }>`
      SELECT indexrelid::regclass::text AS name, indisvalid AS "isWhole" FROM pg_index
      WHERE indrelid = 'payments'::regclass ORDER BY 1`.execute(other);
    return rows.filter(({ name }) => /ledger_id_idx|history/.test(name));
  };
  await migrate(owner, '0026_operations');
  expect(await indexes()).toEqual([{ name: 'payments_ledger_id_idx', isWhole: true }]);
  const write = (db: Database) => sql`DELETE FROM payments WHERE false`.execute(db);
  await writer.transaction().execute(async (trx) => {
    await write(trx);
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(owner);
    const killed = expect(migrate(owner)).rejects.toThrow();
    await vi.waitFor(
      async () =>
        expect(await indexes()).toContainEqual({ name: 'payments_history', isWhole: false }),
      patience,
    );
    await write(other);
    await sql`SELECT pg_terminate_backend(${rows[0]!.pid})`.execute(other);
    await killed;
  });
  await migrate(other);
  expect(await indexes()).toEqual([{ name: 'payments_history', isWhole: true }]);
  for (const db of [owner, writer, other]) await db.destroy();
});

test('a migration lets calls go first that hold its tables, and is tried again until it has them', async () => {
  const bare = await newDatabase();
  const [owner, serving, watching] = [
    openOwnerDatabase(bare),
    openOwnerDatabase(bare),
    openOwnerDatabase(bare),
  ];
  await migrate(owner, '0040_unit_days_of_tenants');
  /** When the migration began to wait for a lock, for the last time. */
  const waitingSince = async () => {
    const { rows } = await sql<{ since: Date | null }>`
      SELECT max(waitstart) AS since FROM pg_locks WHERE NOT granted AND database =
        (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(watching);
    return rows[0]!.since;
  };
  let migrated: Promise<void> | undefined;
  await serving.transaction().execute(async (trx) => {
    await sql`SELECT FROM ledgers FOR UPDATE`.execute(trx);
    migrated = migrate(owner);
    const first = await vi.waitFor(async () => {
      const since = await waitingSince();
      expect(since).not.toBeNull();
      return since!;
    }, patience);
    await vi.waitFor(
      async () => expect((await waitingSince())?.getTime()).toBeGreaterThan(first.getTime()),
      patience,
    );
    // A call that holds a ledger continues with the tables that the migrations change as well.
    await sql`SELECT FROM rate_notices FOR UPDATE`.execute(trx);
  });
  await migrated;
  expect(await missingMigrations(watching)).toEqual([]);
  for (const db of [owner, serving, watching]) await db.destroy();
});

test('what is owed of charges that were there before it was stored is reckoned, and again after a kill', async () => {
  const bare = await newDatabase();
  const owner = openOwnerDatabase(bare);
  await migrate(owner, '0071_mail_budgets_concurrently');
  const ledgerId = await owner.transaction().execute(async (trx) => {
    const corporation_id = await makeCorporation(trx);
    const facility_id = await makeFacility(trx, { corporation_id });
    const tenant_id = await makeTenant(trx, { facility_id });
    const { ledgerId } = await makeLedger(trx, openVault([Buffer.alloc(32, 7)]), {
      tenant_id,
      unit: { facility_id },
    });
    await sql`
      WITH entry AS (
        INSERT INTO entries (ledger_id, kind, amount_cents, posted_on)
        SELECT ${ledgerId}, 'charge', 100 * n, '2026-01-01' FROM generate_series(1, 3) n RETURNING id, amount_cents
      ), paid AS (
        INSERT INTO entries (ledger_id, kind, amount_cents, posted_on) VALUES (${ledgerId}, 'credit', -150, '2026-01-02')
        RETURNING id
      ), charge AS (
        INSERT INTO charges (entry_id, ledger_id, category, description, due_on, price_cents)
        SELECT id, ${ledgerId}, 'fee', 'Fee', '2026-01-01', amount_cents FROM entry
      )
      INSERT INTO allocations (credit_entry_id, charge_entry_id, amount_cents)
      SELECT paid.id, entry.id, amount_cents / 2 FROM paid, entry WHERE amount_cents < 300`.execute(
      trx,
    );
    return ledgerId;
  });
  await migrate(owner, '0072_owed_charges');
  const stored = async () => {
    const { rows } = await sql<{ cents: number }>`
      SELECT owed_cents AS cents FROM owed_charges WHERE ledger_id = ${ledgerId} ORDER BY 1`.execute(
      owner,
    );
    return rows.map(({ cents }) => cents);
  };
  expect(await stored()).toEqual([]);
  await migrate(owner, '0073_owed_charges_concurrently');
  expect(await stored()).toEqual([50, 100, 300]);
  // As a start that was killed before the migration was noted as done.
  await sql`DELETE FROM kysely_migration WHERE name = '0073_owed_charges_concurrently'`.execute(
    owner,
  );
  await migrate(owner);
  expect(await stored()).toEqual([50, 100, 300]);
  await owner.destroy();
});

test('names that were there before are found by their words, and again after a kill', async () => {
  const bare = await newDatabase();
  const owner = openOwnerDatabase(bare);
  await migrate(owner, '0096_reminders');
  const corporation_id = await makeCorporation(owner);
  const facility_id = await makeFacility(owner, { corporation_id });
  const tenantId = await makeTenant(owner, {
    facility_id,
    first_name: 'Mary Ann',
    last_name: 'Reyes-Marine LLC',
  });
  await makeTenant(owner, { facility_id, first_name: 'Dana', last_name: 'Reyes' });
  const stored = () => owner.selectFrom('tenant_name_parts').selectAll().orderBy('part').execute();
  await migrate(owner, '0099_name_parts');
  expect(await stored()).toEqual([]);
  await migrate(owner, '0099_name_parts_concurrently');
  const parts = ['ann reyes marine llc', 'llc mary ann', 'marine llc mary ann'].map((part) => ({
    tenant_id: tenantId,
    facility_id,
    part,
  }));
  expect(await stored()).toEqual(parts);
  // As a start that was killed before the migration was noted as done.
  await sql`DELETE FROM kysely_migration WHERE name = '0099_name_parts_concurrently'`.execute(
    owner,
  );
  await migrate(owner);
  expect(await stored()).toEqual(parts);
  await owner.destroy();
});

test('a move-out that was settled before has the final statement that was mailed', async () => {
  const bare = await newDatabase();
  const owner = openOwnerDatabase(bare);
  await migrate(owner, '0099_name_parts_concurrently');
  const corporation_id = await makeCorporation(owner);
  const facility_id = await makeFacility(owner, { corporation_id });
  const tenant_id = await makeTenant(owner, { facility_id });
  const { ledgerId } = await makeLedger(owner, openVault([Buffer.alloc(32, 7)]), {
    tenant_id,
    unit: { facility_id },
    moved_in_on: '2026-01-01',
  });
  // $50.00 were charged; at the move-out $30.00 given back; a fee came later.
  await sql`
    WITH charge AS (
      INSERT INTO entries (ledger_id, kind, amount_cents, posted_on, created_at)
      VALUES (${ledgerId}, 'charge', 5000, '2026-01-01', '2026-01-01T12:00Z') RETURNING id
    ), waiver AS (
      INSERT INTO entries (ledger_id, kind, amount_cents, posted_on, created_at)
      VALUES (${ledgerId}, 'credit', -3000, '2026-02-01', '2026-02-01T12:00Z') RETURNING id
    ), later AS (
      INSERT INTO entries (ledger_id, kind, amount_cents, posted_on, created_at)
      VALUES (${ledgerId}, 'charge', 700, '2026-02-02', '2026-02-02T12:00Z') RETURNING id
    ), charges AS (
      INSERT INTO charges (entry_id, ledger_id, category, description, due_on, price_cents)
      SELECT id, ${ledgerId}::uuid, 'deposit', 'Deposit', '2026-01-01'::date, 5000 FROM charge
      UNION ALL SELECT id, ${ledgerId}::uuid, 'fee', 'Cleaning', '2026-02-02', 700 FROM later
    )
    INSERT INTO credits (entry_id, ledger_id, description, charge_entry_id)
    SELECT waiver.id, ${ledgerId}::uuid, 'Deposit given back', charge.id FROM waiver, charge`.execute(
    owner,
  );
  await sql`
    INSERT INTO move_outs (ledger_id, credit, planned_at, settled_at)
    VALUES (${ledgerId}, 'refund', '2026-02-01T12:00Z', '2026-02-01T12:00Z')`.execute(owner);
  await migrate(owner);
  const { statement } = await owner
    .selectFrom('move_outs')
    .select('statement')
    .executeTakeFirstOrThrow();
  expect(statement).toEqual({
    ...{ beforeCents: 5000, balanceCents: 2000, refundedCents: 0, byHandCents: 0 },
    lines: [{ description: 'Deposit given back', cents: -3000 }],
  });
  await owner.destroy();
});
