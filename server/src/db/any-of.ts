import { sql, type RawBuilder } from 'kysely';

/**
 * The right side of `=` for one of the ids, in a prepared statement. It hides their number from the
 * planner: a plan for few ids looks cheaper than the generic plan, in a large table so much cheaper
 * that PostgreSQL plans the statement each time, which takes longer than to run it (decision 73).
 */
export function anyOf(ids: string[]): RawBuilder<unknown> {
  return sql`ANY ((SELECT ${ids}::uuid[])::uuid[])`;
}
