import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { checkDatabase, missingMigrations, openDatabase, openOwnerDatabase } from '#db/database.ts';
import { databaseUrl } from './templates.ts';

const url = databaseUrl(inject('clusterUrl'), 'empty_template');

test('the server serves as the app role with its time limits, whatever options the operator’s URL has', async () => {
  const theirs = new URL(url);
  theirs.searchParams.set('options', '-c role=gatehouse_owner -c statement_timeout=0 -c search_path=public');
  const db = openDatabase(theirs.href, () => {});
  const { rows } = await sql`SELECT current_user AS role, current_setting('statement_timeout') AS patience`.execute(db);
  await db.destroy();
  expect(rows).toEqual([{ role: 'gatehouse_app', patience: '5s' }]);
});

test('the app role owns nothing, is no superuser and makes nothing', async () => {
  const db = openDatabase(url, () => {}, 1);
  const { rows } = await sql<{ owned: number; isSuper: boolean }>`
    SELECT (SELECT count(*) FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname = current_user) AS owned,
      (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuper"`.execute(db);
  expect(rows).toEqual([{ owned: 0, isSuper: false }]);
  await expect(sql`CREATE TABLE mine (id int)`.execute(db)).rejects.toMatchObject({ code: '42501' });
  await db.destroy();
});

test('dates stay text and big integers become numbers', async () => {
  const db = openDatabase(url, () => {}, 1);
  const { rows } = await sql`SELECT '2026-11-20'::date AS day, 9007199254740991::bigint AS cents`.execute(db);
  await db.destroy();
  expect(rows).toEqual([{ day: '2026-11-20', cents: 9007199254740991 }]);
});

test('a migrated database misses no migration', async () => {
  const db = openDatabase(url, () => {}, 1);
  expect(await missingMigrations(db)).toEqual([]);
  await db.destroy();
});

test('a database that may forget what it acknowledged is refused in a sentence', async () => {
  const forgetful = new URL(url);
  forgetful.searchParams.set('options', '-c synchronous_commit=off');
  const owner = openOwnerDatabase(forgetful.href);
  await expect(checkDatabase(owner)).rejects.toThrow(/synchronous_commit off/);
  await owner.destroy();
});

test('an address that is none is refused in a sentence', () => {
  expect(() => openOwnerDatabase('the database')).toThrow(/^DATABASE_URL is no address/);
});
