import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { raiseAlarm } from '#features/alarms/alarms.ts';

type Fault = {
  facilityId: string;
  locationCode: string;
  units: number;
  rentals: number;
  hasUnits: number;
  hasRentals: number;
};

/**
 * Compares the stored numbers of units and rentals of each facility with its rows, raises an alarm
 * for each that differs, and then makes one row of each facility's changes. Answers how many
 * differ. Nothing is repaired.
 */
export async function checkOccupancy(ctx: Context): Promise<number> {
  const { rows } = await sql<Fault>`
    SELECT f.id AS "facilityId", f.location_code AS "locationCode", coalesce(noted.units, 0)::int AS units,
      coalesce(noted.rentals, 0)::int AS rentals, real.units AS "hasUnits", real.rentals AS "hasRentals"
    FROM reckoned_occupancy real JOIN facilities f ON f.id = real.facility_id
    LEFT JOIN (
      SELECT facility_id, sum(units) AS units, sum(rentals) AS rentals FROM occupancy_changes GROUP BY facility_id
    ) noted ON noted.facility_id = f.id
    WHERE (coalesce(noted.units, 0), coalesce(noted.rentals, 0)) <> (real.units, real.rentals)
    ORDER BY f.location_code`.execute(ctx.db);
  for (const { facilityId, locationCode, ...counts } of rows)
    await raiseAlarm(ctx, ctx.db, {
      kind: 'occupancy_fault',
      key: `occupancy_fault:${facilityId}`,
      facilityId,
      sentence: `${locationCode} is noted with ${counts.units} units and ${counts.rentals} rentals without an end, and has ${counts.hasUnits} and ${counts.hasRentals}.`,
      facts: counts,
    });
  await sql`SELECT fold_occupancy()`.execute(ctx.db);
  return rows.length;
}
