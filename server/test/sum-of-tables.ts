import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '#db/database.ts';

/**
 * A digest of every table, without the time of the last use of sessions; `without`: nor these
 * tables, such as `audit_events`, which has refused tries too.
 */
export async function sumOfTables(owner: Database, ...without: string[]): Promise<unknown> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'sandbox_gateway')
      AND table_name <> ALL (${without})`.execute(owner);
  expect(tables.length).toBeGreaterThan(20);
  const sums = tables.map(
    ({ name }) => `SELECT '${name}' AS name, md5(coalesce(string_agg(r, ',' ORDER BY r), '')) AS sum
      FROM (SELECT (to_jsonb(t) - 'last_seen_at')::text AS r FROM ${name} t) rows`,
  );
  return (await sql.raw(`${sums.join(' UNION ALL ')} ORDER BY name`).execute(owner)).rows;
}
