import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import type { Today } from '@gatehouse/contract/office/today';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { isSuspendedOn } from '#features/gate-access/suspension.ts';
import { notices } from '#features/requests/events.ts';
import { findDeposits } from '#features/reports/deposits.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { lateRows, lateView, type LateRecord } from './late.ts';
import { requestRows, requestView } from './requests.ts';

/** How many rows of each kind are shown. */
const SHOWN = 20;

type Day = Today['moveIns']['rows'][number];
type Counted = { count: number };

/** What needs somebody on the facilities' today, within the member's reach. */
export async function readToday(
  ctx: Context,
  staff: StaffMember,
  facilityIds: string[],
): Promise<Today> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const today = sql`(${now}::timestamptz AT TIME ZONE f.time_zone)::date`;
  const isHere = sql`f.id = ANY(${facilityIds}::uuid[])`;
  const { rows: late } = await sql<LateRecord & Counted & { sumCents: number }>`
    SELECT r.*, (count(*) OVER ())::int AS count, (sum(r."balanceCents") OVER ())::bigint AS "sumCents"
    FROM (${lateRows(ctx, facilityIds)}) r WHERE r."daysOwed" <= 1
    ORDER BY r."balanceCents" DESC, r.id LIMIT ${SHOWN}`.execute(db);
  const days = (on: RawBuilder<unknown>, more: RawBuilder<unknown> = sql``) => sql`
    SELECT l.id, l.tenant_id AS "tenantId", t.first_name || ' ' || t.last_name AS "tenantName",
      f.location_code AS "locationCode", u.name AS "unitName", ${on} AS on, (count(*) OVER ())::int AS count ${more}
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN facilities f ON f.id = t.facility_id
    JOIN units u ON u.id = l.unit_id`;
  const ordered = sql`ORDER BY "on", "unitName", l.id LIMIT ${SHOWN}`;
  const { rows: moveIns } = await sql<Day & Counted>`
    ${days(sql`l.moved_in_on`)} WHERE ${isHere} AND l.moved_in_on = ${today} ${ordered}`.execute(
    db,
  );
  const { rows: moveOuts } = await sql<Day & Counted>`
    ${days(sql`l.moved_out_on`)} WHERE ${isHere} AND l.moved_out_on = ${today} ${ordered}`.execute(
    db,
  );
  const { rows: transfers } = await sql<Day & Counted>`
    ${days(sql`${today}`)} WHERE ${isHere}
      AND (l.transfer_on = ${today} OR l.unit_since = ${today} AND l.moved_in_on < ${today}) ${ordered}`.execute(
    db,
  );
  const { rows: requests } = await requestRows(
    sql`q.facility_id = ANY(${facilityIds}::uuid[]) AND q.status = 'new' AND q.kind <> ALL(${notices}::text[])
      ORDER BY q.created_at, q.id LIMIT ${SHOWN}`,
  ).execute(db);
  const { rows: waiting } = await sql<Counted>`
    SELECT count(*)::int AS count FROM requests q
    WHERE q.facility_id = ANY(${facilityIds}::uuid[]) AND q.status = 'new' AND q.kind <> ALL(${notices}::text[])`.execute(
    db,
  );
  return {
    facilities: await readFacilities(ctx, staff, facilityIds),
    late: {
      count: late[0]?.count ?? 0,
      balance: toDollars(late[0]?.sumCents ?? 0),
      rows: late.map(({ count: _, sumCents: __, ...row }) => lateView(row)),
    },
    moveIns: someOf(moveIns),
    moveOuts: someOf(moveOuts),
    transfers: someOf(transfers),
    noReply: {
      count: waiting[0]!.count,
      rows: requests.map(({ cursor: _, ...row }) => requestView(row)),
    },
    bounced: await readBounced(ctx, facilityIds),
    alarms: await readAlarms(ctx, facilityIds),
    expiring: await readExpiring(ctx, facilityIds),
  };
}

function someOf<Row extends Counted>(rows: Row[]) {
  return {
    count: rows[0]?.count ?? 0,
    rows: rows.map(({ count: _, ...row }) => row),
  };
}

async function readFacilities(
  ctx: Context,
  { facilities }: StaffMember,
  facilityIds: string[],
): Promise<Today['facilities']> {
  const today = sql`(${ctx.clock.now()}::timestamptz AT TIME ZONE f.time_zone)::date`;
  type Row = Omit<Today['facilities'][number], 'vacant' | 'taken' | 'back'>;
  const { rows } = await sql<Row>`
    SELECT f.id, f.location_code AS "locationCode", f.name, ${today} AS on, count(DISTINCT u.id)::int AS units,
      count(DISTINCT u.id) FILTER (WHERE here.id IS NOT NULL)::int AS occupied,
      count(DISTINCT u.id) FILTER (WHERE here.is_locked)::int AS locked
    FROM facilities f LEFT JOIN units u ON u.facility_id = f.id
    LEFT JOIN LATERAL (
      SELECT l.id, ${isSuspendedOn(ctx, today)} AS is_locked
      FROM unit_days d JOIN ledgers l ON l.id = d.ledger_id WHERE d.unit_id = u.id AND d.days @> ${today} LIMIT 1
    ) here ON true
    WHERE f.id = ANY(${facilityIds}::uuid[]) GROUP BY f.id ORDER BY f.location_code`.execute(
    ctx.db,
  );
  const sums = new Map<string, { taken: number; back: number }>();
  const own = facilities.filter(({ id }) => facilityIds.includes(id));
  const byDay = Map.groupBy(own, ({ timeZone }) => calendarDateIn(timeZone, ctx.clock.now()));
  for (const [on, there] of byDay) {
    const deposits = await findDeposits(ctx.db, { on, facilityIds: there.map(({ id }) => id) });
    for (const { locationCode, taken, back } of deposits.facilities)
      sums.set(locationCode, { taken, back });
  }
  return rows.map((row) => ({
    ...row,
    vacant: row.units - row.occupied,
    ...(sums.get(row.locationCode) ?? { taken: 0, back: 0 }),
  }));
}

async function readBounced(ctx: Context, facilityIds: string[]): Promise<Today['bounced']> {
  const today = sql`(${ctx.clock.now()}::timestamptz AT TIME ZONE f.time_zone)::date`;
  type Row = Omit<Today['bounced']['rows'][number], 'amount'> & Counted & { cents: number };
  const { rows } = await sql<Row>`
    SELECT e.id, l.tenant_id AS "tenantId", t.first_name || ' ' || t.last_name AS "tenantName",
      f.location_code AS "locationCode", u.name AS "unitName", e.posted_on AS on, e.amount_cents AS cents, r.reason,
      (count(*) OVER ())::int AS count
    FROM reversals r JOIN entries e ON e.id = r.entry_id JOIN ledgers l ON l.id = e.ledger_id
    JOIN tenants t ON t.id = l.tenant_id JOIN facilities f ON f.id = t.facility_id JOIN units u ON u.id = l.unit_id
    WHERE f.id = ANY(${facilityIds}::uuid[]) AND r.reason IN ('return', 'nsf', 'chargeback')
      AND e.posted_on BETWEEN ${today} - 1 AND ${today}
      AND e.posted_on >= ${addDays(ctx.clock.now().toISOString().slice(0, 10), -3)}::date
    ORDER BY e.position DESC LIMIT ${SHOWN}`.execute(ctx.db);
  const { count, rows: shown } = someOf(rows);
  return { count, rows: shown.map(({ cents, ...row }) => ({ ...row, amount: toDollars(cents) })) };
}

async function readAlarms({ db }: Context, facilityIds: string[]): Promise<Today['alarms']> {
  type Row = Omit<Today['alarms']['rows'][number], 'raisedAt'> & Counted & { raisedAt: Date };
  const { rows } = await sql<Row>`
    SELECT a.id, a.kind, a.sentence, a.raised_at AS "raisedAt", (count(*) OVER ())::int AS count
    FROM alarms a WHERE a.closed_at IS NULL AND (a.facility_id IS NULL OR a.facility_id = ANY(${facilityIds}::uuid[]))
    ORDER BY a.raised_at DESC, a.id LIMIT ${SHOWN}`.execute(db);
  const { count, rows: shown } = someOf(rows);
  return {
    count,
    rows: shown.map(({ raisedAt, ...row }) => ({ ...row, raisedAt: raisedAt.toISOString() })),
  };
}

/** Private policies and cards of autopay that end within 30 days. */
async function readExpiring(ctx: Context, facilityIds: string[]): Promise<Today['expiring']> {
  const today = sql`(${ctx.clock.now()}::timestamptz AT TIME ZONE f.time_zone)::date`;
  type Row = Today['expiring']['rows'][number] & Counted;
  const { rows } = await sql<Row>`
    SELECT x.*, (count(*) OVER ())::int AS count FROM (
      SELECT l.id, l.tenant_id AS "tenantId", t.first_name || ' ' || t.last_name AS "tenantName",
        f.location_code AS "locationCode", u.name AS "unitName", ends.on_day AS on, ends.what, ends.description
      FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN facilities f ON f.id = t.facility_id
      JOIN units u ON u.id = l.unit_id
      CROSS JOIN LATERAL (
        SELECT p.ends_on AS on_day, 'policy' AS what, p.company AS description FROM private_policies p
        WHERE p.ledger_id = l.id AND p.replaced_at IS NULL
        UNION ALL
        SELECT (to_date(m.expires_on, 'YYYY-MM') + interval '1 month - 1 day')::date, 'card',
          m.brand || ' ending in ' || m.last_four
        FROM autopays a JOIN payment_methods m ON m.id = a.payment_method_id
        WHERE a.ledger_id = l.id AND a.active AND m.expires_on ~ '^\\d{4}-\\d{2}$'
      ) ends
      WHERE f.id = ANY(${facilityIds}::uuid[]) AND is_current_on(l.moved_out_on, ${today})
        AND ends.on_day BETWEEN ${today} AND ${today} + 30
    ) x ORDER BY x.on, x."unitName", x.id LIMIT ${SHOWN}`.execute(ctx.db);
  return someOf(rows);
}
