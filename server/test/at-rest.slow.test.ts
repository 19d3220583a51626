import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Config } from '#config/config.ts';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { prepareDatabase } from '#app/prepare.ts';
import { StartFault } from '#errors/start-fault.ts';
import { openVault, sealedColumns, type SealedColumn } from '#crypto/vault.ts';
import { sealBlocks, sealBody, type MailBody } from '#features/base/mail/bodies.ts';
import { makeVehiclePaper } from '#seeds/builders.ts';
import { testClock } from '#test/test-day.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { addRows, changeRows, findRows } from './rows.ts';

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
    WHERE ${sql.ref(name)} <> '' ORDER BY 1`.execute(owner);
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

const body: MailBody = { text: 'Open /pay/rpt_x', html: '<p>Open it.</p>' };

/** A mail as a server stores it; returns its id. */
async function addMail(owner: Database): Promise<string> {
  const id = randomUUID();
  const vault = openVault([testKey]);
  await addRows(owner, 'mails', {
    id,
    to_address: 'dana@example.com',
    subject: 'Hello',
    kind: 'legal',
    language: 'en',
    ...sealBody(vault, id, body),
    blocks: sealBlocks(vault, id, []),
  });
  return id;
}

/** Deletes the texts of a mail, as retention does. */
async function forgetMail(owner: Database, id: string): Promise<void> {
  const empty = { text_body: '', html_body: '', blocks: null };
  await changeRows(owner, 'mails', empty, { id });
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
  await changeRows(
    owner,
    'staff_members',
    {
      totp_secret: vault.seal('totpSecret', id, 'JBSWY3DPEHPK3PXP'),
      new_totp_secret: vault.seal('newTotpSecret', id, 'KRSXG5CTMVRXEZLU'),
    },
    { id },
  );
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

/** A further person of a rental, with a gate code. */
async function givePerson(owner: Database): Promise<void> {
  const { ledger_id, facility_id } = await owner
    .selectFrom('ledgers as l')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .select(['l.id as ledger_id', 'u.facility_id'])
    .limit(1)
    .executeTakeFirstOrThrow();
  const [id, created_at] = [randomUUID(), testClock.now()];
  const access_code = openVault([testKey]).seal('personCode', id, '7001#');
  const row = { id, ledger_id, facility_id, name: 'Ada Okafor', by_name: 'Ana' };
  await addRows(owner, 'authorized_persons', { ...row, access_code, created_at });
}

/** An import of lease sheets that waits for its job, with a report as an ended one has. */
async function giveImport(owner: Database): Promise<void> {
  const member = await owner
    .selectFrom('staff_members')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const [id, created_at] = [randomUUID(), testClock.now()];
  const vault = openVault([testKey]);
  const given = vault.seal('leaseImport', id, '{}');
  const report = vault.seal('leasesReport', id, '{}');
  const row = { id, staff_id: member.id, by_name: 'Ana', is_preview: true, created_at };
  await addRows(owner, 'lease_imports', { ...row, given, report, state: 'waiting' });
}

/** A text message, which the demo world does not have. */
async function giveText(owner: Database): Promise<void> {
  const tenant = await owner.selectFrom('tenants').select('id').limit(1).executeTakeFirstOrThrow();
  const [id, at] = [randomUUID(), testClock.now()];
  await addRows(owner, 'texts', {
    id,
    tenant_id: tenant.id,
    to_phone: '+18175550142',
    kind: 'welcome',
    body: openVault([testKey]).seal('textBody', id, 'Hello'),
    body_until: at,
    created_at: at,
  });
}

describe('the demo database', () => {
  // asvs 14.2.4
  test('holds no license number, gate code or gateway token that can be read', async () => {
    const { owner } = await copyOf('demo_template');
    const all = await dump(owner);
    expect(all).toContain('Lee');
    const licenses = await openedOf(owner, 'license', testKey);
    expect(licenses.toSorted()).toEqual(['19384756', '28840917']);
    const codes = await openedOf(owner, 'gateCode', testKey);
    expect(codes.length).toBeGreaterThan(5);
    const tokens = await findRows(owner, 'sandbox_gateway.methods', 'token');
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
    await givePerson(owner);
    await giveImport(owner);
    await addMail(owner);
    for (const column of columns) {
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

  // asvs 11.2.2
  test('with a new key before the old one seals everything again, and then the old one can be removed', async () => {
    const { owner, prepare } = await copyOf('demo_template');
    await forgetMail(owner, await addMail(owner));
    await addMail(owner);
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

  test('that was interrupted between two columns is completed by the next', async () => {
    const { owner, prepare } = await copyOf('demo_template');
    await addMail(owner);
    await giveSecondStep(owner);
    await givePaper(owner);
    await giveText(owner);
    await givePerson(owner);
    await giveImport(owner);
    const [token] = await valuesOf(owner, 'gatewayToken');
    const writeToken = (value: string) =>
      changeRows(owner, 'payment_methods', { gateway_token: value }, { id: token![0] });
    await writeToken('sealed:1:0000000000000000:AAAA');
    await expect(prepare(newKey, testKey)).rejects.toBeInstanceOf(StartFault);
    expect(await openedOf(owner, 'license', newKey)).toHaveLength(2);
    await writeToken(token![1]);
    await prepare(newKey, testKey);
    for (const column of columns)
      expect((await openedOf(owner, column, newKey)).length).toBeGreaterThan(0);
  });
});
