import type { DrawerLine, DrawerType } from '@gatehouse/contract/drawers';
import { toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';

/** A line of a drawer, as `DrawerLine` has it, in cents. */
export type SumsOfType = {
  type: DrawerType;
  count: number;
  takenCents: number;
  backCents: number;
  mistakenCents: number;
  countedCents: number | null;
};

/** The drawer of a facility on a day, as it is; sums in cents. */
export type Drawer = {
  facilityId: string;
  locationCode: string;
  timeZone: string;
  lines: SumsOfType[];
  /** Who took how many payments of what; `staffId` and `by` are null where it is not known. */
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
 * The drawers of facilities on a day, by location code; with `isUsed` of those only with something
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
      (SELECT coalesce(json_agg(json_build_object('type', type, 'count', coalesce(day.count, 0),
          'takenCents', coalesce(day.taken, 0), 'backCents', coalesce(day.back, 0),
          'mistakenCents', coalesce(day.mistaken, 0), 'countedCents', c.counted_cents) ORDER BY type), '[]')
        FROM (
          SELECT type, (count(*) FILTER (WHERE taken > mistaken))::integer AS count, sum(taken)::bigint AS taken,
            sum(back)::bigint AS back, sum(mistaken)::bigint AS mistaken
          FROM (
            SELECT d.type, coalesce(sum(d.cents) FILTER (WHERE d.cents > 0), 0) AS taken,
              coalesce(-sum(d.cents) FILTER (WHERE d.cents < 0 AND rev.reason <> 'mistake'), 0) AS back,
              coalesce(-sum(d.cents) FILTER (WHERE d.cents < 0 AND rev.reason = 'mistake'), 0) AS mistaken
            FROM drawer_entries d LEFT JOIN taken_back rev ON rev.entry_id = d.entry_id
            LEFT JOIN payments p ON p.entry_id = coalesce(rev.payment_entry_id, d.entry_id)
            WHERE d.facility_id = f.id AND d.deposit_on = ${on}::date GROUP BY d.type, p.intent_id
          ) payment GROUP BY type
        ) day
        FULL JOIN (SELECT * FROM drawer_counts c WHERE c.facility_id = f.id AND c.on_day = ${on}::date) c USING (type)
      ) AS lines,
      (SELECT coalesce(json_agg(json_build_object('staffId', taker.staff_id, 'by', taker.by_name, 'count', taker.count,
          'cents', taker.cents, 'tookCash', taker.took_cash) ORDER BY taker.by_name), '[]')
        FROM (SELECT d.staff_id, d.by_name, count(DISTINCT p.intent_id)::integer AS count, sum(d.cents)::bigint AS cents,
            bool_or(d.type = 'cash') AS took_cash
          FROM drawer_entries d JOIN payments p ON p.entry_id = d.entry_id
          WHERE d.facility_id = f.id AND d.deposit_on = ${on}::date AND d.cents > 0
          GROUP BY d.staff_id, d.by_name) taker) AS takers,
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

/** What should be in the drawer, in cents. */
export function expectedCents({ takenCents, backCents, mistakenCents }: SumsOfType): number {
  return takenCents - backCents - mistakenCents;
}

/** The line as the contract has it. */
export function drawerLineOf(sums: SumsOfType): DrawerLine {
  const { type, count, takenCents, backCents, mistakenCents, countedCents } = sums;
  return {
    type,
    count,
    taken: toDollars(takenCents),
    back: toDollars(backCents),
    mistaken: toDollars(mistakenCents),
    expected: toDollars(expectedCents(sums)),
    counted: countedCents === null ? null : toDollars(countedCents),
    difference: countedCents === null ? null : toDollars(countedCents - expectedCents(sums)),
  };
}
