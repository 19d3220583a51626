import { sql, type RawBuilder } from 'kysely';

/**
 * Stands after `=` in a statement that is prepared, for one of the ids. PostgreSQL is not shown how many there are: where it
 * is, a plan for these few looks cheaper than the one that is kept, and in a large table so much cheaper that the statement is
 * planned anew each time, which takes longer than to run it (decision 20).
 */
export function anyOf(ids: string[]): RawBuilder<unknown> {
  return sql`ANY ((SELECT ${ids}::uuid[])::uuid[])`;
}
