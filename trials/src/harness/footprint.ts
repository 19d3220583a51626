import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { sql } from 'kysely';
import { mustBe, type Figure, type Stage } from './proof.ts';

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
 * between them. The schedules end before that, and the queue is drained: a facility's day that
 * begins meanwhile, every five minutes, is not what a request has written.
 */
export async function takeFootprint(owner: Database): Promise<Footprint> {
  await endSchedules(owner);
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

/** The figure of the tables that were written since a footprint, which must be none. */
export async function mustNotBeWritten(
  what: string,
  owner: Database,
  before: Footprint,
  say: Stage['say'],
): Promise<Figure> {
  const after = await takeFootprint(owner);
  const written = [...after].filter(([table, sum]) => before.get(table) !== sum);
  for (const [table] of written) say(`  written: ${table}`);
  return mustBe(what, written.length, 0);
}

/** Removes the schedules of the queue and waits until no job is due or running. */
async function endSchedules(owner: Database): Promise<void> {
  await sql`DELETE FROM pgboss.schedule`.execute(owner);
  for (;;) {
    const { rows } = await sql`
      SELECT 1 FROM pgboss.job
      WHERE state = 'active' OR (state IN ('created', 'retry') AND start_after <= now()) LIMIT 1`.execute(
      owner,
    );
    if (rows.length === 0) return;
    await delay(50);
  }
}
