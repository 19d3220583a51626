import { InvalidArgumentError } from 'commander';
import type { Database } from '#db/database.ts';
import { StartFault } from '#errors/start-fault.ts';

/** A facility as a command names it. */
export type Facility = { id: string; code: string; timeZone: string };

/**
 * One facility by its location code, or all of them by code. Throws a StartFault for a code that is
 * none.
 */
export async function findFacilities(db: Database, code: string | undefined): Promise<Facility[]> {
  const found = await db
    .selectFrom('facilities')
    .select(['id', 'location_code as code', 'time_zone as timeZone'])
    .$if(code !== undefined, (query) => query.where('location_code', '=', code!))
    .orderBy('location_code')
    .execute();
  if (code !== undefined && found.length === 0)
    throw new StartFault(`There is no facility ${code}.`);
  return found;
}

/**
 * An option that is a day of the calendar, of 1900 to 2199: any other year is a slip of the hand.
 */
export function calendarDate(text: string): string {
  const isDay = /^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDay || new Date(text).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('It must be a day such as 2026-12-01.');
  return text;
}
