import { toDollars } from '@gatehouse/contract/money';
import { todayAt } from '#db/today.ts';
import type { FreeUnits } from '@gatehouse/contract/reports';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';

type Row = Omit<FreeUnits['units'][number], 'lastRate'> & { lastCents: number | null };

/**
 * The units that no rental has on a day or later, by facility and name. Without a day it is the
 * today of each facility.
 */
export async function findFreeUnits(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { on, facilityId }: { on: string | null; facilityId: string | null },
): Promise<FreeUnits> {
  const { rows } = await sql<Row>`
    SELECT f.location_code AS "locationCode", u.name AS "unitName", u.width_feet AS "widthFeet",
      u.length_feet AS "lengthFeet", u.type_name AS "typeName", coalesce(u.street_rate_cents, (
        SELECT l.rental_rate_cents FROM ledgers l WHERE l.unit_id = u.id ORDER BY l.moved_in_on DESC LIMIT 1)) AS "lastCents"
    FROM units u JOIN facilities f ON f.id = u.facility_id
    WHERE (${facilityId}::uuid IS NULL OR f.id = ${facilityId}::uuid)
      AND u.out_of_service IS NULL AND NOT EXISTS (SELECT FROM unit_days d WHERE d.unit_id = u.id AND d.days && daterange(
        coalesce(${on}::date, ${todayAt(clock.now())}), NULL))
    ORDER BY f.location_code, u.name`.execute(db);
  return {
    on,
    units: rows.map(({ lastCents, ...unit }) => ({
      ...unit,
      lastRate: lastCents === null ? null : toDollars(lastCents),
    })),
  };
}
