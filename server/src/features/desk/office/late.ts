import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { LateRow, listLate } from '@gatehouse/contract/office/late';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Places } from '#db/within.ts';
import { lateSince, rentLateSince, withDayGiven } from '#features/base/ledgers/owed-since.ts';
import { isSuspendedOn } from '#features/service/gate-access/suspension.ts';
import { keysetOf, type Sorts } from './keyset.ts';
import { facilitiesToday } from './places.ts';
import { keyBegins } from './text.ts';

const id = { by: sql`l.id`, as: 'uuid' } as const;
const sorts: Sorts<'daysOwed' | 'balance' | 'name'> = {
  daysOwed: { keys: [{ by: sql`l.owed_since`, as: 'date' }, id], order: 'desc', isReversed: true },
  balance: { keys: [{ by: sql`l.balance_cents`, as: 'bigint' }, id], order: 'desc' },
  name: {
    keys: [{ by: sql`t.last_key`, as: 'text' }, { by: sql`t.first_key`, as: 'text' }, id],
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
  const { q = '', bucket = null, autopay = null, hold = null } = query;
  const begins = (key: RawBuilder<unknown>) => keyBegins(key, q);
  const { rows } = await sql<{ id: string; cursor: string[] }>`
    SELECT l.id, ${keyset.cursor} AS cursor
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id
    JOIN ${facilitiesToday(ctx, places)} f ON f.id = t.facility_id
    WHERE ${isLate(ctx)}
      AND (${bucket}::text IS NULL OR ${bucketOf(daysLate, '1-10')} = ${bucket})
      AND (${autopay}::text IS NULL OR ${isOnAutopay} = (${autopay} = 'on'))
      AND (${hold}::text IS NULL OR l.is_on_hold = (${hold} = 'on'))
      AND (${q} = '' OR ${begins(sql`t.last_key`)} OR ${begins(sql`t.first_key`)} OR ${begins(sql`u.name_key`)})
      AND ${keyset.isAfter}
    ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(ctx.db);
  const page = keyset.page(rows);
  const ids = page.rows.map((row) => row.id);
  return { ...page, rows: await readLateRows(ctx, ids) };
}

/**
 * Of a ledger `l` at its facility `f` with its today: what is due today, such as a charge that
 * staff have just added, is late tomorrow. The day is also compared with one of all facilities: by
 * that the index ends before what has just been billed.
 */
const isLate = (ctx: Context) =>
  sql`l.owed_since < f.today AND l.owed_since < (SELECT max(today) FROM ${facilitiesToday(ctx, null)} every)
    AND ${lateSince} < f.today`;

const daysLate = sql`(f.today - ${lateSince})`;

const isOnAutopay = sql<boolean>`EXISTS (SELECT FROM autopays a WHERE a.ledger_id = l.id AND a.active)`;

type LateList = {
  rows: LateRow[];
  sums: { bucket: LateRow['bucket']; count: number; owed: number }[];
};

/**
 * The first `most` of tenants who are late, as the list shows them, and the sums of all by bucket.
 */
export async function readLateList(ctx: Context, places: Places, most: number): Promise<LateList> {
  const { rows } = await findLate(ctx, { limit: String(most) }, places);
  const { rows: sums } = await sql<{ bucket: LateRow['bucket']; count: number; cents: number }>`
    SELECT ${bucketOf(daysLate, '1-10')} AS bucket, count(*)::int AS count, sum(l.balance_cents)::bigint AS cents
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN ${facilitiesToday(ctx, places)} f ON f.id = t.facility_id
    WHERE ${isLate(ctx)} GROUP BY 1`.execute(ctx.db);
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
  const first = sql`${sorted[0] ?? null}::date - 2`;
  const last = sql`${sorted.at(-1) ?? null}::date`;
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM (
      SELECT owing.id FROM ledgers owing WHERE owing.owed_since >= ${first} AND owing.owed_since < ${last}
      UNION ${withDayGiven(first, last)}
    ) found
    JOIN ledgers l ON l.id = found.id JOIN tenants t ON t.id = l.tenant_id
    JOIN ${facilitiesToday(ctx, places)} f ON f.id = t.facility_id
    WHERE ${lateSince} BETWEEN f.today - 2 AND f.today - 1
    ORDER BY l.owed_since, l.id LIMIT ${most}`.execute(ctx.db);
  const ids = rows.slice(0, shown).map((row) => row.id);
  return { count: rows.length, rows: await readLateRows(ctx, ids) };
}

/** Days past a day, as buckets; `first` is the name of that up to 10. */
export function bucketOf(days: RawBuilder<unknown>, first: '0-10' | '1-10'): RawBuilder<string> {
  return sql<string>`CASE WHEN ${days} <= 10 THEN ${sql.lit(first)} WHEN ${days} <= 30 THEN '11-30'
    WHEN ${days} <= 60 THEN '31-60' ELSE '60+' END`;
}

type LateRecord = Omit<LateRow, 'balance' | 'note'> & { balanceCents: number } & LastNote;
type LastNote = { noteText: string | null; noteBy: string | null; noteAt: Date | null };

/** The rows of rentals that owe something, in the order of their ids. */
async function readLateRows(ctx: Context, ids: string[]): Promise<LateRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<LateRecord>`
    SELECT l.id, l.tenant_id AS "tenantId", f.location_code AS "locationCode", u.name AS "unitName",
      t.company, t.first_name AS "firstName", t.last_name AS "lastName", t.email, t.phone, l.balance_cents AS "balanceCents",
      ${lateSince} AS "owedSince", ${daysLate} AS "daysOwed", ${bucketOf(daysLate, '1-10')} AS bucket,
      coalesce(greatest(0, f.today - ${rentLateSince}), 0) AS "daysPastDue",
      CASE WHEN ${isOnAutopay} THEN 'on' ELSE 'off' END AS autopay, ${isSuspendedOn(ctx, sql`f.today`)} AS "isLockedOut",
      l.moved_out_on AS "movedOutOn", l.is_on_hold AS "isOnHold", CASE WHEN l.is_on_hold THEN held.until_on END AS "heldUntil",
      (SELECT max(n.on_day) FROM late_notices n WHERE n.tenant_id = t.id) AS "noticedOn",
      note.text AS "noteText", note.by_name AS "noteBy", note.created_at AS "noteAt"
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place)
    JOIN ledgers l ON l.id = asked.id JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id
    JOIN ${facilitiesToday(ctx, null)} f ON f.id = u.facility_id
    LEFT JOIN rental_holds held ON held.ledger_id = l.id
    LEFT JOIN LATERAL (SELECT text, by_name, created_at FROM tenant_notes
      WHERE tenant_id = t.id AND removed_at IS NULL ORDER BY created_at DESC, id LIMIT 1) note ON true
    WHERE l.owed_since IS NOT NULL ORDER BY asked.place`.execute(ctx.db);
  return rows.map(({ balanceCents, noteText, noteBy, noteAt, ...row }) => ({
    ...row,
    balance: toDollars(balanceCents),
    note:
      noteText && noteBy && noteAt
        ? { text: noteText, by: noteBy, at: noteAt.toISOString() }
        : null,
  }));
}
