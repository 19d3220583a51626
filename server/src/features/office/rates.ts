import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { listRates, RateRow } from '@gatehouse/contract/office/rates';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { keysetOf, type Sorts } from './keyset.ts';
import { beginningOf } from './text.ts';

type Row = Omit<RateRow, 'rate' | 'averageRate' | 'scheduled' | 'riseFrom'> & {
  rateCents: number;
  averageCents: number;
  scheduled: { rateCents: number; on: string } | null;
  noticeDays: number;
  timeZone: string;
  cursor: string[];
};

const id = { by: sql`r.id`, as: 'uuid' } as const;
const sorts: Sorts<'rateSince' | 'rate' | 'unit'> = {
  rateSince: { keys: [{ by: sql`r."rateSince"`, as: 'date' }, id], order: 'asc' },
  rate: { keys: [{ by: sql`r."rateCents"`, as: 'bigint' }, id], order: 'asc' },
  unit: {
    keys: [{ by: sql`r."locationCode"`, as: 'text' }, { by: sql`r."unitName"`, as: 'text' }, id],
    order: 'asc',
  },
};

type Query = {
  q?: string | undefined;
  size?: string | undefined;
  leastMonths?: string | undefined;
} & Parameters<typeof keysetOf>[0];

/**
 * The rents of the facilities' current rentals, those that are the oldest first. A rent is as old
 * as the first bill at it, or as the rental where no other was billed.
 */
export async function findRates(
  ctx: Context,
  query: Query,
  facilityIds: string[],
): Promise<Reply<typeof listRates>> {
  const keyset = keysetOf(query, sorts);
  const now = ctx.clock.now();
  const today = sql`(${now}::timestamptz AT TIME ZONE f.time_zone)::date`;
  const [width = null, length = null] = query.size?.split('x').map(Number) ?? [];
  const isAsked =
    query.q === undefined || query.q === ''
      ? sql`true`
      : sql`(lower(r."tenantName") LIKE ${beginningOf(query.q)} OR lower(r."unitName") LIKE ${beginningOf(query.q)})`;
  const { rows } = await sql<Row>`
    WITH r AS (
      SELECT l.id, l.tenant_id AS "tenantId", t.first_name || ' ' || t.last_name AS "tenantName",
        f.location_code AS "locationCode", u.name AS "unitName", u.width_feet AS "widthFeet",
        u.length_feet AS "lengthFeet", l.rental_rate_cents AS "rateCents", since.on_day AS "rateSince",
        (extract(year FROM age(${today}, since.on_day)) * 12 + extract(month FROM age(${today}, since.on_day)))::int AS months,
        round(avg(l.rental_rate_cents) OVER (PARTITION BY f.id, u.width_feet, u.length_feet))::bigint AS "averageCents",
        CASE WHEN l.scheduled_rate_on IS NOT NULL
          THEN json_build_object('rateCents', l.scheduled_rate_cents, 'on', l.scheduled_rate_on) END AS scheduled,
        f.rate_notice_days AS "noticeDays", f.time_zone AS "timeZone"
      FROM tenants t JOIN facilities f ON f.id = t.facility_id JOIN ledgers l ON l.tenant_id = t.id
      JOIN units u ON u.id = l.unit_id
      CROSS JOIN LATERAL (
        SELECT max(b.due_on) AS on_day FROM billed_periods b
        WHERE b.ledger_id = l.id AND b.rate_cents <> l.rental_rate_cents
      ) other
      CROSS JOIN LATERAL (
        SELECT CASE WHEN other.on_day IS NULL THEN l.moved_in_on ELSE coalesce((
          SELECT min(b.due_on) FROM billed_periods b WHERE b.ledger_id = l.id AND b.due_on > other.on_day), ${today}) END AS on_day
      ) since
      WHERE t.facility_id = ANY(${facilityIds}::uuid[]) AND is_current_on(l.moved_out_on, ${today})
    )
    SELECT r.*, ${keyset.cursor} AS cursor FROM r
    WHERE (${width}::int IS NULL OR r."widthFeet" = ${width}::int AND r."lengthFeet" = ${length}::int)
      AND r.months >= ${Number(query.leastMonths ?? 0)}::int AND ${isAsked} AND ${keyset.isAfter}
    ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(ctx.db);
  const page = keyset.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ rateCents, averageCents, scheduled, noticeDays, timeZone, ...row }) => ({
      ...row,
      rate: toDollars(rateCents),
      averageRate: toDollars(averageCents),
      scheduled: scheduled && { rate: toDollars(scheduled.rateCents), on: scheduled.on },
      riseFrom: addDays(calendarDateIn(timeZone, now), noticeDays),
    })),
  };
}
