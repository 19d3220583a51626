import { sql, type RawBuilder } from 'kysely';

/**
 * The day of an instant, `YYYY-MM-DD`, where the facility is whose zone this column holds: that of
 * `facilities f`, where nothing else is said.
 */
export function todayAt(
  now: Date | RawBuilder<unknown>,
  zone: RawBuilder<unknown> = sql.ref('f.time_zone'),
): RawBuilder<string> {
  return sql<string>`(${now}::timestamptz AT TIME ZONE ${zone})::date`;
}
