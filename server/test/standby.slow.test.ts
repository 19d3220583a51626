import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints } from '@gatehouse/contract/endpoints';
import type { Freshness } from '@gatehouse/contract/endpoint';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openDatabase, openOwnerDatabase, migrate, type Database } from '#db/database.ts';
import { startEmbedded, type EmbeddedPostgres } from '#db/embedded.ts';
import { Standby } from '#db/standby.ts';
import { makeCorporation } from '#seeds/builders.ts';
import { openTestApp, signIn } from './app.ts';
import { databaseUrl } from './templates.ts';
import { patience } from './patience.ts';

const waiting = { ...patience, interval: 20 };
let folder: string;
let primary: EmbeddedPostgres;
let copy: EmbeddedPostgres;
let owner: Database;
let db: Database;
let standby: Standby;

/**
 * A primary, and a standby copied from the stopped primary's folder, which then streams from it.
 */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-standby-'));
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  const made = await startEmbedded({ dataDir: one, log: () => {} });
  const making = openOwnerDatabase(made.url);
  await migrate(making);
  await making.destroy();
  await made.stop();
  await mkdir(other, { mode: 0o700 });
  await promisify(execFile)('cp', ['-a', join(one, 'postgres'), join(other, 'postgres')]);
  primary = await startEmbedded({ dataDir: one, log: () => {} });
  const socketDir = new URL(primary.url).searchParams.get('host');
  await writeFile(join(other, 'postgres', 'standby.signal'), '');
  await appendFile(
    join(other, 'postgres', 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${socketDir} user=postgres'\n`,
  );
  copy = await startEmbedded({ dataDir: other, log: () => {} });
  owner = openOwnerDatabase(primary.url);
  db = openDatabase(primary.url, () => {});
  standby = new Standby(copy.url, db, () => {});
});
afterAll(async () => {
  await standby.close();
  await db.destroy();
  await owner.destroy();
  await copy.stop();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The server that answers a read, and the number of corporations that it finds. */
const read = (freshness: Freshness) =>
  standby.read(freshness, null, db, async (asked) => {
    const { rows } = await sql<{ isStandby: boolean; corporations: number }>`
      SELECT pg_is_in_recovery() AS "isStandby", (SELECT count(*)::int FROM corporations) AS corporations`.execute(
      asked,
    );
    return { by: rows[0]!.isStandby ? 'standby' : 'primary', corporations: rows[0]!.corporations };
  });

const onStandby = async (statement: string) => {
  const superuser = new pg.Client(copy.url.replace('gatehouse_owner@', 'postgres@'));
  await superuser.connect();
  await superuser.query(statement);
  await superuser.end();
};

test('a standby answers reads that may be stale, and the primary those that a lagging standby cannot', async () => {
  await vi.waitFor(
    async () => expect(await read('a-second-old')).toEqual({ by: 'standby', corporations: 0 }),
    waiting,
  );
  await makeCorporation(owner, { code: 'FIRST' });
  await vi.waitFor(
    async () => expect(await read('caught-up')).toEqual({ by: 'standby', corporations: 1 }),
    waiting,
  );

  await onStandby('SELECT pg_wal_replay_pause()');
  await makeCorporation(owner, { code: 'SECOND' });
  expect(await read('caught-up')).toEqual({ by: 'primary', corporations: 2 });
  const written = performance.now();
  let lastOld = written;
  await vi.waitFor(async () => {
    const begun = performance.now();
    const answer = await read('a-second-old');
    if (answer.by === 'standby') lastOld = begun;
    expect(answer).toEqual({ by: 'primary', corporations: 2 });
  }, waiting);
  // From when the old answer was begun: how long a busy machine takes for it does not count.
  expect(lastOld - written).toBeLessThan(1000);

  await onStandby('SELECT pg_wal_replay_resume()');
  await vi.waitFor(
    async () => expect(await read('a-second-old')).toEqual({ by: 'standby', corporations: 2 }),
    waiting,
  );
});

test('a pool for writes uses no connection of a standby, and closes one whose server stopped accepting writes', async () => {
  const astray = openDatabase(copy.url, () => {});
  await expect(sql`SELECT 1`.execute(astray)).rejects.toMatchObject({ code: '25006' });
  await astray.destroy();

  const single = openDatabase(primary.url, () => {}, { connections: 1 });
  const write = () => sql`DELETE FROM limit_counts`.execute(single);
  const connection = async () =>
    (await sql<{ id: number }>`SELECT pg_backend_pid() AS id`.execute(single)).rows[0]!.id;
  await sql`SET default_transaction_read_only = on`.execute(single);
  const before = await connection();
  await expect(write()).rejects.toMatchObject({ code: '25006' });
  expect(await connection()).not.toBe(before);
  await write();
  await single.destroy();
});

test('when the standby is down the primary answers', async () => {
  await copy.stop();
  expect(await read('caught-up')).toEqual({ by: 'primary', corporations: 2 });
  expect(await read('a-second-old')).toEqual({ by: 'primary', corporations: 2 });
});

test('only the calls marked in the contract use the standby, with the same reach as at the primary', async () => {
  const api = await openTestApp('demo_template');
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(
    api.owner,
  );
  // The primary is used as its own standby, without a lag.
  const readFrom = new Standby(
    databaseUrl(inject('clusterUrl'), rows[0]!.name),
    api.ctx.db,
    () => {},
  );
  api.ctx.standby = readFrom;
  const { token, tenantIds, prefix } = await signIn(api, 'dana@example.com');
  const rentals = await api.call('GET', `${prefix}/tenants/${tenantIds[0]}/ledgers`, { token });
  expect([rentals.status, readFrom.reads]).toEqual([200, { standby: 0, primary: 0 }]);
  const [{ id: ledgerId }] = rentals.body as [{ id: string }];
  const payments = await api.call('GET', `${prefix}/ledgers/${ledgerId}/payments`, { token });
  expect([payments.status, readFrom.reads.standby]).toEqual([200, 1]);
  expect(payments.body).not.toEqual([]);
  await vi.waitFor(async () => {
    expect((await api.call('GET', prefix, { token })).status).toBe(200);
    expect(readFrom.reads.standby).toBeGreaterThan(1);
  }, waiting);
  await readFrom.close();
  await api.close();
});

test('no read of a balance, or of data that its reader can change, may be a second old', () => {
  const marked = Object.values(endpoints).filter(({ standby }) => standby === 'a-second-old');
  expect(marked.map(({ name }) => name).toSorted()).toEqual([
    'getFacility',
    'getReceiptPaper',
    'getStatementPaper',
    'getTenantReceiptPaper',
    'getYearStatementPaper',
    'listDiscountPlans',
    'listInsuranceCoverages',
    'listLocations',
    'listStatements',
    'listTimeZones',
    'listYearStatements',
  ]);
});
