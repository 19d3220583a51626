import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { todayAt } from '#db/today.ts';
import { notFound } from '#errors/refusal.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import type { Keyset } from './keyset.ts';

/**
 * The facilities that a reading is about: the one that a filter names, or the member's; null where
 * these are all of the database. Refuses with 404 another one, like one that is not there. Every
 * statement for the office names them, even though row-level security limits it to the same.
 */
export function placesOf(staff: StaffMember, locationCode: string | undefined): Places {
  return locationCode === undefined && staff.isAll ? null : facilityIdsOf(staff, locationCode);
}

/** The ids of the same facilities, all of them named. */
export function facilityIdsOf(
  { facilities }: StaffMember,
  locationCode: string | undefined,
): string[] {
  if (locationCode === undefined) return facilities.map(({ id }) => id);
  const one = facilities.find((facility) => facility.locationCode === locationCode);
  if (one === undefined) throw notFound();
  return [one.id];
}

/** The facilities of the places as a table, with their `today`, which is computed once for each. */
export function facilitiesToday({ clock }: Context, places: Places): RawBuilder<unknown> {
  return sql`(
    SELECT facilities.*, ${todayAt(clock.now(), sql`time_zone`)} AS today
    FROM facilities WHERE ${within(sql`id`, places)} OFFSET 0)`;
}

/**
 * The first rows of a list whose first key is the location code, as `r`: facility by facility, so
 * that those of the later ones are not read. It is to be ordered by `ofFacilities`. `rows` is a
 * statement of the rows of the facility `f`, which has its `today`.
 */
export function byFacility(
  ctx: Context,
  places: Places,
  keyset: Keyset,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
      SELECT * FROM ${facilitiesToday(ctx, places)} here ORDER BY location_code ${keyset.direction} OFFSET 0
    ) f CROSS JOIN LATERAL (
      SELECT r.* FROM (${rows}) r WHERE ${keyset.isAfter} ORDER BY ${keyset.orderByRest} LIMIT ${keyset.limit}
    ) r`;
}

/** The order of `byFacility`: by the facilities' own column, whose order the planner knows. */
export function ofFacilities({ direction, orderByRest }: Keyset): RawBuilder<unknown> {
  return sql`f.location_code ${direction}, ${orderByRest}`;
}
