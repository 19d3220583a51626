import { sql, type RawBuilder } from 'kysely';

/** Whether a stored key, such as `units.name_key`, begins with a text that is looked for. */
export function keyBegins(key: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql<boolean>`starts_with(${key}, search_key(${text}))`;
}
