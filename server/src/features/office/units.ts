import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { getUnit, listUnits, UnitRow } from '@gatehouse/contract/office/units';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { anyOf } from '#db/any-of.ts';
import { prepared } from '#db/prepared.ts';
import { within, type Places } from '#db/within.ts';
import { isSuspendedOn } from '#features/gate-access/suspension.ts';
import { notFound } from '#errors/refusal.ts';
import { keysetOf, type Sorts } from './keyset.ts';
import { byFacility, ofFacilities } from './places.ts';
import { beginningOf } from './text.ts';

type Row = Omit<UnitRow, 'rate' | 'balance'> & {
  rateCents: number | null;
  balanceCents: number | null;
};

const byName = [
  { by: sql`r."locationCode"`, as: 'text' },
  { by: sql`r.name`, as: 'text' },
  { by: sql`r.id`, as: 'uuid' },
] as const;
const sorts: Sorts<'name' | 'vacantFirst' | 'size' | 'rate'> = {
  name: { keys: [...byName], order: 'asc' },
  vacantFirst: {
    keys: [{ by: sql`r.standing`, as: 'bigint' }, ...byName],
    order: 'asc',
  },
  size: {
    keys: [
      { by: sql`(r."widthFeet" * r."lengthFeet")::bigint`, as: 'bigint' },
      { by: sql`r."widthFeet"::bigint`, as: 'bigint' },
      // As the index of 0099 has them, which knows no location codes.
      { by: sql`r.name`, as: 'text' },
      { by: sql`r.id`, as: 'uuid' },
    ],
    order: 'asc',
  },
  rate: {
    keys: [{ by: sql`coalesce(r."rateCents", 0)`, as: 'bigint' }, ...byName],
    order: 'asc',
  },
};

type Query = {
  q?: string | undefined;
  state?: UnitRow['state'] | undefined;
  size?: string | undefined;
  typeName?: string | undefined;
  freeOn?: string | undefined;
} & Parameters<typeof keysetOf>[0];

/**
 * The units of the facilities, each as it is on its facility's today. Who has a unit is read for
 * the page alone, unless the page depends on it.
 */
export async function findUnits(
  ctx: Context,
  query: Query,
  places: Places,
): Promise<Reply<typeof listUnits>> {
  const keyset = keysetOf(query, sorts);
  const [width = null, length = null] = query.size?.split('x').map(Number) ?? [];
  const isAsked = sql`${within(sql`u.facility_id`, places)}
    AND (${width}::int IS NULL OR u.width_feet = ${width}::int AND u.length_feet = ${length}::int)
    AND (${query.typeName ?? null}::text IS NULL OR u.type_name = ${query.typeName ?? null}::text)
    AND ${query.freeOn === undefined ? sql`true` : isFreeFrom(query.freeOn)}
    AND ${query.q === undefined || query.q === '' ? sql`true` : sql`lower(u.name) LIKE ${beginningOf(query.q)}`}`;
  const isByName = (query.sort ?? 'name') === 'name';
  const isByRow = query.state !== undefined || query.sort === 'rate';
  const isOfState = query.state === undefined ? sql`true` : sql`r.state = ${query.state}`;
  const plain = sql`
    SELECT u.id, f.location_code AS "locationCode", u.name, u.width_feet AS "widthFeet", u.length_feet AS "lengthFeet"`;
  const asked = isByName
    ? byFacility(ctx, places, keyset, unitsHere(ctx, query.state, plain, isAsked))
    : isByRow
      ? sql`(SELECT s.*, ${standingOf} FROM (${unitRows(ctx, isAsked)}) s) r`
      : sql`(${plain}, ${standingIn(ctx)} FROM units u JOIN facilities f ON f.id = u.facility_id WHERE ${isAsked}) r`;
  const { rows } = await prepared<{ id: string; cursor: string[] }>`
    SELECT r.id, ${keyset.cursor} AS cursor FROM ${asked}
    WHERE ${isByName ? sql`true` : isOfState} AND ${keyset.isAfter}
    ORDER BY ${isByName ? ofFacilities(keyset) : keyset.orderBy} LIMIT ${keyset.limit}`.execute(
    ctx.db,
  );
  const page = keyset.page(rows);
  return {
    ...page,
    rows: await readUnits(
      ctx,
      page.rows.map((row) => row.id),
    ),
  };
}

/** The place of a state where those that can be let come first. */
const standingOf = sql`CASE s.state WHEN 'vacant' THEN 1 WHEN 'reserved' THEN 2 ELSE 3 END::bigint AS standing`;

/** The same of unit `u` at `f` by its days alone: whether its gate is locked is not to be read. */
function standingIn(ctx: Context): RawBuilder<unknown> {
  const isRented = (days: RawBuilder<unknown>) =>
    sql`EXISTS (SELECT FROM unit_days d WHERE d.unit_id = u.id AND d.days && ${days})`;
  const today = todayAt(ctx);
  return sql`CASE WHEN ${isRented(sql`daterange(${today}, ${today}, '[]')`)} THEN 3
    WHEN ${isRented(sql`daterange(${today}, NULL)`)} THEN 2 ELSE 1 END::bigint AS standing`;
}

/** The facility's day. */
function todayAt({ clock }: Context): RawBuilder<unknown> {
  return sql`(${clock.now()}::timestamptz AT TIME ZONE f.time_zone)::date`;
}

/**
 * The units of the facility `f` of `byFacility`, of a state: of one that is vacant nothing else is
 * to be read.
 */
function unitsHere(
  ctx: Context,
  state: UnitRow['state'] | undefined,
  plain: RawBuilder<unknown>,
  isAsked: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const here = sql`u.facility_id = f.id AND ${isAsked}`;
  if (state === undefined) return sql`${plain} FROM units u WHERE ${here}`;
  if (state === 'vacant')
    return sql`${plain} FROM units u WHERE ${here} AND ${isFreeFrom(sql`f.today`)}`;
  return sql`SELECT s.* FROM (${unitRows(ctx, here, sql`units u`)}) s WHERE s.state = ${state}`;
}

/** Units in the order of their ids. */
async function readUnits(ctx: Context, ids: string[]): Promise<UnitRow[]> {
  const { rows } = await prepared<Row>`
    SELECT r.* FROM (${unitRows(ctx, sql`u.id = ${anyOf(ids)}`)}) r
    ORDER BY array_position(${ids}::uuid[], r.id)`.execute(ctx.db);
  return rows.map(unitView);
}

/** A unit with who had it, the newest first. Refuses with 404 one that is not there. */
export async function readUnit(
  ctx: Context,
  unitId: string,
  places: Places,
): Promise<Reply<typeof getUnit>> {
  const { rows: found } = await sql<{ id: string }>`
    SELECT id FROM units WHERE id = ${unitId} AND ${within(sql`facility_id`, places)}`.execute(
    ctx.db,
  );
  const [unit] = await readUnits(
    ctx,
    found.map((row) => row.id),
  );
  if (unit === undefined) throw notFound();
  type Past = Omit<Reply<typeof getUnit>['history'][number], 'rate' | 'balance'> & {
    rateCents: number;
    balanceCents: number;
  };
  const { rows: history } = await prepared<Past>`
    SELECT l.id, l.tenant_id AS "tenantId", t.first_name || ' ' || t.last_name AS "tenantName",
      stay.from_on AS "fromOn", stay.until_on AS "untilOn", l.rental_rate_cents AS "rateCents",
      l.balance_cents AS "balanceCents",
      (SELECT json_build_object('id', u.id, 'name', u.name) FROM units u WHERE u.id = stay.came_from) AS "movedFrom",
      (SELECT json_build_object('id', u.id, 'name', u.name) FROM units u WHERE u.id = stay.moved_to) AS "movedTo"
    FROM (${stays(unitId)}) stay JOIN ledgers l ON l.id = stay.ledger_id JOIN tenants t ON t.id = l.tenant_id
    ORDER BY stay.from_on DESC, stay.left_at DESC, l.id LIMIT 100`.execute(ctx.db);
  return {
    ...unit,
    history: history.map(({ rateCents, balanceCents, ...past }) => ({
      ...past,
      rate: toDollars(rateCents),
      balance: toDollars(balanceCents),
    })),
  };
}

/**
 * The times that rentals are or were in a unit, with the unit before and after: now, from a planned
 * transfer on, and before one that was made. A rental that ended or was transferred on its first
 * day is among them, though it has no whole day here.
 */
function stays(unitId: string): RawBuilder<unknown> {
  const lastLeft = sql`(SELECT p.unit_id FROM past_units p WHERE p.ledger_id = l.id ORDER BY p.left_at DESC LIMIT 1)`;
  const isTransferred = sql`(l.moved_out_on IS NULL OR l.transfer_on < l.moved_out_on)`;
  return sql`
    SELECT l.id AS ledger_id, coalesce(l.unit_since, l.moved_in_on) AS from_on,
      least(l.transfer_on, l.moved_out_on) AS until_on, ${lastLeft} AS came_from,
      CASE WHEN ${isTransferred} THEN l.transfer_unit_id END AS moved_to, 'infinity'::timestamptz AS left_at
    FROM ledgers l
    WHERE l.unit_id = ${unitId} AND (l.moved_out_on IS NULL OR l.moved_out_on >= coalesce(l.unit_since, l.moved_in_on))
    UNION ALL
    SELECT l.id, l.transfer_on, l.moved_out_on, l.unit_id, NULL, 'infinity'
    FROM ledgers l WHERE l.transfer_unit_id = ${unitId} AND ${isTransferred}
    UNION ALL
    SELECT p.ledger_id, p.from_on, p.until_on,
      (SELECT before.unit_id FROM past_units before WHERE before.ledger_id = p.ledger_id AND before.left_at < p.left_at
        ORDER BY before.left_at DESC LIMIT 1),
      coalesce((SELECT next.unit_id FROM past_units next WHERE next.ledger_id = p.ledger_id AND next.left_at > p.left_at
        ORDER BY next.left_at LIMIT 1), l.unit_id), p.left_at
    FROM past_units p JOIN ledgers l ON l.id = p.ledger_id WHERE p.unit_id = ${unitId}`;
}

/** Whether unit `u` is not rented on the day or later, as a rental without an end needs it. */
function isFreeFrom(day: string | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`NOT EXISTS (SELECT FROM unit_days d WHERE d.unit_id = u.id AND d.days && daterange(${day}::date, NULL))`;
}

/** Units `u` of their facilities `f` with who has them. */
function unitRows(
  ctx: Context,
  which: RawBuilder<unknown>,
  from = sql`units u JOIN facilities f ON f.id = u.facility_id`,
): RawBuilder<Row> {
  const today = todayAt(ctx);
  return sql<Row>`
    SELECT u.id, f.location_code AS "locationCode", u.name, u.width_feet AS "widthFeet", u.length_feet AS "lengthFeet",
      u.type_name AS "typeName",
      CASE WHEN here.id IS NOT NULL THEN CASE WHEN here.is_locked THEN 'locked' ELSE 'occupied' END
        WHEN next.on_day IS NOT NULL THEN 'reserved' ELSE 'vacant' END AS state,
      coalesce(here.rental_rate_cents, (
        SELECT l.rental_rate_cents FROM unit_days d JOIN ledgers l ON l.id = d.ledger_id
        WHERE d.unit_id = u.id ORDER BY lower(d.days) DESC LIMIT 1)) AS "rateCents",
      here.tenant_id AS "tenantId", here.id AS "ledgerId", here.name AS "tenantName",
      here.balance_cents AS "balanceCents", here.until AS "freeFrom", next.on_day AS "nextOn"
    FROM ${from}
    LEFT JOIN LATERAL (
      SELECT l.id, l.tenant_id, t.first_name || ' ' || t.last_name AS name, l.rental_rate_cents, l.balance_cents,
        upper(d.days) AS until, ${isSuspendedOn(ctx, today)} AS is_locked
      FROM unit_days d JOIN ledgers l ON l.id = d.ledger_id JOIN tenants t ON t.id = l.tenant_id
      WHERE d.unit_id = u.id AND d.days @> ${today} LIMIT 1
    ) here ON true
    LEFT JOIN LATERAL (
      SELECT min(lower(d.days)) AS on_day FROM unit_days d WHERE d.unit_id = u.id AND lower(d.days) > ${today}
    ) next ON true
    WHERE ${which}`;
}

function unitView({ rateCents, balanceCents, ...row }: Row): UnitRow {
  return {
    ...row,
    rate: rateCents === null ? null : toDollars(rateCents),
    balance: balanceCents === null ? null : toDollars(balanceCents),
  };
}
