import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useTestApp } from '#test/app.ts';
import { forgetOld } from './forget-old.ts';

const api = useTestApp('empty_template');

const forget = () => forgetOld.run(api.ctx, [{}]);
const count = async (table: string) => {
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(api.owner);
  return rows[0]!.count;
};
/**
 * Makes the database refuse to delete from a table: at all, or more than this many rows in one
 * statement.
 */
const refuseDeletes = async (table: string, most: number) => {
  await sql`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM gone) > TG_ARGV[0]::integer THEN RAISE EXCEPTION 'too many at once'; END IF;
      RETURN NULL;
    END $$`.execute(api.owner);
  await sql`
    CREATE TRIGGER refuse AFTER DELETE ON ${sql.table(table)} REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION refuse(${sql.lit(String(most))})`.execute(api.owner);
};
const allow = (table: string) => sql`DROP TRIGGER refuse ON ${sql.table(table)}`.execute(api.owner);

const age = sql`now() - interval '2 years'`;
const addCounts = (number: number) =>
  sql`INSERT INTO limit_counts (name, key, count, ends_at)
    SELECT 'x', int4send(n), 1, ${age} FROM generate_series(1, ${number}::integer) n`.execute(
    api.owner,
  );
const addTries = (number: number) =>
  sql`INSERT INTO sign_in_tries (key, account, tries, next_at)
    SELECT int4send(n), '', 1, ${age} FROM generate_series(1, ${number}::integer) n`.execute(
    api.owner,
  );
const addNetworks = (number: number) =>
  sql`INSERT INTO known_networks (account, network, last_sign_in_at)
    SELECT '', int4send(n), ${age} FROM generate_series(1, ${number}::integer) n`.execute(
    api.owner,
  );
const counted = ['limit_counts', 'sign_in_tries', 'known_networks'];

test('ended limits and tries are deleted a thousand at a time', async () => {
  await addCounts(2500);
  await addTries(2500);
  await addNetworks(2500);
  for (const table of counted) await refuseDeletes(table, 1000);
  await forget();
  expect(await Promise.all(counted.map(count))).toEqual([0, 0, 0]);
  for (const table of counted) await allow(table);
});

test('a table that cannot be cleaned up does not affect the others', async () => {
  await addCounts(1);
  await addTries(1);
  await refuseDeletes('limit_counts', 0);
  await expect(forget()).rejects.toMatchObject({ errors: [{ message: 'too many at once' }] });
  expect([await count('limit_counts'), await count('sign_in_tries')]).toEqual([1, 0]);
  await allow('limit_counts');
  await forget();
  expect(await count('limit_counts')).toBe(0);
});

test('a server whose clock is shifted deletes nothing, for the database has another time', async () => {
  await addTries(1);
  const config = { ...api.ctx.config, clockShiftMs: 1 };
  await forgetOld.run({ ...api.ctx, config }, [{}]);
  expect(await count('sign_in_tries')).toBe(1);
  await forget();
  expect(await count('sign_in_tries')).toBe(0);
});
