import type { Database } from '@gatehouse/server/src/db/database.ts';
import { sql } from 'kysely';

/** Every table with its number of rows and a checksum of them. */
export type Footprint = Map<string, string>;

/**
 * Tables that a refused request may change: counts of limits, audit trail, last use of a session.
 */
const uncounted = ['limit_counts', 'audit_events', 'audit_chain'];
/** Columns that change without a request: the queue marks a mail as sent. */
const movingColumns: Record<string, string[]> = {
  sessions: ['last_seen_at'],
  staff_sessions: ['last_seen_at'],
  mails: ['sent_at'],
};

/**
 * Reads every row of every table except the queue's, so that two footprints show what was written
 * between them.
 */
export async function takeFootprint(owner: Database): Promise<Footprint> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    SELECT schemaname AS schema, tablename AS name FROM pg_tables
    WHERE schemaname IN ('public', 'sandbox_gateway') AND tablename <> ALL(${uncounted}) ORDER BY 1, 2`.execute(
    owner,
  );
  const footprint: Footprint = new Map();
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ sum: string }>`
      SELECT count(*) || ' ' || coalesce(md5(string_agg(md5((to_jsonb(t) - ${movingColumns[name] ?? []}::text[])::text), ''
        ORDER BY md5((to_jsonb(t) - ${movingColumns[name] ?? []}::text[])::text))), '') AS sum
      FROM ${sql.table(`${schema}.${name}`)} t`.execute(owner);
    footprint.set(`${schema}.${name}`, rows[0]!.sum);
  }
  return footprint;
}

/** The tables that have changed. */
export function changedTables(before: Footprint, after: Footprint): string[] {
  return [...after].filter(([table, sum]) => before.get(table) !== sum).map(([table]) => table);
}
