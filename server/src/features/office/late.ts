import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { LateRow, listLate } from '@gatehouse/contract/office/late';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { isSuspendedOn } from '#features/gate-access/suspension.ts';
import { keysetOf, type Sorts } from './keyset.ts';
import { beginningOf } from './text.ts';

export type LateRecord = Omit<LateRow, 'balance'> & { balanceCents: number };

const id = { by: sql`r.id`, as: 'uuid' } as const;
const sorts: Sorts<'daysOwed' | 'balance' | 'name'> = {
  daysOwed: { keys: [{ by: sql`r."daysOwed"::bigint`, as: 'bigint' }, id], order: 'desc' },
  balance: { keys: [{ by: sql`r."balanceCents"`, as: 'bigint' }, id], order: 'desc' },
  name: {
    keys: [
      { by: sql`lower(r."lastName")`, as: 'text' },
      { by: sql`lower(r."firstName")`, as: 'text' },
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

/** The rentals of the facilities that owe something that is due. */
export async function findLate(
  ctx: Context,
  query: Query,
  facilityIds: string[],
): Promise<Reply<typeof listLate>> {
  const keyset = keysetOf(query, sorts);
  const { q, bucket = null, autopay = null, hold = null } = query;
  const isAsked =
    q === undefined || q === ''
      ? sql`true`
      : sql`(lower(r."lastName") LIKE ${beginningOf(q)} OR lower(r."firstName") LIKE ${beginningOf(q)}
          OR lower(r."unitName") LIKE ${beginningOf(q)})`;
  const { rows } = await sql<LateRecord & { cursor: string[] }>`
    WITH r AS (${lateRows(ctx, facilityIds)})
    SELECT r.*, ${keyset.cursor} AS cursor FROM r
    WHERE (${bucket}::text IS NULL OR r.bucket = ${bucket}::text)
      AND (${autopay}::text IS NULL OR r.autopay = ${autopay}::text)
      AND (${hold}::text IS NULL OR r."isOnHold" = (${hold}::text = 'on')) AND ${isAsked} AND ${keyset.isAfter}
    ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(ctx.db);
  const page = keyset.page(rows);
  return { ...page, rows: page.rows.map(lateView) };
}

type LateList = {
  rows: LateRow[];
  sums: { bucket: LateRow['bucket']; count: number; owed: number }[];
};

/** The first `most` of who is late, as the list shows them, and the sums of all by bucket. */
export async function readLateList(
  ctx: Context,
  facilityIds: string[],
  most: number,
): Promise<LateList> {
  const { rows } = await sql<LateRecord>`
    SELECT r.* FROM (${lateRows(ctx, facilityIds)}) r ORDER BY r."daysOwed" DESC, r.id DESC LIMIT ${most}`.execute(
    ctx.db,
  );
  const { rows: sums } = await sql<{ bucket: LateRow['bucket']; count: number; cents: number }>`
    SELECT r.bucket, count(*)::int AS count, sum(r."balanceCents")::bigint AS cents
    FROM (${lateRows(ctx, facilityIds)}) r GROUP BY r.bucket`.execute(ctx.db);
  return {
    rows: rows.map(lateView),
    sums: sums.map(({ cents, ...sum }) => ({ ...sum, owed: toDollars(cents) })),
  };
}

/** Days past a day, as the buckets of the aging report. */
export function bucketOf(days: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`CASE WHEN ${days} <= 10 THEN '0-10' WHEN ${days} <= 30 THEN '11-30'
    WHEN ${days} <= 60 THEN '31-60' ELSE '60+' END`;
}

/** A statement of all rentals of the facilities that owe something that is due. */
export function lateRows(ctx: Context, facilityIds: string[]): RawBuilder<LateRecord> {
  const today = sql`(${ctx.clock.now()}::timestamptz AT TIME ZONE f.time_zone)::date`;
  const daysOwed = sql`(${today} - open.since)`;
  return sql<LateRecord>`
    SELECT l.id, l.tenant_id AS "tenantId", f.location_code AS "locationCode", u.name AS "unitName",
      t.first_name AS "firstName", t.last_name AS "lastName", t.email, t.phone, l.balance_cents AS "balanceCents",
      open.since AS "owedSince", ${daysOwed} AS "daysOwed", ${bucketOf(daysOwed)} AS bucket,
      CASE WHEN open.owes_rent THEN greatest(0, ${today} - (l.paid_through + 1)) ELSE 0 END AS "daysPastDue",
      CASE WHEN EXISTS (SELECT FROM autopays a WHERE a.ledger_id = l.id AND a.active) THEN 'on' ELSE 'off' END AS autopay,
      ${isSuspendedOn(ctx, today)} AS "isLockedOut", l.moved_out_on AS "movedOutOn",
      l.is_on_hold AS "isOnHold", CASE WHEN l.is_on_hold THEN held.until_on END AS "heldUntil",
      (SELECT max(n.on_day) FROM late_notices n WHERE n.tenant_id = t.id) AS "noticedOn"
    FROM tenants t JOIN facilities f ON f.id = t.facility_id
    JOIN ledgers l ON l.tenant_id = t.id AND l.balance_cents > 0
    JOIN units u ON u.id = l.unit_id
    LEFT JOIN rental_holds held ON held.ledger_id = l.id
    CROSS JOIN LATERAL (
      SELECT min(c.due_on) AS since, bool_or(c.category = 'rent') AS owes_rent FROM open_charges c WHERE c.ledger_id = l.id
    ) open
    WHERE t.facility_id = ANY(${facilityIds}::uuid[]) AND open.since <= ${today}`;
}

export function lateView({ balanceCents, ...row }: LateRecord): LateRow {
  return { ...row, balance: toDollars(balanceCents) };
}
