import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { prepareDatabase } from '#app/prepare.ts';
import type { Config } from '#config/config.ts';
import {
  allMigrations,
  migrate,
  migrationsFolder,
  missingMigrations,
  openOwnerDatabase,
  type Database,
} from '#db/database.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { patience } from './patience.ts';
import { findRows } from './rows.ts';

let maintenance: Database;
const folders: string[] = [];
beforeAll(() => {
  maintenance = openOwnerDatabase(inject('clusterUrl'));
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
  await maintenance.destroy();
});

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
  const facilities = await findRows(owner, 'facilities', 'id');
  expect(facilities).toHaveLength(12);
  await expect(prepareDatabase(empty, { ...config, profile: 'live' })).rejects.toThrow(
    'The database has the demo’s sign-ins, such as dana@example.com, whose password is public; the live profile needs a database without them.',
  );
  await owner.destroy();
});

/** The migrations of this version and one more with this text. */
async function withNext(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-migrations-'));
  folders.push(folder);
  await cp(migrationsFolder, folder, { recursive: true });
  await writeFile(join(folder, `${name}.sql`), text);
  return folder;
}

test('the tables are made as they were after a migration, for a backup of that time, and completed', async () => {
  const owner = openOwnerDatabase(await newDatabase());
  const all = await allMigrations();
  await migrate(owner, { last: all[1] });
  expect(await missingMigrations(owner)).toEqual(all.slice(2));
  await migrate(owner);
  expect(await missingMigrations(owner)).toEqual([]);
  await owner.destroy();
});

test('text that was stored before is brought to the one form that it has now, and two units of one name are named', async () => {
  const owner = openOwnerDatabase(await newDatabase());
  const before = (await allMigrations()).filter((name) => name < '0021');
  await migrate(owner, { last: before.at(-1) });
  const { rows } = await sql<{ id: string }>`
    WITH c AS (INSERT INTO corporations (code, name) VALUES ('ANCHOR', 'Anchor') RETURNING id)
    INSERT INTO facilities (corporation_id, location_code, name, phone, street1, city, region, postal_code, time_zone)
    SELECT id, 'TXDFW03', 'Eagle', '+1 817-555-0103', '1 Pier', 'Azle', 'TX', '76020', 'America/Chicago' FROM c
    RETURNING id`.execute(owner);
  const facilityId = rows[0]!.id;
  const names = [
    ['Jose\u0301', 'Mun\u0303oz Mari\u200Bna', '(817) 555-0142', '817.555.0143'],
    ['Lee', 'Okafor', '+45 12 34 56 78', 'ask at the desk'],
  ];
  for (const [first, last, phone, other] of names)
    await sql`
      INSERT INTO tenants (facility_id, first_name, last_name, email, phone, street1, city, region, postal_code,
        alternate_first_name, alternate_last_name, alternate_email, alternate_phone)
      VALUES (${facilityId}, ${first}, ${last}, 'a@example.com', ${phone}, '1 Pier', 'Azle', 'TX', '76020', 'A', 'B', 'a@b.co', ${other})`.execute(
      owner,
    );
  const addUnit = (name: string) =>
    sql`INSERT INTO units (facility_id, name, width_feet, length_feet, type_name)
      VALUES (${facilityId}, ${name}, 12, 40, 'RV')`.execute(owner);
  for (const name of ['A1', 'a\u200B1', 'B\u00A02']) await addUnit(name);
  await expect(migrate(owner)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('at TXDFW03 the units A1 and a\u200B1') as string },
  });
  await sql`UPDATE units SET name = 'A9' WHERE name = ${'a\u200B1'}`.execute(owner);
  await migrate(owner);

  const { rows: tenants } = await sql`
    SELECT first_name AS first, last_name AS last, first_key AS "firstKey", last_key AS "lastKey", phone, phone_digits AS digits,
      alternate_phone AS other, text_phone(phone) AS texts, ARRAY(SELECT part FROM tenant_name_parts p WHERE p.tenant_id = t.id) AS parts
    FROM tenants t ORDER BY last_name DESC`.execute(owner);
  expect(tenants).toEqual([
    {
      first: 'Lee',
      last: 'Okafor',
      firstKey: 'lee',
      lastKey: 'okafor',
      phone: '+45 12 34 56 78',
      digits: '4512345678',
      other: 'ask at the desk',
      texts: null,
      parts: [],
    },
    {
      first: 'Jos\u00E9',
      last: 'Mu\u00F1oz Marina',
      firstKey: 'jose',
      lastKey: 'munozmarina',
      phone: '8175550142',
      digits: '8175550142',
      other: '8175550143',
      texts: '+18175550142',
      parts: ['marinajose'],
    },
  ]);
  const { rows: units } = await sql<{ name: string }>`SELECT name FROM units ORDER BY name`.execute(
    owner,
  );
  expect(units.map(({ name }) => name)).toEqual(['A1', 'A9', 'B 2']);
  const { rows: facilities } = await sql`SELECT phone FROM facilities`.execute(owner);
  expect(facilities).toEqual([{ phone: '8175550103' }]);
  await expect(addUnit('b 2')).rejects.toMatchObject({ code: '23505' });
  await owner.destroy();
});

test('a slow index build does not block writes, and is repeated after a start was killed during it', async () => {
  const bare = await newDatabase();
  const [owner, writer, other] = [
    openOwnerDatabase(bare),
    openOwnerDatabase(bare),
    openOwnerDatabase(bare),
  ];
  const built = async () => {
    const { rows } = await sql<{ isWhole: boolean }>`
      SELECT indisvalid AS "isWhole" FROM pg_index
      WHERE indexrelid = to_regclass('payments_later')`.execute(other);
    return rows;
  };
  await migrate(owner);
  const folder = await withNext(
    '9999_later_concurrently',
    `DROP INDEX CONCURRENTLY IF EXISTS payments_later;
     CREATE INDEX CONCURRENTLY payments_later ON payments (description);
     COMMENT ON INDEX payments_later IS 'built';`,
  );
  const write = (db: Database) => sql`DELETE FROM payments WHERE false`.execute(db);
  await writer.transaction().execute(async (trx) => {
    await write(trx);
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(owner);
    const killed = expect(migrate(owner, { folder })).rejects.toThrow();
    await vi.waitFor(async () => expect(await built()).toEqual([{ isWhole: false }]), patience);
    await write(other);
    await sql`SELECT pg_terminate_backend(${rows[0]!.pid})`.execute(other);
    await killed;
  });
  await migrate(other, { folder });
  expect(await built()).toEqual([{ isWhole: true }]);
  for (const db of [owner, writer, other]) await db.destroy();
});

test('a migration lets calls go first that hold its tables, and is tried again until it has them', async () => {
  const bare = await newDatabase();
  const [owner, serving, watching] = [
    openOwnerDatabase(bare),
    openOwnerDatabase(bare),
    openOwnerDatabase(bare),
  ];
  await migrate(owner);
  const folder = await withNext(
    '9999_later',
    `ALTER TABLE ledgers ADD COLUMN later integer;
     ALTER TABLE rate_notices ADD COLUMN later integer;`,
  );
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
    migrated = migrate(owner, { folder });
    const first = await vi.waitFor(async () => {
      const since = await waitingSince();
      expect(since).not.toBeNull();
      return since!;
    }, patience);
    await vi.waitFor(
      async () => expect((await waitingSince())?.getTime()).toBeGreaterThan(first.getTime()),
      patience,
    );
    // A call that holds a ledger continues with the tables that the migration changes as well.
    await sql`SELECT FROM rate_notices FOR UPDATE`.execute(trx);
  });
  await migrated;
  await sql`SELECT later FROM ledgers`.execute(watching);
  for (const db of [owner, serving, watching]) await db.destroy();
});
