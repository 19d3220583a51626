import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { MOST_COUNTED, type Today } from '@gatehouse/contract/office/today';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { todayAt } from '#db/today.ts';
import { isToCheck } from '#features/service/insurance/proofs.ts';
import { notices } from '#features/service/requests/events.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { readNewlyLate } from './late.ts';
import { facilitiesToday, placesOf } from './places.ts';
import { requestRows, requestView } from './requests.ts';

/** How many rows of each kind are shown. */
const SHOWN = 20;

/**
 * What a column of days is compared with by `=`. One day, the usual case, lets the planner estimate
 * the rows; of several their number is hidden from it, as in `anyOf`.
 */
const anyDay = (days: string[]) =>
  days.length === 1 ? sql`${days[0]}::date` : sql`ANY((SELECT ${days}::date[])::date[])`;

type Day = Today['moveIns']['rows'][number];
type Counted = { count: number };

/** What needs a person on the facilities' today, within the member's reach. */
export async function readToday(
  ctx: Context,
  staff: StaffMember,
  locationCode: string | undefined,
): Promise<Today> {
  const places = placesOf(staff, locationCode);
  const here = staff.facilities.filter(({ id }) => places === null || places.includes(id));
  const now = ctx.clock.now();
  const byDay = Map.groupBy(here, ({ timeZone }) => calendarDateIn(timeZone, now));
  const days = [...byDay.keys()];
  const placesOn = new Map(
    [...byDay].map(([day, there]) => [day, days.length === 1 ? places : there.map(({ id }) => id)]),
  );
  return ctx.db.transaction().execute(async (db) => {
    const scope = { ctx: { ...ctx, db }, places, days, placesOn };
    const [
      late,
      moveIns,
      moveOuts,
      transfers,
      noReply,
      bounced,
      alarms,
      proofs,
      expiring,
      papers,
      sums,
      taken,
    ] = await Promise.all([
      readNewlyLate(scope.ctx, { places, days, shown: SHOWN, most: MOST_COUNTED + 1 }),
      readDays(
        scope,
        sql`l.moved_in_on`,
        sql`l.moved_in_on = ${anyDay(days)} AND l.moved_in_on = ${today(ctx)}`,
      ),
      readDays(
        scope,
        sql`l.moved_out_on`,
        sql`l.moved_out_on = ${anyDay(days)} AND l.moved_out_on = ${today(ctx)}`,
      ),
      readDays(
        scope,
        today(ctx),
        sql`(l.transfer_on = ${anyDay(days)} OR l.unit_since = ${anyDay(days)})
            AND (l.transfer_on = ${today(ctx)} OR l.unit_since = ${today(ctx)} AND l.moved_in_on < ${today(ctx)})`,
      ),
      readNoReply(scope),
      readBounced(scope),
      readAlarms(scope),
      readProofs(scope),
      readExpiring(scope),
      readPapers(scope),
      readOccupancy(scope),
      readTaken(scope),
    ]);
    return {
      sums: { ...sums, ...taken },
      late,
      moveIns,
      moveOuts,
      transfers,
      noReply,
      bounced,
      alarms,
      proofs,
      expiring,
      papers,
    };
  });
}

/**
 * What each part reads: `days` are the local dates of the facilities, usually one, and `placesOn`
 * those that have each.
 */
type Scope = { ctx: Context; places: Places; days: string[]; placesOn: Map<string, Places> };

/** The today of the facility `f`. */
const today = ({ clock }: Context) => todayAt(clock.now());

function someOf<Row extends Counted>(rows: Row[]) {
  return {
    count: rows[0]?.count ?? 0,
    rows: rows.map(({ count: _, ...row }) => row),
  };
}

/**
 * The rentals of a condition with their `day`. The condition names the days as values besides: by
 * those an index is found.
 */
async function readDays(
  { ctx: { db }, places }: Scope,
  day: RawBuilder<unknown>,
  isOne: RawBuilder<unknown>,
): Promise<Today['moveIns']> {
  const { rows } = await sql<Day & Counted>`
    SELECT l.id, l.tenant_id AS "tenantId", t.name AS "tenantName",
      f.location_code AS "locationCode", u.name AS "unitName", ${day} AS on, (count(*) OVER ())::int AS count
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN facilities f ON f.id = t.facility_id
    JOIN units u ON u.id = l.unit_id
    WHERE ${within(sql`f.id`, places)} AND ${isOne} ORDER BY "on", "unitName", l.id LIMIT ${sql.lit(SHOWN)}`.execute(
    db,
  );
  return someOf(rows);
}

async function readNoReply({ ctx: { db }, places }: Scope): Promise<Today['noReply']> {
  const isNew = sql`${within(sql`q.facility_id`, places)} AND q.status = 'new' AND q.kind <> ALL(${notices}::text[])`;
  const [{ rows }, waiting] = await Promise.all([
    requestRows(sql`${isNew} ORDER BY q.created_at, q.id LIMIT ${sql.lit(SHOWN)}`).execute(db),
    sql<Counted>`SELECT count(*)::int AS count FROM requests q WHERE ${isNew}`.execute(db),
  ]);
  return {
    count: waiting.rows[0]!.count,
    rows: rows.map(({ cursor: _, ...row }) => requestView(row)),
  };
}

/**
 * How many units there are, are rented today, and can be let: a rental has one unit on each of its
 * days.
 */
async function readOccupancy({
  ctx,
  places,
  placesOn,
}: Scope): Promise<Pick<Today['sums'], 'units' | 'occupied' | 'vacant'>> {
  const rented = [...placesOn].map(
    ([day, there]) => sql`(
      SELECT count(*) FROM ledgers l WHERE l.moved_in_on <= ${day}::date AND is_current_on(l.moved_out_on, ${day}::date)
        AND ${there === null ? sql`true` : sql`l.tenant_id IN (SELECT t.id FROM tenants t WHERE ${within(sql`t.facility_id`, there)})`})`,
  );
  const { rows } = await sql<{ units: number; outOfService: number; occupied: number }>`
    SELECT (SELECT count(*)::int FROM units u WHERE ${within(sql`u.facility_id`, places)}) AS units,
      (SELECT count(*)::int FROM units u JOIN ${facilitiesToday(ctx, places)} f ON f.id = u.facility_id
        WHERE u.out_of_service IS NOT NULL
          AND NOT EXISTS (SELECT FROM unit_days d WHERE d.unit_id = u.id AND d.days @> f.today)) AS "outOfService",
      (${sql.join([sql`0`, ...rented], sql` + `)})::int AS occupied`.execute(ctx.db);
  const { units, outOfService, occupied } = rows[0]!;
  return { units, occupied, vacant: units - outOfService - occupied };
}

async function readTaken({
  ctx,
  places,
  days,
}: Scope): Promise<Pick<Today['sums'], 'taken' | 'back'>> {
  const { rows } = await sql<{ taken: number; back: number }>`
    SELECT coalesce(sum(k.taken), 0)::bigint AS taken, coalesce(sum(k.back), 0)::bigint AS back
    FROM (
      SELECT facility_id, posted_on, sum(cents) FILTER (WHERE cents > 0) AS taken, -sum(cents) FILTER (WHERE cents < 0) AS back
      FROM takings WHERE posted_on = ${anyDay(days)} AND ${within(sql`facility_id`, places)}
      GROUP BY facility_id, posted_on
    ) k JOIN facilities f ON f.id = k.facility_id WHERE k.posted_on = ${today(ctx)}`.execute(
    ctx.db,
  );
  const { taken, back } = rows[0]!;
  return { taken: toDollars(taken), back: toDollars(back) };
}

async function readBounced({ ctx, places, days }: Scope): Promise<Today['bounced']> {
  const two = [...new Set(days.flatMap((day) => [addDays(day, -1), day]))];
  type Row = Omit<Today['bounced']['rows'][number], 'amount'> & Counted & { cents: number };
  const { rows } = await sql<Row>`
    SELECT e.id, l.tenant_id AS "tenantId", t.name AS "tenantName",
      f.location_code AS "locationCode", u.name AS "unitName", e.posted_on AS on, e.cents, e.reason,
      (count(*) OVER ())::int AS count
    FROM (
      -- What was left of a payment, and what is owed again for what was not.
      SELECT min(one.id::text)::uuid AS id, one.ledger_id, one.facility_id, one.posted_on, one.reason,
        sum(one.amount_cents)::bigint AS cents, max(one.position) AS position
      FROM (
        SELECT e.*, rev.reason, rev.payment_entry_id FROM entries e JOIN reversals rev ON rev.entry_id = e.id
        WHERE e.kind = 'reversal' AND e.posted_on = ${anyDay(two)}
        UNION ALL
        SELECT e.*, again.reason, again.payment_entry_id FROM owed_again again JOIN entries e ON e.id = again.entry_id
        WHERE e.posted_on = ${anyDay(two)}
      ) one
      WHERE one.reason IN ('return', 'nsf', 'chargeback')
      GROUP BY one.payment_entry_id, one.created_at, one.ledger_id, one.facility_id, one.posted_on, one.reason
    ) e
    JOIN ledgers l ON l.id = e.ledger_id JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = e.facility_id
    WHERE e.posted_on BETWEEN ${today(ctx)} - 1 AND ${today(ctx)} AND ${within(sql`e.facility_id`, places)}
    ORDER BY e.position DESC LIMIT ${sql.lit(SHOWN)}`.execute(ctx.db);
  const { count, rows: shown } = someOf(rows);
  return { count, rows: shown.map(({ cents, ...row }) => ({ ...row, amount: toDollars(cents) })) };
}

async function readAlarms({ ctx: { db }, places }: Scope): Promise<Today['alarms']> {
  type Row = Omit<Today['alarms']['rows'][number], 'raisedAt'> & Counted & { raisedAt: Date };
  const { rows } = await sql<Row>`
    SELECT a.id, a.kind, a.sentence, a.raised_at AS "raisedAt", (count(*) OVER ())::int AS count
    FROM alarms a WHERE a.closed_at IS NULL AND (a.facility_id IS NULL OR ${within(sql`a.facility_id`, places)})
    ORDER BY a.raised_at DESC, a.id LIMIT ${sql.lit(SHOWN)}`.execute(db);
  const { count, rows: shown } = someOf(rows);
  return {
    count,
    rows: shown.map(({ raisedAt, ...row }) => ({ ...row, raisedAt: raisedAt.toISOString() })),
  };
}

/** Proofs of insurance that wait for a decision, the oldest first. */
async function readProofs({ ctx, places }: Scope): Promise<Today['proofs']> {
  type Row = Today['proofs']['rows'][number] & Counted;
  const { rows } = await sql<Row>`
    SELECT l.id, l.tenant_id AS "tenantId", t.name AS "tenantName",
      f.location_code AS "locationCode", u.name AS "unitName", ${todayAt(sql`i.created_at`)} AS on, i.company,
      (count(*) OVER ())::int AS count
    FROM private_policies i JOIN ledgers l ON l.id = i.ledger_id JOIN tenants t ON t.id = l.tenant_id
    JOIN facilities f ON f.id = t.facility_id JOIN units u ON u.id = l.unit_id
    WHERE ${isToCheck(today(ctx))} AND ${within(sql`f.id`, places)} AND is_current_on(l.moved_out_on, ${today(ctx)})
    ORDER BY i.created_at, i.id LIMIT ${sql.lit(SHOWN)}`.execute(ctx.db);
  return someOf(rows);
}

/** How far ahead papers are shown that end. */
export const EXPIRING_DAYS = 30;

/** Private policies and cards of autopay that end within 30 days. */
async function readExpiring({ ctx, places, days }: Scope): Promise<Today['expiring']> {
  const ends = days.flatMap((day) => [day, addDays(day, EXPIRING_DAYS)]).toSorted();
  // A card ends with its month; these few months are looked up, and the day is compared then.
  const months = [...new Set(ends.map((day) => day.slice(0, 7)))];
  type Row = Today['expiring']['rows'][number] & Counted;
  const { rows } = await sql<Row>`
    SELECT x.*, (count(*) OVER ())::int AS count FROM (
      SELECT l.id, l.tenant_id AS "tenantId", t.name AS "tenantName",
        f.location_code AS "locationCode", u.name AS "unitName", ends.on_day AS on, ends.what, ends.description
      FROM (
        SELECT p.ledger_id, p.ends_on AS on_day, 'policy' AS what, p.company AS description FROM private_policies p
        WHERE p.replaced_at IS NULL AND p.refusal IS NULL AND p.ends_on BETWEEN ${ends.at(0) ?? null}::date AND ${ends.at(-1) ?? null}::date
        UNION ALL
        SELECT a.ledger_id, (to_date(m.expires_on, 'YYYY-MM') + interval '1 month - 1 day')::date, 'card',
          m.brand || ' ending in ' || m.last_four
        FROM payment_methods m JOIN autopays a ON a.payment_method_id = m.id AND a.active
        WHERE m.expires_on = ANY((SELECT ${months}::text[])::text[])
      ) ends
      JOIN ledgers l ON l.id = ends.ledger_id JOIN tenants t ON t.id = l.tenant_id
      JOIN facilities f ON f.id = t.facility_id JOIN units u ON u.id = l.unit_id
      WHERE ${within(sql`f.id`, places)} AND is_current_on(l.moved_out_on, ${today(ctx)})
        AND ends.on_day BETWEEN ${today(ctx)} AND ${today(ctx)} + ${EXPIRING_DAYS}::int
    ) x ORDER BY x.on, x."unitName", x.id LIMIT ${sql.lit(SHOWN)}`.execute(ctx.db);
  return someOf(rows);
}

/** Papers of vehicles and vessels that end within 30 days, or ended within 30 days. */
async function readPapers({ ctx, places, days }: Scope): Promise<Today['papers']> {
  const ends = days
    .flatMap((day) => [addDays(day, -EXPIRING_DAYS), addDays(day, EXPIRING_DAYS)])
    .toSorted();
  type Row = Today['papers']['rows'][number] & Counted;
  const { rows } = await sql<Row>`
    SELECT l.id, l.tenant_id AS "tenantId", t.name AS "tenantName",
      f.location_code AS "locationCode", u.name AS "unitName", p.expires_on AS on, p.kind,
      (count(*) OVER ())::int AS count
    FROM vehicle_papers p JOIN ledgers l ON l.id = p.ledger_id JOIN tenants t ON t.id = l.tenant_id
    JOIN facilities f ON f.id = t.facility_id JOIN units u ON u.id = l.unit_id
    WHERE p.replaced_at IS NULL
      AND p.expires_on BETWEEN ${ends.at(0) ?? null}::date AND ${ends.at(-1) ?? null}::date
      AND p.expires_on BETWEEN ${today(ctx)} - ${EXPIRING_DAYS}::int AND ${today(ctx)} + ${EXPIRING_DAYS}::int
      AND ${within(sql`f.id`, places)} AND is_current_on(l.moved_out_on, ${today(ctx)})
    ORDER BY "on", "unitName", l.id, p.kind LIMIT ${sql.lit(SHOWN)}`.execute(ctx.db);
  return someOf(rows);
}
