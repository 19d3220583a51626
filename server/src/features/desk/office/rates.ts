import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { listRates, RateRow } from '@gatehouse/contract/office/rates';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { anyOf } from '#db/any-of.ts';
import { within, type Places } from '#db/within.ts';
import { todayAt } from '#db/today.ts';
import { keysetOf, type Sorts } from './keyset.ts';
import { byFacility, facilitiesToday, ofFacilities } from './places.ts';
import { keyBegins } from './text.ts';

type Row = Omit<RateRow, 'rate' | 'averageRate' | 'scheduled' | 'riseFrom'> & {
  rateCents: number;
  averageCents: number;
  scheduled: { rateCents: number; on: string } | null;
  noticeDays: number;
  timeZone: string;
};

const id = { by: sql`r.id`, as: 'uuid' } as const;
const sorts: Sorts<'rateSince' | 'rate' | 'unit'> = {
  rateSince: { keys: [{ by: sql`r.since_key`, as: 'date' }, id], order: 'asc' },
  rate: { keys: [{ by: sql`r.rental_rate_cents`, as: 'bigint' }, id], order: 'asc' },
  unit: {
    keys: [{ by: sql`r.location_code`, as: 'text' }, { by: sql`r.unit_name`, as: 'text' }, id],
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
 * as the first bill at it, or as the rental where no other was billed; one that is not billed yet
 * begins with the next period, and comes last.
 */
export async function findRates(
  ctx: Context,
  query: Query,
  places: Places,
): Promise<Reply<typeof listRates>> {
  const keyset = keysetOf(query, sorts);
  const now = ctx.clock.now();
  const [width = null, length = null] = query.size?.split('x').map(Number) ?? [];
  const months = Number(query.leastMonths ?? 0);
  const isAsked = [
    within(sql`u.facility_id`, places),
    sql`is_current_on(l.moved_out_on, f.today)`,
    ...(width === null ? [] : [sql`u.width_feet = ${width} AND u.length_feet = ${length}`]),
    ...(months === 0 ? [] : [sql`${monthsSince(since)} >= ${months}`]),
    ...(query.q === undefined || query.q === ''
      ? []
      : [
          sql`(${keyBegins(sql`(t.first_key || t.last_key)`, query.q)}
            OR ${keyBegins(sql`u.name_key`, query.q)})`,
        ]),
  ];
  const values = sql`
    SELECT l.id, ${since} AS since_key, l.rental_rate_cents, f.location_code, u.name AS unit_name`;
  const areAsked = sql.join(isAsked, sql` AND `);
  const of = (isOne: RawBuilder<unknown>) => sql`(
    SELECT r.* FROM (
      ${values} FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN tenants t ON t.id = l.tenant_id
      JOIN ${facilitiesToday(ctx, places)} f ON f.id = u.facility_id
      WHERE ${isOne} AND ${areAsked}
    ) r WHERE ${keyset.isAfter} ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit})`;
  const isByUnit = query.sort === 'unit';
  // Those that have left are in no index by the age of the rent, which they would fill; of those
  // whose end is known and ahead there are few.
  const asked = isByUnit
    ? byFacility(
        ctx,
        places,
        keyset,
        sql`${values} FROM units u JOIN ledgers l ON l.unit_id = u.id JOIN tenants t ON t.id = l.tenant_id
          WHERE u.facility_id = f.id AND ${areAsked}`,
      )
    : sql`(${of(sql`l.moved_out_on IS NULL`)} UNION ALL
        ${of(sql`l.moved_out_on >= ${addDays(now.toISOString().slice(0, 10), -1)}::date`)}) r`;
  const { rows } = await sql<{ id: string; cursor: string[] }>`
    SELECT r.id, ${keyset.cursor} AS cursor FROM ${asked}
    ORDER BY ${isByUnit ? ofFacilities(keyset) : keyset.orderBy} LIMIT ${keyset.limit}`.execute(
    ctx.db,
  );
  const page = keyset.page(rows);
  const ids = page.rows.map((row) => row.id);
  return { ...page, rows: await readRates(ctx, ids) };
}

/** The first day of the rent of the ledger `l`. */
const since = sql`coalesce(l.rate_since, l.moved_in_on)`;

/** Whole months between a day and the today of the facility `f`. */
const monthsSince = (day: RawBuilder<unknown>) =>
  sql`greatest(0, extract(year FROM age(f.today, ${day})) * 12 + extract(month FROM age(f.today, ${day})))::int`;

/** The rents of rentals in the order of their ids, each next to the average of its size there. */
async function readRates(ctx: Context, ids: string[]): Promise<RateRow[]> {
  const now = ctx.clock.now();
  const { rows } = await sql<Row>`
    WITH f AS MATERIALIZED (
      SELECT id, location_code, time_zone, rate_notice_days, ${todayAt(now, sql`time_zone`)} AS today
      FROM facilities WHERE id IN (SELECT u.facility_id FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE l.id = ${anyOf(ids)})
    ), size AS MATERIALIZED (
      SELECT one.facility_id, one.width_feet, one.length_feet, (
        SELECT round(avg(l.rental_rate_cents))::bigint FROM units u JOIN ledgers l ON l.unit_id = u.id
        WHERE u.facility_id = one.facility_id AND u.width_feet = one.width_feet AND u.length_feet = one.length_feet
          AND is_current_on(l.moved_out_on, f.today)) AS average_cents
      FROM (
        SELECT DISTINCT u.facility_id, u.width_feet, u.length_feet FROM ledgers l JOIN units u ON u.id = l.unit_id
        WHERE l.id = ${anyOf(ids)}
      ) one JOIN f ON f.id = one.facility_id
    )
    SELECT l.id, l.tenant_id AS "tenantId", t.name AS "tenantName",
      f.location_code AS "locationCode", u.name AS "unitName", u.width_feet AS "widthFeet",
      u.length_feet AS "lengthFeet", l.rental_rate_cents AS "rateCents", ${since} AS "rateSince",
      ${monthsSince(since)} AS months, size.average_cents AS "averageCents",
      CASE WHEN l.scheduled_rate_on IS NOT NULL
        THEN json_build_object('rateCents', l.scheduled_rate_cents, 'on', l.scheduled_rate_on) END AS scheduled,
      f.rate_notice_days AS "noticeDays", f.time_zone AS "timeZone"
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id JOIN f ON f.id = u.facility_id
    JOIN size ON size.facility_id = u.facility_id AND size.width_feet = u.width_feet AND size.length_feet = u.length_feet
    WHERE l.id = ${anyOf(ids)} ORDER BY array_position(${ids}::uuid[], l.id)`.execute(ctx.db);
  return rows.map(({ rateCents, averageCents, scheduled, noticeDays, timeZone, ...row }) => ({
    ...row,
    rate: toDollars(rateCents),
    averageRate: toDollars(averageCents),
    scheduled: scheduled && { rate: toDollars(scheduled.rateCents), on: scheduled.on },
    riseFrom: addDays(calendarDateIn(timeZone, now), noticeDays),
  }));
}
