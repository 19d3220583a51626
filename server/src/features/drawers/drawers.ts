import type { DrawerType } from '@gatehouse/contract/drawers';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';

/** The drawer of a facility on a day, as it stands; sums in cents. */
export type Drawer = {
  facilityId: string;
  locationCode: string;
  timeZone: string;
  lines: { type: DrawerType; count: number; expectedCents: number; countedCents: number | null }[];
  /** Who took what; `staffId` and `by` are null where it is not known. */
  takers: {
    staffId: string | null;
    by: string | null;
    count: number;
    cents: number;
    tookCash: boolean;
  }[];
  closing: { by: string; why: string; closedAt: string } | null;
  /** The last day that is closed. */
  closedThrough: string | null;
  /** The first open day before this one with something in the drawer, once any day is closed. */
  openDay: string | null;
  /** The active accounts of the facility, by role and name. */
  members: { id: string; name: string }[];
};

/**
 * The drawers of facilities on a day, by location code; with `isUsed` of those alone with something
 * in the drawer, or whose day is closed. `staffDb` reads the accounts of staff, which the office's
 * readings do not.
 */
export async function readDrawers(
  { db, staffDb }: { db: Database; staffDb: Database },
  places: Places,
  { on, isUsed }: { on: string; isUsed: boolean },
): Promise<Drawer[]> {
  const isMeant = isUsed
    ? sql`f.id IN (SELECT d.facility_id FROM drawer_entries d WHERE d.deposit_on = ${on}::date
        UNION SELECT c.facility_id FROM drawer_closings c WHERE c.on_day = ${on}::date)`
    : sql`true`;
  const { rows } = await sql<Omit<Drawer, 'members'>>`
    SELECT f.id AS "facilityId", f.location_code AS "locationCode", f.time_zone AS "timeZone",
      (SELECT coalesce(json_agg(json_build_object('type', line.type, 'count', line.count, 'expectedCents', line.cents,
          'countedCents', line.counted) ORDER BY line.type), '[]')
        FROM (SELECT type, count(d.entry_id)::integer AS count, coalesce(sum(d.cents), 0)::bigint AS cents,
            max(c.counted_cents) AS counted
          FROM (SELECT * FROM drawer_entries d WHERE d.facility_id = f.id AND d.deposit_on = ${on}::date) d
          FULL JOIN (SELECT * FROM drawer_counts c WHERE c.facility_id = f.id AND c.on_day = ${on}::date) c USING (type)
          GROUP BY type) line) AS lines,
      (SELECT coalesce(json_agg(json_build_object('staffId', taker.staff_id, 'by', taker.by_name, 'count', taker.count,
          'cents', taker.cents, 'tookCash', taker.took_cash) ORDER BY taker.by_name), '[]')
        FROM (SELECT staff_id, by_name, count(*)::integer AS count, sum(cents)::bigint AS cents,
            bool_or(type = 'cash') AS took_cash
          FROM drawer_entries d WHERE d.facility_id = f.id AND d.deposit_on = ${on}::date AND d.cents > 0
          GROUP BY staff_id, by_name) taker) AS takers,
      (SELECT json_build_object('by', c.by_name, 'why', c.why, 'closedAt', c.closed_at)
        FROM drawer_closings c WHERE c.facility_id = f.id AND c.on_day = ${on}::date) AS closing,
      closed.through::text AS "closedThrough",
      (SELECT min(d.deposit_on)::text FROM drawer_entries d
        WHERE d.facility_id = f.id AND d.deposit_on > closed.through AND d.deposit_on < ${on}::date) AS "openDay"
    FROM facilities f
    CROSS JOIN LATERAL (SELECT max(on_day) AS through FROM drawer_closings c WHERE c.facility_id = f.id) closed
    WHERE ${within(sql`f.id`, places)} AND ${isMeant} ORDER BY f.location_code`.execute(db);
  const { rows: members } = await sql<{ facilityId: string; id: string; name: string }>`
    SELECT f.id AS "facilityId", m.id, m.name FROM facilities f
    JOIN staff_members m ON m.corporation_id = f.corporation_id AND m.disabled_at IS NULL AND m.name IS NOT NULL
      AND (m.is_for_all OR EXISTS (SELECT FROM staff_facilities sf WHERE sf.staff_id = m.id AND sf.facility_id = f.id))
    WHERE f.id = ANY(${rows.map(({ facilityId }) => facilityId)}::uuid[]) ORDER BY m.role, m.name`.execute(
    staffDb,
  );
  const byFacility = Map.groupBy(members, ({ facilityId }) => facilityId);
  return rows.map((row) => ({ ...row, members: byFacility.get(row.facilityId) ?? [] }));
}
