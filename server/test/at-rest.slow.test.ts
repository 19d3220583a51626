import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Config } from '#config/config.ts';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { prepareDatabase } from '#app/prepare.ts';
import { StartFault } from '#errors/start-fault.ts';
import { openVault, sealedColumns, type SealedColumn } from '#crypto/vault.ts';
import { openBody, sealBlocks, sealBody, type MailBody } from '#features/mail/bodies.ts';
import { makeVehiclePaper } from '#seeds/builders.ts';
import { testClock } from '#test/test-day.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { createDatabase, databaseUrl } from './templates.ts';

const columns = Object.keys(sealedColumns) as SealedColumn[];
const testKey = Buffer.from(TEST_DATA_KEYS, 'hex');
const opened: Database[] = [];
let maintenance: Database;
beforeAll(() => {
  maintenance = openOwnerDatabase(inject('clusterUrl'));
});
afterAll(async () => {
  for (const owner of opened) await owner.destroy();
  await maintenance.destroy();
});

/**
 * A database of its own, its owner connection, and a function that prepares it as a server with
 * these keys does.
 */
async function copyOf(template: string) {
  const name = `at_rest_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(maintenance, name, template);
  const url = databaseUrl(inject('clusterUrl'), name);
  const owner = openOwnerDatabase(url);
  opened.push(owner);
  const prepare = (...dataKeys: Buffer[]) =>
    prepareDatabase(url, {
      corporationCode: 'ANCHOR',
      dataKeys,
      secret: Buffer.alloc(32, 9),
    } as Config);
  return { owner, prepare };
}

/** The values of a sealed column, by row id. */
async function valuesOf(owner: Database, column: SealedColumn): Promise<Map<string, string>> {
  const { table, column: name, row } = sealedColumns[column];
  const { rows } = await sql<{ id: string; value: string }>`
    SELECT ${sql.ref(row)} AS id, ${sql.ref(name)} AS value FROM ${sql.table(table)}
    WHERE ${sql.ref(name)} IS NOT NULL ORDER BY 1`.execute(owner);
  return new Map(rows.map(({ id, value }) => [id, value]));
}

/** The texts of a column, opened with the keys. Throws where one does not open. */
async function openedOf(
  owner: Database,
  column: SealedColumn,
  ...keys: Buffer[]
): Promise<string[]> {
  const vault = openVault(keys);
  return [...(await valuesOf(owner, column))].map(([id, value]) => vault.open(column, id, value));
}

const body: MailBody = { text: 'Open /staff/requests/rqt_x', html: '<p>Open it.</p>' };

/** A mail as a server stores it, or as one of the version before did; returns its id. */
async function addMail(
  owner: Database,
  { isSealed, isSent }: { isSealed: boolean; isSent: boolean },
): Promise<string> {
  const id = randomUUID();
  const vault = openVault([testKey]);
  const stored = isSealed
    ? { ...sealBody(vault, id, body), blocks: sealBlocks(vault, id, []) }
    : { text_body: body.text, html_body: body.html };
  await owner
    .insertInto('mails')
    .values({ id, to_address: 'dana@example.com', subject: 'Hello', ...stored })
    .execute();
  if (isSent)
    await owner
      .updateTable('mails')
      .set({ sent_at: testClock.now() })
      .where('id', '=', id)
      .execute();
  return id;
}

/** Every row of every table but the sandbox gateway's own, as text. */
async function dump(owner: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema', 'sandbox_gateway')`.execute(
    owner,
  );
  const tables = await Promise.all(
    rows.map(({ name }) =>
      sql<{ row: string }>`SELECT t::text AS row FROM ${sql.raw(name)} t`.execute(owner),
    ),
  );
  return tables.flatMap((table) => table.rows.map(({ row }) => row)).join('\n');
}

/** Gives a member of staff the secrets of a second step, the one that counts and a new one. */
async function giveSecondStep(owner: Database): Promise<void> {
  const { id } = await owner
    .selectFrom('staff_members')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const vault = openVault([testKey]);
  await owner
    .updateTable('staff_members')
    .set({
      totp_secret: vault.seal('totpSecret', id, 'JBSWY3DPEHPK3PXP'),
      new_totp_secret: vault.seal('newTotpSecret', id, 'KRSXG5CTMVRXEZLU'),
    })
    .where('id', '=', id)
    .execute();
}

/** Files a paper for a rental. */
async function givePaper(owner: Database): Promise<void> {
  const { id } = await owner.selectFrom('ledgers').select('id').limit(1).executeTakeFirstOrThrow();
  await makeVehiclePaper(owner, openVault([testKey]), {
    ledger_id: id,
    expires_on: '2027-01-31',
    created_at: testClock.now(),
  });
}

/** A text message, which the demo world does not have. */
async function giveText(owner: Database): Promise<void> {
  const tenant = await owner.selectFrom('tenants').select('id').limit(1).executeTakeFirstOrThrow();
  const [id, at] = [randomUUID(), testClock.now()];
  await owner
    .insertInto('texts')
    .values({
      ...{ id, tenant_id: tenant.id, to_phone: '+18175550142', kind: 'welcome' },
      body: openVault([testKey]).seal('textBody', id, 'Hello'),
      ...{ body_until: at, created_at: at },
    })
    .execute();
}

describe('the demo database', () => {
  test('holds no license number, gate code or gateway token that can be read', async () => {
    const { owner } = await copyOf('demo_template');
    const all = await dump(owner);
    expect(all).toContain('Lee');
    const licenses = await openedOf(owner, 'license', testKey);
    expect(licenses.toSorted()).toEqual(['19384756', '28840917']);
    const codes = await openedOf(owner, 'gateCode', testKey);
    expect(codes.length).toBeGreaterThan(5);
    const tokens = await owner.selectFrom('sandbox_gateway.methods').select('token').execute();
    expect(await openedOf(owner, 'gatewayToken', testKey)).toEqual(
      expect.arrayContaining(tokens.map(({ token }) => token)),
    );
    for (const secret of [...licenses, ...codes, ...tokens.map(({ token }) => token)]) {
      expect(all).not.toContain(secret);
    }
  });

  test('takes no plain value', async () => {
    const { owner } = await copyOf('demo_template');
    await giveSecondStep(owner);
    await givePaper(owner);
    await giveText(owner);
    // Servers of the version before write plain mails while they run beside this one.
    const others = columns.filter((column) => sealedColumns[column].table !== 'mails');
    for (const column of others) {
      const { table, column: name } = sealedColumns[column];
      const write = sql`UPDATE ${sql.table(table)} SET ${sql.ref(name)} = '28840917' WHERE ${sql.ref(name)} IS NOT NULL`;
      await expect(write.execute(owner)).rejects.toMatchObject({ code: '23514' });
    }
  });
});

describe('a start', () => {
  const newKey = Buffer.alloc(32, 8);

  test('under the same key changes nothing', async () => {
    const { owner, prepare } = await copyOf('demo_template');
    const before = await Promise.all(columns.map((column) => valuesOf(owner, column)));
    await prepare(testKey);
    await prepare(testKey, newKey);
    expect(await Promise.all(columns.map((column) => valuesOf(owner, column)))).toEqual(before);
  });

  test('with a new key before the old one seals everything again, and then the old one can be removed', async () => {
    const { owner, prepare } = await copyOf('demo_template');
    for (const isSent of [true, false]) await addMail(owner, { isSealed: true, isSent });
    const before = await Promise.all(columns.map((column) => openedOf(owner, column, testKey)));
    await prepare(newKey, testKey);
    expect(await Promise.all(columns.map((column) => openedOf(owner, column, newKey)))).toEqual(
      before,
    );
    await prepare(newKey);
  });

  test('without the key of a value is refused in a sentence, and loses nothing', async () => {
    const { owner, prepare } = await copyOf('demo_template');
    const before = await Promise.all(columns.map((column) => valuesOf(owner, column)));
    const refusal: unknown = await prepare(newKey).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartFault);
    expect((refusal as StartFault).message).toBe(
      'A sealed value in tenants.drivers_license_number opens with none of the keys; add the key that sealed it to the end of DATA_KEYS.',
    );
    expect(await Promise.all(columns.map((column) => valuesOf(owner, column)))).toEqual(before);
  });

  test('seals the plain mails of the version before but those that it may be about to send, and keeps deleted texts empty', async () => {
    const { owner, prepare } = await copyOf('demo_template');
    const sent = await addMail(owner, { isSealed: false, isSent: true });
    const unsent = await addMail(owner, { isSealed: false, isSent: false });
    const deleted = await addMail(owner, { isSealed: false, isSent: true });
    await owner
      .updateTable('mails')
      .set({ text_body: '', html_body: '' })
      .where('id', '=', deleted)
      .execute();
    await prepare(testKey);
    const rows = await owner.selectFrom('mails').selectAll().execute();
    const rowOf = (id: string) => rows.find((row) => row.id === id)!;
    expect(JSON.stringify(rowOf(sent))).not.toMatch(/rqt_x|Open it/);
    expect(openBody(openVault([testKey]), rowOf(sent))).toEqual(body);
    expect(rowOf(unsent)).toMatchObject({ text_body: body.text, html_body: body.html });
    expect(rowOf(deleted)).toMatchObject({ text_body: '', html_body: '' });
  });

  test('that was interrupted between two columns is completed by the next', async () => {
    const { owner, prepare } = await copyOf('demo_template');
    await addMail(owner, { isSealed: true, isSent: true });
    await giveSecondStep(owner);
    await givePaper(owner);
    await giveText(owner);
    const [token] = await valuesOf(owner, 'gatewayToken');
    const writeToken = (value: string) =>
      owner
        .updateTable('payment_methods')
        .set({ gateway_token: value })
        .where('id', '=', token![0])
        .execute();
    await writeToken('sealed:1:0000000000000000:AAAA');
    await expect(prepare(newKey, testKey)).rejects.toBeInstanceOf(StartFault);
    expect(await openedOf(owner, 'license', newKey)).toHaveLength(2);
    await writeToken(token![1]);
    await prepare(newKey, testKey);
    for (const column of columns)
      expect((await openedOf(owner, column, newKey)).length).toBeGreaterThan(0);
  });
});

describe('a database of the version before', () => {
  const folder = new URL('../src/db/migrations/', import.meta.url);

  /**
   * The tables as they were before values were sealed and insurance was split, with more rows than
   * fit in a batch.
   */
  async function makeEarlier(owner: Database): Promise<void> {
    const files = (await readdir(folder)).filter((file) => file < '0006').toSorted();
    const migrations = await Promise.all(
      files.map(async (file) => {
        const text = await readFile(new URL(file, folder), 'utf8');
        const up = async (db: Kysely<unknown>) => {
          await sql.raw(text).execute(db);
        };
        return [file.replace('.sql', ''), { up }] as const;
      }),
    );
    const provider = { getMigrations: () => Promise.resolve(Object.fromEntries(migrations)) };
    const { error } = await new Migrator({ db: owner, provider }).migrateToLatest();
    if (error !== undefined) throw error as Error;
    await sql
      .raw(
        `
      INSERT INTO corporations (code, name) VALUES ('ANCHOR', 'Anchor & Axle');
      INSERT INTO facilities (corporation_id, location_code, name, street1, city, region, postal_code, time_zone)
        SELECT id, 'TXDFW03', 'Eagle Mountain', '1 Way', 'Fort Worth', 'TX', '76135', 'America/Chicago' FROM corporations;
      INSERT INTO protection_plans (facility_id, description, coverage_cents, premium_cents)
        SELECT id, 'Plan', 500000, 1400 FROM facilities;
      INSERT INTO tenants (facility_id, first_name, last_name, email, street1, city, region, postal_code,
          drivers_license_number, drivers_license_state)
        SELECT f.id, 'T', n::text, n || '@example.com', '1 Way', 'Azle', 'TX', '76020',
          CASE WHEN n % 10 > 0 THEN 'LIC' || n END, CASE WHEN n % 10 > 0 THEN 'TX' END
        FROM facilities f, generate_series(1, 1500) n;
      INSERT INTO units (facility_id, name, width_feet, length_feet, type_name)
        SELECT facility_id, 'U' || last_name, 10, 20, 'RV' FROM tenants WHERE last_name::int <= 1000;
      INSERT INTO ledgers (tenant_id, unit_id, rental_rate_cents, gate_schedule_id, moved_in_on, paid_through)
        SELECT t.id, u.id, 10000, 1, '2026-01-01', '2026-01-31' FROM units u JOIN tenants t ON u.name = 'U' || t.last_name;
      INSERT INTO gate_codes SELECT id, 'CODE' || substr(id::text, 1, 8) FROM ledgers;
      INSERT INTO payment_methods (tenant_id, type, gateway_token, brand, last_four, expires_on)
        SELECT id, 'creditCard', 'tok_' || last_name, 'Visa', '4242', '2030-04' FROM tenants WHERE last_name::int <= 3;
      INSERT INTO ledger_insurance (ledger_id, protection_plan_id, starts_on)
        SELECT l.id, p.id, '2026-01-01' FROM ledgers l JOIN tenants t ON t.id = l.tenant_id, protection_plans p
        WHERE t.last_name = '1';
      INSERT INTO ledger_insurance (ledger_id, policy_company, policy_number, coverage_cents, starts_on, ends_on)
        SELECT l.id, 'Lone Star', 'LS-2', 700000, '2026-01-01', '2027-01-01' FROM ledgers l
        JOIN tenants t ON t.id = l.tenant_id WHERE t.last_name = '2';`,
      )
      .execute(owner);
  }

  test('is sealed by the first start, batch after batch, and keeps its insurance', async () => {
    const { owner, prepare } = await copyOf('template0');
    await makeEarlier(owner);
    expect(await prepare(testKey)).toBe(false);
    // Among thousands of sealed values these letters can occur by chance.
    const open = (await dump(owner)).replace(/sealed:1:[\w:+/=-]+/g, 'sealed');
    expect(open.match(/sealed/g)!.length).toBeGreaterThan(2000);
    expect(open).not.toMatch(/LIC\d|CODE\w|tok_/);

    const tenants = await owner.selectFrom('tenants').select(['id', 'last_name']).execute();
    const vault = openVault([testKey]);
    const licenses = await valuesOf(owner, 'license');
    expect(licenses.size).toBe(1350);
    for (const { id, last_name } of tenants) {
      const sealed = licenses.get(id);
      if (sealed !== undefined) expect(vault.open('license', id, sealed)).toBe(`LIC${last_name}`);
    }
    expect(
      (await openedOf(owner, 'gateCode', testKey)).filter((code) => code.startsWith('CODE')),
    ).toHaveLength(1000);
    expect((await openedOf(owner, 'gatewayToken', testKey)).toSorted()).toEqual([
      'tok_1',
      'tok_2',
      'tok_3',
    ]);

    const plans = await owner
      .selectFrom('ledger_protection_plans')
      .innerJoin('ledgers', 'ledgers.id', 'ledger_id')
      .innerJoin('tenants', 'tenants.id', 'tenant_id')
      .select(['last_name', 'starts_on', 'ends_on'])
      .execute();
    expect(plans).toEqual([{ last_name: '1', starts_on: '2026-01-01', ends_on: null }]);
    const policies = await owner
      .selectFrom('private_policies')
      .select(['company', 'policy_number', 'coverage_cents', 'starts_on', 'ends_on', 'replaced_at'])
      .execute();
    expect(policies).toEqual([
      {
        company: 'Lone Star',
        policy_number: 'LS-2',
        coverage_cents: 700_000,
        starts_on: '2026-01-01',
        ends_on: '2027-01-01',
        replaced_at: null,
      },
    ]);
  });
});
