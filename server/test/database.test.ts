import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Config } from '#config/config.ts';
import {
  checkDatabase,
  missingMigrations,
  openDatabase,
  migrate,
  openOwnerDatabase,
  reaching,
  type Database,
} from '#db/database.ts';
import { OFFICE_ROLE, WORK_ROLE } from '#db/reach.ts';
import { prepareDatabase } from '#app/prepare.ts';
import { openContext } from '#app/start.ts';
import { characters } from '#features/desk/going-live/inside.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { patience } from './patience.ts';
import { tripsOf } from './round-trips.ts';
import { findRows } from './rows.ts';

let maintenance: Database;
/** A copy of the empty template. */
let url: string;
beforeAll(async () => {
  maintenance = openOwnerDatabase(inject('clusterUrl'));
  url = await newDatabase('empty_template');
});
afterAll(() => maintenance.destroy());

async function newDatabase(template: string): Promise<string> {
  const name = `database_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(maintenance, name, template);
  return databaseUrl(inject('clusterUrl'), name);
}

// asvs 13.2.6
test('the server serves as a role of its own with its time limits, whatever options the operator’s URL has', async () => {
  const theirs = new URL(url);
  theirs.searchParams.set(
    'options',
    '-c role=gatehouse_owner -c statement_timeout=0 -c search_path=public',
  );
  const db = openDatabase(theirs.href, () => {});
  const { rows } =
    await sql`SELECT current_user AS role, current_setting('statement_timeout') AS patience`.execute(
      db,
    );
  await db.destroy();
  expect(rows).toEqual([{ role: 'gatehouse_work', patience: '5s' }]);
});

// asvs 13.2.2
test('the serving role owns nothing, is no superuser and creates nothing', async () => {
  const db = openDatabase(url, () => {}, { connections: 1 });
  const { rows } = await sql<{ owned: number; isSuper: boolean }>`
    SELECT (SELECT count(*) FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname = current_user) AS owned,
      (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuper"`.execute(db);
  expect(rows).toEqual([{ owned: 0, isSuper: false }]);
  await expect(sql`CREATE TABLE mine (id int)`.execute(db)).rejects.toMatchObject({
    code: '42501',
  });
  await db.destroy();
});

test('a connection that breaks while it is in use does not end the process and is not reused', async () => {
  const errors: Error[] = [];
  const db = openDatabase(url, (error) => errors.push(error), { connections: 1 });
  const broken = db.connection().execute(async (lent) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(lent);
    await sql`SELECT pg_terminate_backend(${rows[0]!.pid})`.execute(maintenance);
    await vi.waitFor(() => expect(errors).not.toEqual([]), patience);
    await sql`SELECT 1`.execute(lent);
  });
  await expect(broken).rejects.toThrow();
  expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

test('a connection with a failed text of several statements is not reused', async () => {
  const db = openDatabase(url, () => {}, { connections: 1 });
  const pid = async () =>
    (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)).rows[0]!.pid;
  const first = await pid();
  await expect(sql`SELECT 1 / 0`.execute(db)).rejects.toMatchObject({ code: '22012' });
  expect(await pid()).toBe(first);
  // As pg-boss maintains its tables. Repeated, because the state after the failure arrives
  // asynchronously.
  for (let nth = 0; nth < 20; nth++) {
    await expect(sql.raw('BEGIN; SELECT 1 / 0; COMMIT').execute(db)).rejects.toMatchObject({
      code: '22012',
    });
    expect(await pid()).not.toBe(first);
  }
  const last = await pid();
  await sql.raw('BEGIN; SELECT 1').execute(db);
  expect(await pid()).not.toBe(last);
  await db.destroy();
});

describe('a caller’s connection', () => {
  const reach = { staffId: randomUUID(), facilityIds: [randomUUID()], isAll: false };
  type Seen = { role: string; facilities: string | null; pid: number };
  const seen = async (db: Database) =>
    (
      await sql<Seen>`SELECT current_user AS role, pg_backend_pid() AS pid,
        nullif(current_setting('app.facility_ids', true), '') AS facilities`.execute(db)
    ).rows[0]!;
  const theirs = { role: OFFICE_ROLE, facilities: `{${reach.facilityIds[0]}}` };
  const everybodys = { role: WORK_ROLE, facilities: null };

  test('takes one round trip for a statement, and in a transaction none more for its beginning', async () => {
    const db = openDatabase(url, () => {}, { connections: 1 });
    const own = reaching(db, reach);
    await seen(own);
    const alone = await tripsOf(async () => expect(await seen(own)).toMatchObject(theirs));
    const together = await tripsOf(() =>
      own.transaction().execute(async (trx) => {
        expect(await seen(trx)).toMatchObject(theirs);
        expect(await seen(trx)).toMatchObject(theirs);
      }),
    );
    // Two statements and the commit.
    expect([alone, together]).toEqual([1, 3]);
    await db.destroy();
  });

  test('has role and reach no longer than its transaction, however that ends', async () => {
    const db = openDatabase(url, () => {}, { connections: 1 });
    const own = reaching(db, reach);
    const { pid } = await seen(own);
    const fails = (one: Database) => sql`SELECT 1 / ${0}::int`.execute(one);
    const ends: (() => Promise<unknown>)[] = [
      () => seen(own),
      () => own.transaction().execute(seen),
      () => own.transaction().execute(() => Promise.resolve()),
      () => own.connection().execute(seen),
      () => expect(fails(own)).rejects.toMatchObject({ code: '22012' }),
      () => expect(own.transaction().execute(fails)).rejects.toMatchObject({ code: '22012' }),
      () =>
        expect(
          own.transaction().execute(async (trx) => {
            await seen(trx);
            await fails(trx);
          }),
        ).rejects.toMatchObject({ code: '22012' }),
    ];
    for (const end of ends) {
      await end();
      expect(await seen(db)).toEqual({ ...everybodys, pid });
    }
    await db.destroy();
  });

  test('runs no statement where the reach cannot be set', async () => {
    const db = openDatabase(url, () => {}, { connections: 1 });
    const wrong = reaching(db, { ...reach, facilityIds: ['no\0body'] });
    await expect(seen(wrong)).rejects.toMatchObject({ code: '22021' });
    await expect(wrong.transaction().execute(seen)).rejects.toMatchObject({ code: '22021' });
    expect(await seen(db)).toMatchObject(everybodys);
    await db.destroy();
  });

  test('takes no statement that is left behind by its transaction', async () => {
    const db = openDatabase(url, () => {}, { connections: 1 });
    let behind: Promise<unknown> = Promise.resolve();
    const failed = reaching(db, reach)
      .transaction()
      .execute((trx) => {
        const reads = Array.from({ length: 20 }, () => seen(trx));
        behind = Promise.allSettled(reads);
        return Promise.reject(new Error('given up'));
      });
    await expect(failed).rejects.toThrow('given up');
    expect(await seen(db)).toMatchObject(everybodys);
    await behind;
    expect(await seen(db)).toMatchObject(everybodys);
    await db.destroy();
  });

  test('is closed where its transaction cannot be ended', async () => {
    const errors: Error[] = [];
    const db = openDatabase(url, (error) => errors.push(error), { connections: 1 });
    const { pid } = await seen(db);
    const lost = reaching(db, reach)
      .transaction()
      .execute(async (trx) => {
        await seen(trx);
        await sql`SELECT pg_terminate_backend(${pid}::int)`.execute(maintenance);
        await vi.waitFor(() => expect(errors).not.toEqual([]), patience);
      });
    await expect(lost).rejects.toThrow();
    expect((await seen(db)).pid).not.toBe(pid);
    await db.destroy();
  });
});

test('a start finds in three short reads that all migrations have run, and refuses a newer version’s database', async () => {
  const owner = openOwnerDatabase(await newDatabase('empty_template'));
  const trips = await tripsOf(() => migrate(owner));
  expect(trips).toBeLessThanOrEqual(3);
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999_later', '2026-11-25')`.execute(
    owner,
  );
  await expect(migrate(owner)).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^corrupted migrations/) as string },
  });
  await owner.destroy();
});

test('a statement that is written as a whole is prepared, those of the query builder are not, and it works after a newer version’s column and a lost connection', async () => {
  const own = await newDatabase('empty_template');
  const owner = openOwnerDatabase(own);
  const db = openDatabase(own, () => {}, { connections: 1 });
  const count = async () => {
    await findRows(db, 'units', 'id', { name: 'none' });
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM facilities WHERE name <> ${'none'}`.execute(db);
    return rows[0]!.count;
  };
  const plans = () =>
    db
      .selectFrom(sql<{ statement: string }>`pg_prepared_statements`.as('plans'))
      .select('statement')
      .execute();
  expect(await count()).toBe(0);
  await sql`ALTER TABLE facilities ADD COLUMN newer text`.execute(owner);
  expect(await count()).toBe(0);
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
      AND pid <> pg_backend_pid()`.execute(owner);
  await expect.poll(() => count().catch(() => null), patience).toBe(0);
  expect(await plans()).toMatchObject([
    { statement: expect.stringContaining('count(*)') as string },
  ]);
  await db.destroy();
  await owner.destroy();
});

test('a migration by itself makes no demo world', async () => {
  const empty = await newDatabase('empty_template');
  const keys = { dataKeys: [Buffer.alloc(32, 7)], secret: Buffer.alloc(32, 8) };
  const config = { corporationCode: 'ANCHOR', profile: 'sandbox', ...keys } as Config;
  expect(await prepareDatabase(empty, config, { seed: false })).toBe(false);
  const owner = openOwnerDatabase(empty);
  expect(await findRows(owner, 'users', 'id')).toEqual([]);
  await owner.destroy();
});

// asvs 16.2.2
test('dates stay text and big integers become numbers', async () => {
  const db = openDatabase(url, () => {}, { connections: 1 });
  const { rows } =
    await sql`SELECT '2026-11-20'::date AS day, 9007199254740991::bigint AS cents`.execute(db);
  await db.destroy();
  expect(rows).toEqual([{ day: '2026-11-20', cents: 9007199254740991 }]);
});

test('a migrated database misses no migration', async () => {
  const db = openDatabase(url, () => {}, { connections: 1 });
  expect(await missingMigrations(db)).toEqual([]);
  await db.destroy();
});

test('a database that may lose acknowledged commits is refused in a sentence', async () => {
  const forgetful = new URL(url);
  forgetful.searchParams.set('options', '-c synchronous_commit=off');
  const owner = openOwnerDatabase(forgetful.href);
  await expect(checkDatabase(owner)).rejects.toThrow(/synchronous_commit off/);
  await owner.destroy();
});

test('a database whose character type folds ASCII only is refused in a sentence, and the doctor names it', async () => {
  const name = `ascii_${randomUUID().replaceAll('-', '')}`;
  await sql`CREATE DATABASE ${sql.id(name)} TEMPLATE template0 ENCODING 'UTF8'
    LOCALE_PROVIDER libc LOCALE 'C'`.execute(maintenance);
  const owner = openOwnerDatabase(databaseUrl(inject('clusterUrl'), name));
  await expect(checkDatabase(owner)).rejects.toThrow(/character type of the database is C/);
  const found = await characters.run({
    config: { databaseUrl: url, profile: 'sandbox' } as Config,
    prepared: () => Promise.resolve(owner),
    gateway: () => Promise.reject(new Error('it is not asked')),
  });
  expect(found.filter(({ level }) => level === 'fault')).toMatchObject([
    { says: expect.stringContaining('character type of the database is C') },
  ]);
  await owner.destroy();
  await sql`DROP DATABASE ${sql.id(name)}`.execute(maintenance);
});

test('a pooler that drops the startup options of connections is refused in a sentence', async () => {
  const cluster = new URL(url);
  const socket = `${cluster.searchParams.get('host')}/.s.PGSQL.${cluster.port || '5432'}`;
  const pooler = createServer((near) => {
    const far = connect(socket);
    near.once('data', (begun: Buffer) => {
      // The startup message: length and version, then names and values, each ended by a zero.
      const words = begun.subarray(8).toString('latin1').split('\0');
      words.splice(words.indexOf('options'), 2);
      const rest = Buffer.from(words.join('\0'), 'latin1');
      const head = Buffer.from(begun.subarray(0, 8));
      head.writeInt32BE(8 + rest.length);
      far.write(Buffer.concat([head, rest]));
      near.pipe(far);
    });
    far.pipe(near);
  });
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const pooled = new URL(url);
  pooled.searchParams.delete('host');
  pooled.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`;
  const closers: (() => Promise<unknown>)[] = [];
  const opened = openContext(
    {} as Config,
    pooled.href,
    pino({ level: 'silent' }),
    closers,
    new AbortController().signal,
  );
  await expect(opened).rejects.toThrow(/PgBouncer/);
  for (const close of closers.reverse()) await close();
  pooler.close();
});

test('an invalid address is refused in a sentence', () => {
  expect(() => openOwnerDatabase('the database')).toThrow(/^DATABASE_URL is no address/);
});
