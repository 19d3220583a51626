import { addDays } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { LateRow, listLate } from '@gatehouse/contract/office/late';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { prepared } from '#db/prepared.ts';
import { within, type Places } from '#db/within.ts';
import { isSuspendedOn } from '#features/gate-access/suspension.ts';
import { keysetOf, type Sorts } from './keyset.ts';
import { beginningOf } from './text.ts';

const id = { by: sql`r.id`, as: 'uuid' } as const;
const sorts: Sorts<'daysOwed' | 'balance' | 'name'> = {
  daysOwed: { keys: [{ by: sql`r.since`, as: 'date' }, id], order: 'desc', isReversed: true },
  balance: { keys: [{ by: sql`r.balance_cents`, as: 'bigint' }, id], order: 'desc' },
  name: {
    keys: [
      { by: sql`lower(r.last_name)`, as: 'text' },
      { by: sql`lower(r.first_name)`, as: 'text' },
      id,
    ],
    order: 'asc',
  },
};

type Query = {
  q?: string | undefined;
  bucket?: LateRow['bucket'] | undefined;
  autopay?: 'on' | 'off' | undefined;
  hold?: 'on' | 'off' | undefined;
} & Parameters<typeof keysetOf>[0];

/** The rentals of the facilities that are late: not on the due date itself. */
export async function findLate(
  ctx: Context,
  query: Query,
  places: Places,
): Promise<Reply<typeof listLate>> {
  const keyset = keysetOf(query, sorts);
  const { q = '', bucket, autopay, hold, sort = 'daysOwed' } = query;
  const isOfRental = q !== '' || hold !== undefined || sort === 'name';
  const isAsked = [
    isLate(ctx),
    ...(bucket === undefined ? [] : [sql`${bucketOf(daysLate, '1-10')} = ${bucket}`]),
    ...(autopay === undefined ? [] : [isOnAutopay(sql`o.ledger_id`, autopay === 'on')]),
    ...(hold === undefined ? [] : [sql`l.is_on_hold = ${hold === 'on'}::boolean`]),
    ...(q === ''
      ? []
      : [
          sql`(lower(t.last_name) LIKE ${beginningOf(q)} OR lower(t.first_name) LIKE ${beginningOf(q)}
            OR lower(u.name) LIKE ${beginningOf(q)})`,
        ]),
  ];
  const { rows } = await sql<{ id: string; cursor: string[] }>`
    SELECT r.id, ${keyset.cursor} AS cursor FROM (
      SELECT o.ledger_id AS id, ${valuesOf[sort as keyof typeof valuesOf]}
      FROM ${sort === 'name' ? owingByName(places) : sql`(${sort === 'daysOwed' ? owingByDay(places) : owedByRental(places)}) o`}
      JOIN ${facilitiesToday(ctx)} f ON f.id = o.facility_id
      ${isOfRental && sort !== 'name' ? sql`JOIN ledgers l ON l.id = o.ledger_id JOIN tenants t ON t.id = l.tenant_id` : sql``}
      ${isOfRental ? sql`JOIN units u ON u.id = l.unit_id` : sql``}
      WHERE ${sql.join(isAsked, sql` AND `)}
    ) r WHERE ${keyset.isAfter} ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(ctx.db);
  const page = keyset.page(rows);
  const ids = page.rows.map((row) => row.id);
  return { ...page, rows: await readLateRows(ctx, ids) };
}

/**
 * Of a rental `o` that owes something since a day, at `f` with its today: what is due today, such
 * as a charge that staff have just added, is late tomorrow. The day is compared with one of all
 * facilities besides: by that the index ends before what has just been billed.
 */
const isLate = (ctx: Context) =>
  sql`o.since < f.today AND o.since < (SELECT max(today) FROM ${facilitiesToday(ctx)} every)`;
const daysLate = sql`(f.today - o.since)`;

/** The columns that each sort compares. */
const valuesOf = {
  daysOwed: sql`o.since`,
  balance: sql`o.cents AS balance_cents`,
  name: sql`t.last_name, t.first_name`,
};

/**
 * The rentals of the facilities that owe something, and since when: each by the first of its open
 * charges, so that an index by day gives those first that have owed the longest.
 */
const owingByDay = (places: Places) => sql`
    SELECT c.ledger_id, c.facility_id, c.due_on AS since FROM owed_charges c
    WHERE ${within(sql`c.facility_id`, places)} AND NOT EXISTS (
      SELECT FROM owed_charges earlier WHERE earlier.ledger_id = c.ledger_id
        AND (earlier.due_on, earlier.entry_id) < (c.due_on, c.entry_id))`;

/** The same rows as `o` beside their ledgers and tenants, in the order of the index by name. */
const owingByName = (places: Places) => sql`tenants t JOIN ledgers l ON l.tenant_id = t.id
    AND l.balance_cents > 0 AND ${within(sql`t.facility_id`, places)}
    CROSS JOIN LATERAL (
      SELECT l.id AS ledger_id, t.facility_id, min(c.due_on) AS since FROM owed_charges c WHERE c.ledger_id = l.id
    ) o`;

/** The facilities with their local date, computed once for each rather than for each rental. */
const facilitiesToday = ({ clock }: Context) =>
  sql`(SELECT id, (${clock.now()}::timestamptz AT TIME ZONE time_zone)::date AS today FROM facilities OFFSET 0)`;

/** As a condition that can be joined: where few are on autopay not each rental is looked up. */
const isOnAutopay = (ledgerId: RawBuilder<unknown>, isOn = true) =>
  sql`${isOn ? sql`` : sql`NOT`} EXISTS (SELECT FROM autopays a WHERE a.ledger_id = ${ledgerId} AND a.active)`;

type LateList = {
  rows: LateRow[];
  sums: { bucket: LateRow['bucket']; count: number; owed: number }[];
};

/** The first `most` of who is late, as the list shows them, and the sums of all by bucket. */
export async function readLateList(ctx: Context, places: Places, most: number): Promise<LateList> {
  const { rows } = await findLate(ctx, { limit: String(most) }, places);
  const { rows: sums } = await sql<{ bucket: LateRow['bucket']; count: number; cents: number }>`
    SELECT r.bucket, count(*)::int AS count, sum(r.cents)::bigint AS cents FROM (
      SELECT ${bucketOf(daysLate, '1-10')} AS bucket, o.cents
      FROM (${owedByRental(places)}) o JOIN ${facilitiesToday(ctx)} f ON f.id = o.facility_id WHERE ${isLate(ctx)}
    ) r GROUP BY r.bucket`.execute(ctx.db);
  return { rows, sums: sums.map(({ cents, ...sum }) => ({ ...sum, owed: toDollars(cents) })) };
}

/**
 * What is late since yesterday or today, the first `shown`, of at most `most`. `days` are the
 * todays of the facilities.
 */
export async function readNewlyLate(
  ctx: Context,
  { places, days, shown, most }: { places: Places; days: string[]; shown: number; most: number },
): Promise<{ count: number; rows: LateRow[] }> {
  const sorted = days.toSorted();
  const since = addDays(sorted[0] ?? '2000-01-01', -2);
  const { rows } = await sql<{ id: string }>`
    SELECT o.ledger_id AS id FROM (${owingByDay(places)}) o JOIN ${facilitiesToday(ctx)} f ON f.id = o.facility_id
    WHERE o.since >= ${since}::date AND o.since < ${sorted.at(-1) ?? since}::date AND o.since BETWEEN f.today - 2 AND f.today - 1
    ORDER BY o.since, o.ledger_id LIMIT ${most}`.execute(ctx.db);
  const first = rows.slice(0, shown).map((row) => row.id);
  return { count: rows.length, rows: await readLateRows(ctx, first) };
}

/** Days past a day, as buckets; `first` is the name of that up to 10. */
export function bucketOf(days: RawBuilder<unknown>, first: '0-10' | '1-10'): RawBuilder<string> {
  return sql<string>`CASE WHEN ${days} <= 10 THEN ${sql.lit(first)} WHEN ${days} <= 30 THEN '11-30'
    WHEN ${days} <= 60 THEN '31-60' ELSE '60+' END`;
}

/**
 * A statement of all rentals of the facilities that owe something, how much and since when, from
 * the index of the open charges by facility alone. A rental with an open charge has no open credit
 * (I1), so what is owed of its charges is its balance.
 */
export function owedByRental(places: Places): RawBuilder<unknown> {
  return sql`
    SELECT facility_id, ledger_id, min(due_on) AS since, bool_or(is_rent) AS owes_rent, sum(owed_cents)::bigint AS cents
    FROM owed_charges WHERE ${within(sql`facility_id`, places)} GROUP BY facility_id, ledger_id`;
}

type LateRecord = Omit<LateRow, 'balance'> & { balanceCents: number };

/** The rows of rentals that owe something, in the order of their ids. */
async function readLateRows(ctx: Context, ids: string[]): Promise<LateRow[]> {
  if (ids.length === 0) return [];
  const today = sql`f.today`;
  const daysOwed = sql`(f.today - open.since)`;
  const { rows } = await prepared<LateRecord>`
    SELECT l.id, l.tenant_id AS "tenantId", f.location_code AS "locationCode", u.name AS "unitName",
      t.first_name AS "firstName", t.last_name AS "lastName", t.email, t.phone, l.balance_cents AS "balanceCents",
      open.since AS "owedSince", ${daysOwed} AS "daysOwed", ${bucketOf(daysOwed, '1-10')} AS bucket,
      CASE WHEN open.owes_rent THEN greatest(0, f.today - (l.paid_through + 1)) ELSE 0 END AS "daysPastDue",
      CASE WHEN ${isOnAutopay(sql`l.id`)} THEN 'on' ELSE 'off' END AS autopay, ${isSuspendedOn(ctx, today)} AS "isLockedOut", l.moved_out_on AS "movedOutOn",
      l.is_on_hold AS "isOnHold", CASE WHEN l.is_on_hold THEN held.until_on END AS "heldUntil",
      (SELECT max(n.on_day) FROM late_notices n WHERE n.tenant_id = t.id) AS "noticedOn"
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place)
    JOIN ledgers l ON l.id = asked.id JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id
    CROSS JOIN LATERAL (
      SELECT *, (${ctx.clock.now()}::timestamptz AT TIME ZONE time_zone)::date AS today FROM facilities
      WHERE id = u.facility_id OFFSET 0
    ) f
    LEFT JOIN rental_holds held ON held.ledger_id = l.id
    CROSS JOIN LATERAL (
      SELECT min(c.due_on) AS since, bool_or(c.is_rent) AS owes_rent FROM owed_charges c WHERE c.ledger_id = l.id
    ) open
    WHERE open.since IS NOT NULL ORDER BY asked.place`.execute(ctx.db);
  return rows.map(({ balanceCents, ...row }) => ({ ...row, balance: toDollars(balanceCents) }));
}
