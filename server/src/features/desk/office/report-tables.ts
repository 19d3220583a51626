import type { JournalBasis } from '@gatehouse/contract/office/journal';
import { formatMonth } from '@gatehouse/contract/dates';
import { sumDollars, toDollars } from '@gatehouse/contract/money';
import {
  MOST_TABLE_ROWS,
  reportTables,
  type ReportName,
  type ReportTable,
} from '@gatehouse/contract/office/report-tables';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { Refusal } from '#errors/refusal.ts';
import { readFacts } from '#features/money/journal/facts.ts';
import { readJournal } from '#features/money/journal/journal.ts';
import { readGatewayDays } from './deposit-day.ts';
import { facilitiesToday } from './places.ts';
import {
  balanceOn,
  readAging,
  readOccupancy,
  readRentRoll,
  readRevenue,
  sumRentRoll,
} from './reports.ts';

/** A report as it is asked for: `to` is the day of one as of a day. */
export type ReportQuery = { report: ReportName; from?: string | undefined; to: string };
type Cell = ReportTable['rows'][number][number];
type Columns = Record<string, ReportTable['columns'][number]['kind']>;
type Days = { from: string; to: string };
/** `all` is of all rows, where some of them were not read; `totals` by the names of columns. */
type Made = {
  columns: Columns;
  rows: Cell[][];
  all?: { count: number; totals: Record<string, number> };
};

/**
 * A report of a day or of some days, at most `MOST_TABLE_ROWS` of its rows. Totals are of the
 * columns of dollars and counts. Refuses with 422 a range without or after its first day.
 */
export async function readReportTable(
  ctx: Context,
  { report, from, to }: ReportQuery,
  places: Places,
): Promise<ReportTable> {
  const { title, isOfDays } = reportTables[report];
  if (isOfDays && from === undefined) throw new Refusal(422, 'Name the first day (from).');
  if (from !== undefined && from > to)
    throw new Refusal(422, 'The first day must not be after the last.');
  const { columns, rows, all } = await tables[report](ctx, { from: from ?? to, to }, places);
  const kinds = Object.entries(columns);
  const totals = kinds.map(([name, kind], index): Cell => {
    if (kind === 'text' || kind === 'day') return index === 0 ? 'In all' : '';
    return all?.totals[name] ?? sumDollars(rows.map((row) => Number(row[index])));
  });
  return {
    title,
    columns: kinds.map(([name, kind]) => ({ title: name, kind })),
    rows: rows.slice(0, MOST_TABLE_ROWS),
    totals,
    count: all?.count ?? rows.length,
  };
}

const tables: Record<ReportName, (ctx: Context, days: Days, places: Places) => Promise<Made>> = {
  async rentRoll(ctx, { to }, places) {
    type Page = Awaited<ReturnType<typeof readRentRoll>>;
    const rows: Page['rows'] = [];
    let after: string | null = null;
    do {
      const query = { asOf: to, limit: '200', ...(after !== null && { after }) };
      const page: Page = await readRentRoll(ctx, query, places);
      rows.push(...page.rows);
      after = page.next;
    } while (after !== null && rows.length < MOST_TABLE_ROWS);
    const { count, rent, balance } = await sumRentRoll(ctx, { asOf: to }, places);
    return {
      all: { count, totals: { Rent: rent, Balance: balance } },
      columns: {
        ...{ Tenant: 'text', Facility: 'text', Unit: 'text', Since: 'day' },
        ...{ Rent: 'dollars', Balance: 'dollars' },
      },
      rows: rows.map((row) => [
        ...[row.tenantName, row.locationCode, row.unitName, row.movedInOn],
        ...[row.rate, row.balance],
      ]),
    };
  },
  async aging(ctx, { to }, places) {
    const { rows } = await readAging(ctx, { asOf: to }, places);
    return {
      columns: { Facility: 'text', 'Days owed': 'text', Rentals: 'count', Owed: 'dollars' },
      rows: rows.map((row) => [row.locationCode, row.bucket, row.rentals, row.owed]),
    };
  },
  async occupancy(ctx, { to }, places) {
    const { rows } = await readOccupancy(ctx, { asOf: to }, places);
    return {
      columns: {
        ...{ Facility: 'text', Size: 'text', Units: 'count', Occupied: 'count' },
        ...{ 'Out of service': 'count', 'Rent a month': 'dollars' },
      },
      rows: rows.map((row) => [
        ...[row.locationCode, `${row.widthFeet} x ${row.lengthFeet}`],
        ...[row.units, row.occupied, row.outOfService, row.rent],
      ]),
    };
  },
  async revenue(ctx, days, places) {
    const { rows } = await readRevenue(ctx, days, places);
    return {
      columns: {
        ...{ Facility: 'text', Month: 'text', Kind: 'text', Charged: 'dollars' },
        ...{ 'Without tax': 'dollars', Waived: 'dollars', 'Written off': 'dollars' },
        ...{ 'Tax 1': 'dollars', 'Tax 2': 'dollars', Credited: 'dollars', Taken: 'dollars' },
        ...{ 'Given back': 'dollars' },
      },
      rows: rows.map((row) => [
        ...[row.locationCode, formatMonth(row.month), row.kind, row.charged, row.net, row.waived],
        ...[row.writtenOff, row.tax1, row.tax2, row.credited, row.taken, row.back],
      ]),
    };
  },
  taxes: readTaxes,
  async payouts(ctx, days, places) {
    const rows = await readGatewayDays(ctx, days, places);
    return {
      columns: {
        ...{ Facility: 'text', Day: 'day', Taken: 'dollars', 'Paid out': 'dollars' },
        ...{ 'Given back': 'dollars', 'To be paid out': 'dollars' },
      },
      rows: rows.map(({ day, locationCode, taken, paidOut, takenBack, waiting }) => [
        ...[locationCode, day, toDollars(taken), toDollars(paidOut)],
        ...[toDollars(takenBack), toDollars(waiting)],
      ]),
    };
  },
  async writeOffs(ctx, { from, to }, places) {
    type Row = { day: string; description: string; cents: number; taxCents: number };
    const rows = await readOfTenants<Row>(
      ctx,
      sql`e.posted_on AS day, coalesce(r.description || ': ', '') || cr.description AS description,
        -e.amount_cents AS cents, sign(-e.amount_cents)::integer * (cr.tax1_cents + cr.tax2_cents) AS "taxCents"`,
      sql`entries e LEFT JOIN reversals r ON r.entry_id = e.id
        JOIN credits cr ON cr.entry_id = coalesce(r.payment_entry_id, e.id) AND cr.is_write_off
        JOIN ledgers l ON l.id = e.ledger_id`,
      sql`e.kind <> 'charge' AND e.posted_on BETWEEN ${from}::date AND ${to}::date
        AND ${within(sql`e.facility_id`, places)}`,
      sql`e.posted_on, e.position`,
    );
    return {
      columns: {
        ...{ 'What was written off': 'text', Day: 'day', Facility: 'text', Unit: 'text' },
        ...{ Tenant: 'text', Amount: 'dollars', 'Of it tax': 'dollars' },
      },
      rows: rows.map((row) => [
        ...[row.description, row.day, row.locationCode, row.unitName, row.tenantName],
        ...[toDollars(row.cents), toDollars(row.taxCents)],
      ]),
    };
  },
  async prepaid(ctx, { to }, places) {
    const rows = await readOfTenants<{ cents: number; paidThrough: string | null }>(
      ctx,
      sql`-b.cents AS cents, l.paid_through AS "paidThrough"`,
      sql`ledgers l CROSS JOIN LATERAL (SELECT ${balanceOn(sql`${to}::date`)} AS cents) b`,
      sql`b.cents < 0 AND ${within(sql`u.facility_id`, places)}`,
      sql`f.location_code, u.name`,
    );
    return {
      columns: {
        ...{ Tenant: 'text', Facility: 'text', Unit: 'text', 'Paid through now': 'day' },
        ...{ 'In advance': 'dollars' },
      },
      rows: rows.map((row) => [
        ...[row.tenantName, row.locationCode, row.unitName, row.paidThrough ?? ''],
        toDollars(row.cents),
      ]),
    };
  },
  async rateChanges(ctx, { from, to }, places) {
    type Row = { on: string; fromCents: number; toCents: number; isApplied: boolean };
    const rows = await readOfTenants<Row>(
      ctx,
      sql`n.effective_on AS "on", n.from_cents AS "fromCents", n.to_cents AS "toCents", c.id IS NOT NULL AS "isApplied"`,
      sql`rate_notices n LEFT JOIN rate_changes c ON c.rate_notice_id = n.id JOIN ledgers l ON l.id = n.ledger_id`,
      sql`n.effective_on BETWEEN ${from}::date AND ${to}::date AND (c.id IS NOT NULL OR n.replaced_at IS NULL)
        AND ${within(sql`u.facility_id`, places)}`,
      sql`n.effective_on, f.location_code, u.name`,
    );
    return {
      columns: {
        ...{ Tenant: 'text', Facility: 'text', Unit: 'text', From: 'day', State: 'text' },
        ...{ 'Old rent': 'dollars', 'New rent': 'dollars', Difference: 'dollars' },
      },
      rows: rows.map((row) => [
        ...[row.tenantName, row.locationCode, row.unitName, row.on],
        row.isApplied ? 'Billed' : 'Mailed',
        ...[toDollars(row.fromCents), toDollars(row.toCents)],
        toDollars(row.toCents - row.fromCents),
      ]),
    };
  },
  journal: (ctx, days, places) => readJournalTable(ctx, days, 'accrual', places),
  cashJournal: (ctx, days, places) => readJournalTable(ctx, days, 'cash', places),
  async autopay(ctx, { to }, places) {
    type Row = { locationCode: string; isToday: boolean; rentals: number };
    const { rows } = await sql<Row & { byCard: number; byBank: number }>`
      SELECT f.location_code AS "locationCode", f.today = ${to}::date AS "isToday",
        count(l.id)::int AS rentals,
        count(*) FILTER (WHERE m.type = 'creditCard')::int AS "byCard",
        count(*) FILTER (WHERE m.type = 'ach')::int AS "byBank"
      FROM ${facilitiesToday(ctx, places)} f LEFT JOIN tenants t ON t.facility_id = f.id
      LEFT JOIN ledgers l ON l.tenant_id = t.id AND is_current_on(l.moved_out_on, f.today)
      LEFT JOIN autopays a ON a.ledger_id = l.id AND a.active
      LEFT JOIN payment_methods m ON m.id = a.payment_method_id
      GROUP BY 1, 2 ORDER BY 1`.execute(ctx.db);
    if (!rows.some(({ isToday }) => isToday))
      throw new Refusal(422, 'Autopay is as it is today: name today as its day.');
    return {
      columns: {
        ...{ Facility: 'text', Rentals: 'count', 'Autopay by card': 'count' },
        ...{ 'Autopay by bank': 'count', 'Not on autopay': 'count' },
      },
      rows: rows.map(({ locationCode, rentals, byCard, byBank }) => [
        ...[locationCode, rentals, byCard, byBank],
        rentals - byCard - byBank,
      ]),
    };
  },
};

async function readJournalTable(
  ctx: Context,
  days: Days,
  basis: JournalBasis,
  places: Places,
): Promise<Made> {
  const { rows } = await readJournal(ctx, { ...days, basis }, places);
  return {
    columns: {
      ...{ Facility: 'text', Day: 'day', Number: 'text', Account: 'text' },
      ...{ Debit: 'dollars', Credit: 'dollars' },
    },
    rows: rows.map((row) => [
      ...[row.locationCode, row.day, row.number, row.name],
      ...[row.debit, row.credit],
    ]),
  };
}

const RENT = 'Rent, services and fees';
const INSURANCE = 'Protection plans';

/**
 * What was charged less what was waived of it, as the accrual journal has it, by facility and rate.
 */
async function readTaxes(ctx: Context, days: Days, places: Places): Promise<Made> {
  const facts = await readFacts(ctx.db, days, places, 'accrual');
  const { rows: facilities } = await sql<{ id: string; locationCode: string }>`
    SELECT f.id, f.location_code AS "locationCode" FROM facilities f
    WHERE ${within(sql`f.id`, places)} ORDER BY f.location_code`.execute(ctx.db);
  const nothing = { net: 0, taxed: 0, tax1: 0, tax2: 0 };
  const sums = new Map<string, typeof nothing>();
  for (const fact of facts) {
    if (fact.kind !== 'charge' && fact.kind !== 'waiver' && fact.kind !== 'assigned') continue;
    if (fact.category === 'deposit' || fact.day < days.from || fact.day > days.to) continue;
    const key = `${fact.facilityId} ${fact.category === 'insurance' ? INSURANCE : RENT}`;
    const sum = sums.get(key) ?? { ...nothing };
    sums.set(key, sum);
    const sign = fact.kind === 'charge' ? 1 : -1;
    sum.net += sign * (fact.cents - fact.tax1 - fact.tax2);
    sum.taxed += sign * fact.taxed;
    sum.tax1 += sign * fact.tax1;
    sum.tax2 += sign * fact.tax2;
  }
  const rows = facilities.flatMap(({ id, locationCode }) =>
    [RENT, INSURANCE].flatMap((kind) => {
      const { net, taxed, tax1, tax2 } = sums.get(`${id} ${kind}`) ?? nothing;
      const cells = [net, taxed, net - taxed, tax1, tax2, tax1 + tax2];
      return cells.some((cents) => cents !== 0)
        ? [[locationCode, kind, ...cells.map(toDollars)]]
        : [];
    }),
  );
  return {
    columns: {
      ...{ Facility: 'text', Kind: 'text', Sales: 'dollars', Taxed: 'dollars', Untaxed: 'dollars' },
      ...{ 'Tax 1': 'dollars', 'Tax 2': 'dollars', 'Tax due': 'dollars' },
    },
    rows,
  };
}

type OfTenant = { tenantName: string; locationCode: string; unitName: string };

/** Rows of `from`, which names the ledger `l`, with its tenant, unit and facility. */
async function readOfTenants<Row>(
  { db }: Context,
  columns: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<(OfTenant & Row)[]> {
  const { rows } = await sql<OfTenant & Row>`
    SELECT t.name AS "tenantName", f.location_code AS "locationCode", u.name AS "unitName",
      ${columns}
    FROM ${from} JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    WHERE ${where} ORDER BY ${order}`.execute(db);
  return rows;
}
