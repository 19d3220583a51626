import { sql, type RawBuilder, type SqlBool } from 'kysely';

/**
 * Whether a ledger is a current rental on a day, today in the facility's calendar: `movedOutOn` is
 * the first day that is not rented, null while none is planned. As the function is_current_on of
 * the database.
 */
export function isCurrentOn(movedOutOn: string | null, day: string): boolean {
  return movedOutOn === null || movedOutOn > day;
}

/** The same as a condition on the rows of `ledgers` in a query. */
export function isCurrentRental(day: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`is_current_on(ledgers.moved_out_on, ${day}::date)`;
}
