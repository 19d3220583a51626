import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { sumDollars } from '@gatehouse/contract/money';
import {
  MOST_TABLE_ROWS,
  reportTables,
  type ReportTable,
} from '@gatehouse/contract/office/report-tables';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { makeOwingRental } from '#test/owing-rental.ts';
import { pagesOf } from '#test/pdf.ts';
import { getRow } from '#test/rows.ts';

const api = useTestApp('demo_template');
let manager: string;
let today: string;
let facilityId: string;

beforeAll(async () => {
  manager = await signInStaff(api, 'manager');
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
  const { id } = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' });
  facilityId = id;
});

const get = (report: string, query: Record<string, string>, as = manager, path = 'table') =>
  callOffice(api, 'GET', `/office/reports/${path}`, { as, query: { report, ...query } });
const names = Object.keys(reportTables);

/** Of today, and of the year before where a report is of days. */
const days = () => ({ from: addDays(today, -365), to: today, locationCode: 'TXDFW03' });

test.each(names)(
  '%s has a cell for each column, totals of its rows, and a PDF of them',
  async (name) => {
    const { status, body } = await get(name, days());
    expect([status, body.message]).toEqual([200, undefined]);
    const { columns, rows, totals, title } = body as ReportTable;
    for (const row of [...rows, totals]) expect(row).toHaveLength(columns.length);
    for (const [index, { kind }] of columns.entries()) {
      if (kind === 'text' || kind === 'day') continue;
      const cents = rows.reduce((sum, row) => sum + Math.round(Number(row[index]) * 100), 0);
      expect([index, Math.round(Number(totals[index]) * 100)]).toEqual([index, cents]);
    }
    const paper = await get(name, days(), manager, 'paper');
    expect([paper.status, paper.body.message]).toEqual([200, undefined]);
    const text = pagesOf(Buffer.from(paper.body.data, 'base64')).join(' ');
    expect(text).toContain(title);
    expect(text).toContain('In all');
  },
);

test('a write-off, its tax, and a payment in advance are in their reports', async () => {
  const { ledgerId } = await makeOwingRental(api, facilityId);
  const act = (verb: string, body: object) =>
    doVerb(api, manager, verb, { ...body, why: 'The test' });
  const totalOf = async (report: string, title: string) => {
    const { body } = await get(report, { from: today, to: today, locationCode: 'TXDFW03' });
    const index = body.columns.findIndex((one: { title: string }) => one.title === title);
    return body.totals[index] as number;
  };
  const [writtenOff, prepaid] = [
    await totalOf('writeOffs', 'Amount'),
    await totalOf('prepaid', 'In advance'),
  ];
  await act('charges/write-off', { ledgerId });
  expect(await totalOf('writeOffs', 'Amount')).toBeCloseTo(writtenOff + 200, 2);
  const cash = { ledgerIds: [ledgerId], type: 'cash', amount: 35.5, isPrepaid: true };
  expect((await act('payments/record', cash)).status).toBe(200);
  expect(await totalOf('prepaid', 'In advance')).toBeCloseTo(prepaid + 35.5, 2);
});

test('the tax due of the days is that of the revenue report', async () => {
  const query = days();
  const { body: taxes } = await get('taxes', query);
  const { body: revenue } = await callOffice(api, 'GET', '/office/reports/revenue', {
    as: manager,
    query,
  });
  const [, , , , , tax1, tax2] = taxes.totals as number[];
  expect([tax1, tax2]).toEqual([revenue.totals.tax1, revenue.totals.tax2]);
});

test('refuses a range without its first day or upside down, and an unknown report', async () => {
  const status = async (name: string, query: Record<string, string>) =>
    (await get(name, query)).status;
  expect(await status('taxes', { to: today })).toBe(422);
  expect(await status('taxes', { from: today, to: addDays(today, -1) })).toBe(422);
  expect(await status('nothing', { to: today })).toBe(422);
  const clerk = await signInStaff(api, 'clerk');
  expect((await get('aging', { to: today }, clerk)).status).toBe(403);
  expect((await get('aging', { to: today }, clerk, 'paper')).status).toBe(403);
});

test('a rent roll of more rows than a table has counts and sums all of them', async () => {
  const other = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03A' });
  const tenantId = await makeTenant(api.owner, { facility_id: other.id });
  const query = { to: today, locationCode: 'TXDFW03A' };
  const owner = await signInStaff(api, 'owner');
  const read = async () => (await get('rentRoll', query, owner)).body as ReportTable;
  const before = await read();
  const more = MOST_TABLE_ROWS + 250;
  await api.owner.transaction().execute(async (trx) => {
    // The units are new: that they are rented once needs no check of each.
    await sql`ALTER TABLE ledgers DISABLE TRIGGER USER`.execute(trx);
    await sql`
      WITH made AS (
        INSERT INTO units (facility_id, name, width_feet, length_feet, type_name)
        SELECT ${other.id}, 'R' || n, 10, 20, 'RV' FROM generate_series(1, ${more}::integer) n RETURNING id)
      INSERT INTO ledgers (tenant_id, unit_id, rental_rate_cents, gate_schedule_id, moved_in_on, paid_through,
        billing_day, billed_through)
      SELECT ${tenantId}, id, 10010, 1, ${today}, ${addDays(today, -1)}, 1, ${addDays(today, -1)} FROM made`.execute(
      trx,
    );
    await sql`ALTER TABLE ledgers ENABLE TRIGGER USER`.execute(trx);
  });
  await sql`ANALYZE units, ledgers`.execute(api.owner);
  const { rows, count, totals } = await read();
  expect(rows).toHaveLength(MOST_TABLE_ROWS);
  expect(count).toBe(before.count + more);
  const [rent, balance] = before.totals.slice(-2).map(Number);
  expect(totals.slice(-2)).toEqual([sumDollars([rent!, more * 100.1]), balance]);
});
