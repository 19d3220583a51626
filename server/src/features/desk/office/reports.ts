import type { Reply } from '@gatehouse/contract/endpoint';
import { sumDollars, toDollars } from '@gatehouse/contract/money';
import type {
  getAging,
  getOccupancy,
  getRentRoll,
  getRevenue,
} from '@gatehouse/contract/office/reports';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { todayAt } from '#db/today.ts';
import { keysetOf } from './keyset.ts';
import { bucketOf } from './late.ts';
import { byFacility, facilitiesToday, ofFacilities } from './places.ts';

type AsOf = { asOf?: string | undefined };

/** The day of a report: the one that is asked for, or the today of each of `facilitiesToday f`. */
function dayOf({ asOf }: AsOf): RawBuilder<unknown> {
  return sql`coalesce(${asOf ?? null}::date, f.today)`;
}

/** The rent of the ledger `l` on a day: that of the last bill until then, or else as it is now. */
const rateOn = (day: RawBuilder<unknown>) => sql`coalesce((
  SELECT b.rate_cents FROM billed_periods b WHERE b.ledger_id = l.id AND b.due_on <= ${day}
  ORDER BY b.due_on DESC LIMIT 1), l.rental_rate_cents)`;

/**
 * What the ledger `l` owed at the end of a day, by what was posted until then. The day only
 * filters: as a condition it has PostgreSQL read the index of all days for each ledger, ten times
 * as long.
 */
export const balanceOn = (day: RawBuilder<unknown>) => sql`coalesce((
  SELECT sum(e.amount_cents) FILTER (WHERE e.posted_on <= ${day}) FROM entries e WHERE e.ledger_id = l.id), 0)::bigint`;

/** Who rents which unit, at which rent, on a day. */
export async function readRentRoll(
  ctx: Context,
  query: AsOf & Parameters<typeof keysetOf>[0],
  places: Places,
): Promise<Reply<typeof getRentRoll>> {
  const keyset = keysetOf(query, {
    unit: {
      keys: [
        { by: sql`r.location_code`, as: 'text' },
        { by: sql`r.name`, as: 'text' },
        { by: sql`r.id`, as: 'uuid' },
      ],
      order: 'asc',
    },
  });
  const day = dayOf(query);
  const { rows } = await sql<{ id: string; unitId: string; cursor: string[] }>`
    SELECT r.id, r.unit_id AS "unitId", ${keyset.cursor} AS cursor FROM ${byFacility(
      ctx,
      places,
      keyset,
      sql`SELECT d.ledger_id AS id, u.id AS unit_id, f.location_code, u.name FROM units u
        CROSS JOIN LATERAL (SELECT d.ledger_id FROM unit_days d WHERE d.unit_id = u.id AND d.days @> ${day}) d
        WHERE u.facility_id = f.id`,
    )} ORDER BY ${ofFacilities(keyset)} LIMIT ${keyset.limit}`.execute(ctx.db);
  const page = keyset.page(rows);
  return { ...page, rows: await readRented(ctx, query, places, page.rows) };
}

/** The number of all rentals of a rent roll, and their rents and balances, in dollars. */
export async function sumRentRoll(
  ctx: Context,
  query: AsOf,
  places: Places,
): Promise<{ count: number; rent: number; balance: number }> {
  const day = dayOf(query);
  const { rows } = await sql<{ count: number; rentCents: number; balanceCents: number }>`
    SELECT count(*)::int AS count, coalesce(sum(${rateOn(day)}), 0)::bigint AS "rentCents",
      coalesce(sum(${balanceOn(day)}), 0)::bigint AS "balanceCents"
    FROM units u JOIN ${facilitiesToday(ctx, places)} f ON f.id = u.facility_id
    CROSS JOIN LATERAL (SELECT d.ledger_id FROM unit_days d WHERE d.unit_id = u.id AND d.days @> ${day}) d
    JOIN ledgers l ON l.id = d.ledger_id`.execute(ctx.db);
  const { count, rentCents, balanceCents } = rows[0]!;
  return { count, rent: toDollars(rentCents), balance: toDollars(balanceCents) };
}

/** Rentals in these units on the day, in this order. */
async function readRented(
  ctx: Context,
  query: AsOf,
  places: Places,
  rented: { id: string; unitId: string }[],
): Promise<Reply<typeof getRentRoll>['rows']> {
  type Row = Omit<Reply<typeof getRentRoll>['rows'][number], 'rate' | 'balance'> & {
    rateCents: number;
    balanceCents: number;
  };
  const day = dayOf(query);
  const { rows } = await sql<Row>`
    SELECT l.id, l.tenant_id AS "tenantId", t.name AS "tenantName",
      f.location_code AS "locationCode", u.name AS "unitName", u.width_feet AS "widthFeet", u.length_feet AS "lengthFeet",
      l.moved_in_on AS "movedInOn", ${rateOn(day)} AS "rateCents", ${balanceOn(day)} AS "balanceCents"
    FROM unnest(${rented.map(({ id }) => id)}::uuid[], ${rented.map(({ unitId }) => unitId)}::uuid[])
      WITH ORDINALITY AS r (id, unit_id, place)
    JOIN ledgers l ON l.id = r.id JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = r.unit_id
    JOIN ${facilitiesToday(ctx, places)} f ON f.id = u.facility_id
    ORDER BY r.place`.execute(ctx.db);
  return rows.map(({ rateCents, balanceCents, ...row }) => ({
    ...row,
    rate: toDollars(rateCents),
    balance: toDollars(balanceCents),
  }));
}

/**
 * What was owed on a day by how long: each rental with a balance above 0, in the bucket of its
 * oldest charge that was open then. Of a day that is over nowhere it is what is owed now; of an
 * earlier one it is computed from all entries of every rental until then.
 */
export async function readAging(
  ctx: Context,
  query: AsOf,
  places: Places,
): Promise<Reply<typeof getAging>> {
  type Row = Omit<Reply<typeof getAging>['rows'][number], 'id' | 'owed'> & { cents: number };
  const isOfNow = query.asOf === undefined || !(await isOverSomewhere(ctx, query.asOf));
  const { rows } = await sql<Row>`
    SELECT r."locationCode", ${bucketOf(sql`r.days`, '0-10')} AS bucket, count(*)::int AS rentals,
      sum(r.balance_cents)::bigint AS cents
    FROM (${isOfNow ? owedNow(ctx, query, places) : owedThen(ctx, query, places)}) r GROUP BY 1, 2
    ORDER BY 1, min(r.days)`.execute(ctx.db);
  const shown = rows.map(({ cents, ...row }) => ({
    id: `${row.locationCode} ${row.bucket}`,
    ...row,
    owed: toDollars(cents),
  }));
  return { rows: shown, owed: sumDollars(shown.map(({ owed }) => owed)) };
}

/** Whether a facility has a later today. */
async function isOverSomewhere({ db, clock }: Context, day: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM facilities f WHERE ${todayAt(clock.now())} > ${day}::date LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** What each rental owes that is due on the day. */
function owedNow(ctx: Context, query: AsOf, places: Places): RawBuilder<unknown> {
  const day = dayOf(query);
  return sql`
    SELECT f.location_code AS "locationCode", l.balance_cents, ${day} - l.owed_since AS days
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN ${facilitiesToday(ctx, places)} f ON f.id = t.facility_id
    WHERE l.owed_since <= ${day}`;
}

/** The same as it was: an allocation counts from the day on which it was made. */
function owedThen(ctx: Context, query: AsOf, places: Places): RawBuilder<unknown> {
  const day = dayOf(query);
  return sql`
    SELECT f.location_code AS "locationCode", b.balance_cents, ${day} - open.since AS days
    FROM tenants t JOIN ${facilitiesToday(ctx, places)} f ON f.id = t.facility_id JOIN ledgers l ON l.tenant_id = t.id
    CROSS JOIN LATERAL (SELECT ${balanceOn(day)} AS balance_cents) b
    CROSS JOIN LATERAL (
      SELECT min(c.due_on) AS since FROM charges c JOIN entries e ON e.id = c.entry_id
      WHERE c.ledger_id = l.id AND e.posted_on <= ${day} AND c.due_on <= ${day} AND e.amount_cents > coalesce((
        SELECT sum(a.amount_cents) FROM dated_allocations a
        WHERE a.charge_entry_id = c.entry_id AND a.counts_on <= ${day}), 0)
    ) open
    WHERE b.balance_cents > 0 AND open.since IS NOT NULL`;
}

/**
 * How many units of each size are rented on a day, and at which rents in all, and how many of the
 * others are out of service now.
 */
export async function readOccupancy(
  ctx: Context,
  query: AsOf,
  places: Places,
): Promise<Reply<typeof getOccupancy>> {
  const day = dayOf(query);
  type Row = Omit<Reply<typeof getOccupancy>['rows'][number], 'id' | 'rent'> & { cents: number };
  const { rows } = await sql<Row>`
    SELECT f.location_code AS "locationCode", u.width_feet AS "widthFeet", u.length_feet AS "lengthFeet",
      count(*)::int AS units, count(here.id)::int AS occupied,
      count(u.out_of_service) FILTER (WHERE here.id IS NULL)::int AS "outOfService", coalesce(sum(here.cents), 0)::bigint AS cents
    FROM units u JOIN ${facilitiesToday(ctx, places)} f ON f.id = u.facility_id
    LEFT JOIN LATERAL (
      SELECT l.id, ${rateOn(day)} AS cents FROM unit_days d JOIN ledgers l ON l.id = d.ledger_id
      WHERE d.unit_id = u.id AND d.days @> ${day} LIMIT 1
    ) here ON true
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`.execute(ctx.db);
  const shown = rows.map(({ cents, ...row }) => ({
    id: `${row.locationCode} ${row.widthFeet}x${row.lengthFeet}`,
    ...row,
    rent: toDollars(cents),
  }));
  const sum = (count: (row: (typeof shown)[number]) => number) =>
    shown.reduce((all, row) => all + count(row), 0);
  return {
    rows: shown,
    units: sum(({ units }) => units),
    occupied: sum(({ occupied }) => occupied),
    outOfService: sum(({ outOfService }) => outOfService),
    rent: sumDollars(shown.map(({ rent }) => rent)),
  };
}

/**
 * What was posted by month and kind. All entries of a month come to `charged` less `waived`,
 * `writtenOff`, `credited` and `taken`, and `back`. A credit that was moved to another rental is
 * none that was given; what another tenant is charged instead is taken back; a won dispute is a
 * payment that came again; what is owed again, and a credit that was paid out, is money that went
 * back.
 */
export async function readRevenue(
  ctx: Context,
  { from, to }: { from: string; to: string },
  places: Places,
): Promise<Reply<typeof getRevenue>> {
  type Sums = Reply<typeof getRevenue>['totals'];
  type Row = Omit<Reply<typeof getRevenue>['rows'][number], 'id' | keyof Sums> & {
    cents: Record<keyof Sums, number>;
  };
  const { rows } = await sql<Row>`
    SELECT x.location_code AS "locationCode", to_char(x.posted_on, 'YYYY-MM') AS month, x.kind,
      json_build_object('charged', sum(x.charged), 'net', sum(x.net), 'waived', sum(x.waived), 'writtenOff', sum(x.written_off), 'tax1', sum(x.tax1),
        'tax2', sum(x.tax2), 'credited', sum(x.credited), 'taken', sum(x.taken), 'back', sum(x.back)) AS cents
    FROM (
      SELECT f.location_code, e.posted_on,
        CASE WHEN again.entry_id IS NOT NULL OR out.refund_id IS NOT NULL THEN 'payment'
          WHEN e.kind = 'charge' THEN c.category
          WHEN r.reason = 'moved' THEN 'credit'
          WHEN waived.category IS NOT NULL THEN waived.category
          WHEN p.entry_id IS NOT NULL OR won.credit_entry_id IS NOT NULL THEN 'payment'
          ELSE 'credit' END AS kind,
        CASE WHEN e.kind = 'charge' AND again.entry_id IS NULL OR cr.is_assigned THEN e.amount_cents ELSE 0 END AS charged,
        CASE WHEN e.kind = 'charge' AND again.entry_id IS NULL THEN c.price_cents - c.discount_cents
          WHEN cr.is_assigned THEN e.amount_cents + cr.tax1_cents + cr.tax2_cents ELSE 0 END AS net,
        tax.sign * coalesce(c.tax1_cents, cr.tax1_cents, 0) AS tax1,
        tax.sign * coalesce(c.tax2_cents, cr.tax2_cents, 0) AS tax2,
        CASE WHEN e.kind <> 'charge' AND waived.category IS NOT NULL AND r.reason IS DISTINCT FROM 'moved'
            AND out.refund_id IS NULL
            AND NOT cr.is_write_off AND NOT cr.is_assigned
          THEN -e.amount_cents ELSE 0 END AS waived,
        CASE WHEN e.kind <> 'charge' AND cr.is_write_off AND r.reason IS DISTINCT FROM 'moved' AND out.refund_id IS NULL
          THEN -e.amount_cents ELSE 0 END AS written_off,
        CASE WHEN e.kind <> 'charge' AND out.refund_id IS NULL AND (r.reason = 'moved' OR waived.category IS NULL
            AND p.entry_id IS NULL AND won.credit_entry_id IS NULL) THEN -e.amount_cents ELSE 0 END AS credited,
        CASE WHEN e.kind IN ('payment', 'credit') AND (p.entry_id IS NOT NULL OR won.credit_entry_id IS NOT NULL)
          THEN -e.amount_cents ELSE 0 END AS taken,
        CASE WHEN again.entry_id IS NOT NULL OR out.refund_id IS NOT NULL
            OR e.kind = 'reversal' AND r.reason <> 'moved' AND (p.entry_id IS NOT NULL OR won.credit_entry_id IS NOT NULL)
          THEN e.amount_cents ELSE 0 END AS back
      FROM facilities f JOIN tenants t ON t.facility_id = f.id JOIN ledgers l ON l.tenant_id = t.id
      JOIN entries e ON e.ledger_id = l.id
      LEFT JOIN charges c ON c.entry_id = e.id
      LEFT JOIN reversals r ON r.entry_id = e.id
      LEFT JOIN payments p ON p.entry_id = coalesce(r.payment_entry_id, e.id)
      LEFT JOIN credits cr ON cr.entry_id = coalesce(r.payment_entry_id, e.id)
      LEFT JOIN charges waived ON waived.entry_id = cr.charge_entry_id
      LEFT JOIN dispute_parts won ON won.credit_entry_id = coalesce(r.payment_entry_id, e.id)
      LEFT JOIN owed_again again ON again.entry_id = e.id
      LEFT JOIN refund_parts out ON out.reversal_entry_id = e.id
      CROSS JOIN LATERAL (
        -- A waiver gives the tax back, and one that was taken back does not.
        SELECT CASE WHEN e.kind = 'charge' THEN 1 WHEN waived.category IS NULL OR r.reason = 'moved'
          OR out.refund_id IS NOT NULL OR cr.is_write_off THEN 0
          WHEN e.kind = 'credit' THEN -1 ELSE 1 END AS sign
      ) tax
      WHERE e.posted_on BETWEEN ${from}::date AND ${to}::date AND ${within(sql`f.id`, places)}
    ) x
    GROUP BY 1, 2, 3 ORDER BY 2, 1, 3`.execute(ctx.db);
  const inDollars = (sumOf: (name: keyof Sums) => number): Sums => ({
    charged: toDollars(sumOf('charged')),
    net: toDollars(sumOf('net')),
    waived: toDollars(sumOf('waived')),
    writtenOff: toDollars(sumOf('writtenOff')),
    tax1: toDollars(sumOf('tax1')),
    tax2: toDollars(sumOf('tax2')),
    credited: toDollars(sumOf('credited')),
    taken: toDollars(sumOf('taken')),
    back: toDollars(sumOf('back')),
  });
  return {
    rows: rows.map(({ cents, ...row }) => ({
      id: `${row.locationCode} ${row.month} ${row.kind}`,
      ...row,
      ...inDollars((name) => cents[name]),
    })),
    totals: inDollars((name) => rows.reduce((sum, { cents }) => sum + cents[name], 0)),
  };
}
