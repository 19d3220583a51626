import { sql, type RawBuilder } from 'kysely';

/**
 * The facilities that a reading is about, by their ids; null for all of the database, which names
 * none: a list of thousands takes longer to send and to compare with than what it limits.
 */
export type Places = string[] | null;

/** Whether a column with a facility's id is of one of the places. */
export function within(column: RawBuilder<unknown>, places: Places): RawBuilder<boolean> {
  return places === null ? sql<boolean>`true` : sql<boolean>`${column} = ANY(${places}::uuid[])`;
}
