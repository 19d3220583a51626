import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { getUnit, listUnits, UnitRow } from '@gatehouse/contract/office/units';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { anyOf } from '#db/any-of.ts';
import { within, type Places } from '#db/within.ts';
import { isSuspendedOn } from '#features/service/gate-access/suspension.ts';
import { notFound } from '#errors/refusal.ts';
import { keysetOf, type Keyset, type Sorts } from './keyset.ts';
import { byFacility, facilitiesToday, ofFacilities } from './places.ts';
import { keyBegins } from './text.ts';

type Row = Omit<UnitRow, 'rate' | 'streetRate' | 'balance'> & {
  streetCents: number | null;
  rateCents: number | null;
  balanceCents: number | null;
};

const byName = [
  { by: sql`r.location_code`, as: 'text' },
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
      { by: sql`(r.width_feet * r.length_feet)::bigint`, as: 'bigint' },
      { by: sql`r.width_feet::bigint`, as: 'bigint' },
      // As the index has them, which knows no location codes.
      { by: sql`r.name`, as: 'text' },
      { by: sql`r.id`, as: 'uuid' },
    ],
    order: 'asc',
  },
  rate: {
    keys: [{ by: sql`r.rate_cents`, as: 'bigint' }, ...byName],
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
 * the page only, unless the page depends on it.
 */
export async function findUnits(
  ctx: Context,
  query: Query,
  places: Places,
): Promise<Reply<typeof listUnits>> {
  const keyset = keysetOf(query, sorts);
  const isByName = query.sort === undefined || query.sort === 'name';
  const rows = isByName
    ? await readPageByName(ctx, query, places, keyset)
    : await readPage(ctx, query, places, keyset);
  const page = keyset.page(rows);
  const ids = page.rows.map((row) => row.id);
  return { ...page, rows: await readUnits(ctx, ids) };
}

type PageRow = { id: string; cursor: string[] };

/** By location code and name: facility by facility. */
async function readPageByName(
  ctx: Context,
  query: Query,
  places: Places,
  keyset: Keyset,
): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    SELECT r.id, ${keyset.cursor} AS cursor FROM ${byFacility(
      ctx,
      places,
      keyset,
      sql`SELECT u.id, f.location_code, u.name FROM units u WHERE u.facility_id = f.id AND ${isAskedFor(ctx, query)}`,
    )} ORDER BY ${ofFacilities(keyset)} LIMIT ${keyset.limit}`.execute(ctx.db);
  return rows;
}

/** By anything else. What the order does not compare is not computed. */
async function readPage(
  ctx: Context,
  query: Query,
  places: Places,
  keyset: Keyset,
): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    SELECT r.id, ${keyset.cursor} AS cursor FROM (
      SELECT u.id, f.location_code, u.name, u.width_feet, u.length_feet,
        CASE WHEN ${isRented} THEN 3 WHEN ${isFree} THEN 1 ELSE 2 END::bigint AS standing,
        coalesce(
          (SELECT l.rental_rate_cents FROM unit_days d JOIN ledgers l ON l.id = d.ledger_id
            WHERE d.unit_id = u.id AND d.days @> f.today LIMIT 1), u.street_rate_cents,
          (SELECT l.rental_rate_cents FROM unit_days d JOIN ledgers l ON l.id = d.ledger_id
            WHERE d.unit_id = u.id ORDER BY lower(d.days) DESC LIMIT 1), 0) AS rate_cents
      FROM units u JOIN ${facilitiesToday(ctx, places)} f ON f.id = u.facility_id
      WHERE ${isAskedFor(ctx, query)}
    ) r WHERE ${keyset.isAfter} ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(ctx.db);
  return rows;
}

/** Whether the unit `u` at `f` with its `today` is what the filters ask for. */
function isAskedFor(
  ctx: Context,
  { q = '', state, size, typeName, freeOn }: Query,
): RawBuilder<boolean> {
  const [width = null, length = null] = size?.split('x').map(Number) ?? [];
  return sql<boolean>`(${q} = '' OR ${keyBegins(sql`u.name_key`, q)})
    AND (${width}::int IS NULL OR u.width_feet = ${width}::int AND u.length_feet = ${length}::int)
    AND (${typeName ?? null}::text IS NULL OR u.type_name = ${typeName ?? null}::text)
    AND ${freeOn === undefined ? sql`true` : isFreeFrom(freeOn)}
    AND ${state === undefined ? sql`true` : isIn(ctx, state)}`;
}

/** Whether the unit `u` can be let from the day on. */
function isFreeFrom(day: string | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`u.out_of_service IS NULL
    AND NOT EXISTS (SELECT FROM unit_days d WHERE d.unit_id = u.id AND d.days && daterange(${day}::date, NULL))`;
}

const isFree = isFreeFrom(sql`f.today`);
const isRented = sql<boolean>`EXISTS (SELECT FROM unit_days d WHERE d.unit_id = u.id AND d.days @> f.today)`;

/** Whether the unit `u` at `f` is in a state, as `readUnits` names it. */
function isIn(ctx: Context, state: UnitRow['state']): RawBuilder<boolean> {
  const isLocked = sql`EXISTS (
    SELECT FROM unit_days d JOIN ledgers l ON l.id = d.ledger_id
    WHERE d.unit_id = u.id AND d.days @> f.today AND ${isSuspendedOn(ctx, sql`f.today`)})`;
  switch (state) {
    case 'vacant':
      return isFree;
    case 'reserved':
      return sql`u.out_of_service IS NULL AND NOT ${isRented} AND NOT (${isFree})`;
    case 'outOfService':
      return sql`u.out_of_service IS NOT NULL AND NOT ${isRented}`;
    case 'occupied':
      return sql`${isRented} AND NOT ${isLocked}`;
    case 'locked':
      return sql`${isLocked}`;
  }
}

/** Units in the order of their ids, each with who has it on its facility's today. */
async function readUnits(ctx: Context, ids: string[]): Promise<UnitRow[]> {
  const { rows } = await sql<Row>`
    SELECT u.id, f.location_code AS "locationCode", u.name, u.width_feet AS "widthFeet", u.length_feet AS "lengthFeet",
      u.type_name AS "typeName",
      CASE WHEN here.id IS NOT NULL THEN CASE WHEN here.is_locked THEN 'locked' ELSE 'occupied' END
        WHEN u.out_of_service IS NOT NULL THEN 'outOfService' WHEN next.on_day IS NOT NULL THEN 'reserved' ELSE 'vacant' END AS state,
      u.out_of_service AS "outOfService", u.street_rate_cents AS "streetCents",
      coalesce(here.rental_rate_cents, u.street_rate_cents, (
        SELECT l.rental_rate_cents FROM unit_days d JOIN ledgers l ON l.id = d.ledger_id
        WHERE d.unit_id = u.id ORDER BY lower(d.days) DESC LIMIT 1)) AS "rateCents",
      here.tenant_id AS "tenantId", here.id AS "ledgerId", here.name AS "tenantName",
      here.balance_cents AS "balanceCents", here.until AS "freeFrom", next.on_day AS "nextOn"
    FROM units u JOIN ${facilitiesToday(ctx, null)} f ON f.id = u.facility_id
    LEFT JOIN LATERAL (
      SELECT l.id, l.tenant_id, t.name, l.rental_rate_cents, l.balance_cents,
        upper(d.days) AS until, ${isSuspendedOn(ctx, sql`f.today`)} AS is_locked
      FROM unit_days d JOIN ledgers l ON l.id = d.ledger_id JOIN tenants t ON t.id = l.tenant_id
      WHERE d.unit_id = u.id AND d.days @> f.today LIMIT 1
    ) here ON true
    LEFT JOIN LATERAL (
      SELECT min(lower(d.days)) AS on_day FROM unit_days d WHERE d.unit_id = u.id AND lower(d.days) > f.today
    ) next ON true
    WHERE u.id = ${anyOf(ids)} ORDER BY array_position(${ids}::uuid[], u.id)`.execute(ctx.db);
  return rows.map(unitView);
}

/** A unit with its tenants, the newest first. Refuses with 404 one that is not there. */
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
  const { rows: history } = await sql<Past>`
    SELECT l.id, l.tenant_id AS "tenantId", t.name AS "tenantName",
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

function unitView({ rateCents, streetCents, balanceCents, ...row }: Row): UnitRow {
  return {
    ...row,
    rate: rateCents === null ? null : toDollars(rateCents),
    streetRate: streetCents === null ? null : toDollars(streetCents),
    balance: balanceCents === null ? null : toDollars(balanceCents),
  };
}
