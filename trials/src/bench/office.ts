import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addDays } from '@gatehouse/contract/dates';
import { pathOf } from '@gatehouse/contract/endpoint';
import { listAlarms, listAudit } from '@gatehouse/contract/office/audit';
import { listInsurance } from '@gatehouse/contract/office/insurance';
import { listLate } from '@gatehouse/contract/office/late';
import { listRates } from '@gatehouse/contract/office/rates';
import { getReportTable } from '@gatehouse/contract/office/report-tables';
import {
  getAging,
  getDepositDay,
  getDeposits,
  getOccupancy,
  getRentRoll,
  getRevenue,
} from '@gatehouse/contract/office/reports';
import { listOfficeRequests } from '@gatehouse/contract/office/requests';
import {
  getTenantFile,
  listBooks,
  listTenantMails,
  listTenants,
} from '@gatehouse/contract/office/tenants';
import { getToday } from '@gatehouse/contract/office/today';
import { getUnit, listUnits } from '@gatehouse/contract/office/units';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { makeManyLedgers } from '@gatehouse/server/test/many-ledgers.ts';
import { TEST_DAY, testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { jsonOf, openClient, type Client } from '../harness/client.ts';
import { printMachine, say, settle } from '../harness/report.ts';
import { makeMember, officeHeaders } from '../harness/staff.ts';
import { CORPORATION } from '../harness/world.ts';
import { aimRow, reportAims } from './aims.ts';
import { withBareFixture } from './fixture.ts';
import { startReal } from './servers.ts';

/**
 * What the office reads in a world of many rentals: the search, and the first pages of its lists
 * and screens, by a manager of five facilities and by an owner of all. With `--worlds DIR` the
 * world is made there and kept, and is the one of the bench `reads`.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    ledgers: { type: 'string', default: '1000000' },
    calls: { type: 'string', default: '200' },
    worlds: { type: 'string' },
    'shared-buffers': { type: 'string', default: '1GB' },
  },
});
const ledgers = Number(options.ledgers);
const calls = Number(options.calls);

const SEARCH_P99_MS = 100;
const PAGE_P95_MS = ledgers > 100_000 ? 400 : 150;
/** The facilities of a manager; there are five hundred rentals in each. */
const OF_MANAGER = 5;

const today = TEST_DAY;
const before = addDays(today, -350);

/** A member of staff that reads, and what is in their reach. */
type Reader = {
  who: string;
  headers: Record<string, string>;
  tenantIds: string[];
  unitIds: string[];
  numbers: number[];
  /** The numbers of checks. */
  checks: string[];
  code: string;
};

/** The path of the nth call. */
type Read = (reader: Reader, nth: number) => string;

const q = (text: string) => `${listTenants.path}?q=${encodeURIComponent(text)}`;
const at = <T>(items: T[], nth: number) => items[nth % items.length]!;
const searches: Record<string, Read> = {
  'search by name': ({ numbers }, nth) => q(`Reyes ${at(numbers, nth)}`),
  'search by the beginning of a name': ({ numbers }, nth) =>
    q(`reyes ${String(at(numbers, nth)).slice(0, 2)}`),
  'search by a name in another writing': ({ numbers }, nth) => q(`Réyes-${at(numbers, nth)}`),
  'search by email': ({ numbers }, nth) => q(`tenant-${at(numbers, nth)}@example.com`),
  'search by unit': ({ numbers }, nth) => q(`U${at(numbers, nth) % 500}`),
  'search by phone': () => q('8175550142'),
  'search by the end of a phone': () => q('555-0142'),
  'search by a word within a name': ({ numbers }, nth) => q(`${at(numbers, nth)} dana`),
  'search by the beginning of a word': ({ numbers }, nth) =>
    q(String(at(numbers, nth)).slice(0, 2).padEnd(2, '0')),
  'search by the number of a check': ({ checks }, nth) => q(`check ${at(checks, nth)}`),
};
const onDay = (nth: number, path: string) =>
  `${path}?on=${today.slice(0, 8)}${String((nth % Number(today.slice(8))) + 1).padStart(2, '0')}`;
const pages: Record<string, Read> = {
  today: () => getToday.path,
  tenants: () => listTenants.path,
  'one tenant': ({ tenantIds }, nth) =>
    pathOf(getTenantFile.path, { tenantId: at(tenantIds, nth) }),
  'the books of a tenant': ({ tenantIds }, nth) =>
    pathOf(listBooks.path, { tenantId: at(tenantIds, nth) }),
  'the mails of a tenant': ({ tenantIds }, nth) =>
    pathOf(listTenantMails.path, { tenantId: at(tenantIds, nth) }),
  units: () => listUnits.path,
  'units by size': () => `${listUnits.path}?sort=size`,
  'units by name': (_, nth) => `${listUnits.path}?q=U${nth % 500}`,
  'one unit': ({ unitIds }, nth) => pathOf(getUnit.path, { unitId: at(unitIds, nth) }),
  insurance: () => listInsurance.path,
  late: () => listLate.path,
  'late by balance': () => `${listLate.path}?sort=balance`,
  'late by name': () => `${listLate.path}?sort=name`,
  'late on autopay': () => `${listLate.path}?autopay=on`,
  requests: () => listOfficeRequests.path,
  'requests to do': () => `${listOfficeRequests.path}?standing=open`,
  rates: () => listRates.path,
  'rates by unit': () => `${listRates.path}?sort=unit`,
  audit: () => listAudit.path,
  'audit of a tenant': ({ tenantIds }, nth) => `${listAudit.path}?tenantId=${at(tenantIds, nth)}`,
  alarms: () => listAlarms.path,
  deposits: (_, nth) => onDay(nth, getDeposits.path),
  'deposits of a facility': ({ code }, nth) =>
    `${onDay(nth, getDeposits.path)}&locationCode=${code}`,
  'drawers and payouts': (_, nth) => onDay(nth, getDepositDay.path),
  'rent roll': () => getRentRoll.path,
  'rent roll of an earlier day': () => `${getRentRoll.path}?asOf=${before}`,
  aging: () => `${getAging.path}?asOf=${today}`,
};
/** Sums over all rentals of the reader, of one facility first: the size of that is what matters. */
const reports: Record<string, (place: string) => string> = {
  'units vacant first': (place) => `${listUnits.path}?sort=vacantFirst${place}`,
  'vacant units': (place) => `${listUnits.path}?state=vacant${place}`,
  'former tenants': (place) => `${listTenants.path}?standing=former${place}`,
  'aging of an earlier day': (place) => `${getAging.path}?asOf=${before}${place}`,
  occupancy: (place) => `${getOccupancy.path}?asOf=${today}${place}`,
  'revenue of a year': (place) => `${getRevenue.path}?from=${before}&to=${today}${place}`,
  autopay: (place) => `${getReportTable.path}?report=autopay&to=${today}${place}`,
};

await withBareFixture(
  async ({ url, owner, folder, closers }) => {
    await makeLedgers(owner);
    const readers = await makeReaders(owner);
    await settle(owner);
    const server = await startReal(url, folder, { duty: 'app' });
    closers.push(() => server.stop());
    await printMachine(owner);
    say(`${ledgers} rentals; shared_buffers: ${options['shared-buffers']}`);
    say();
    say('| read | by | p50 ms | p95 ms | p99 ms |');
    say('|---|---|---|---|---|');
    const client = openClient(server.address);
    closers.push(() => {
      client.close();
      return Promise.resolve();
    });
    const aims = [];
    for (const reader of readers) {
      for (const [name, read] of Object.entries(searches)) {
        const { p99 } = await measure(client, reader, name, read);
        aims.push(row(`${name}, ${reader.who}: p99`, p99, SEARCH_P99_MS));
      }
      for (const [name, read] of Object.entries(pages)) {
        const { p95 } = await measure(client, reader, name, read);
        aims.push(row(`${name}, ${reader.who}: p95`, p95, PAGE_P95_MS));
      }
    }
    for (const reader of readers) {
      for (const [name, path] of Object.entries(reports)) {
        const place = `&locationCode=${reader.code}`;
        const { p95 } = await measure(client, reader, `${name}, one facility`, () => path(place));
        aims.push(row(`${name} of a facility, ${reader.who}: p95`, p95, PAGE_P95_MS));
        await measure(client, reader, `${name}, all`, () => path(''), { most: 3 });
      }
    }
    reportAims(aims);
  },
  {
    settings: { shared_buffers: options['shared-buffers'] },
    ...(options.worlds !== undefined && { at: join(options.worlds, String(ledgers)) }),
  },
);

function row(what: string, value: number, atMost: number) {
  const ours = `${value.toFixed(1)} ms`;
  return aimRow({
    what: `${what} at ${ledgers} rentals`,
    ours,
    bare: '–',
    value,
    atMost,
    unit: ' ms',
  });
}

async function makeLedgers(owner: Database): Promise<void> {
  const there = await owner.selectFrom('ledgers').select('id').limit(1).executeTakeFirst();
  if (there !== undefined) return;
  const begun = performance.now();
  say(`Making a world of ${ledgers} ledgers with 12 payments each`);
  await makeManyLedgers(owner, { ledgers, corporationCode: CORPORATION, clock: testClock });
  say(`It took ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

async function makeReaders(owner: Database): Promise<Reader[]> {
  const facilities = await owner
    .selectFrom('facilities')
    .select(['id', 'location_code'])
    .where('location_code', 'like', 'MANY%')
    .orderBy('location_code')
    .execute();
  const own = facilities.slice(0, OF_MANAGER);
  const make = async (who: 'manager' | 'owner', ofThem: typeof facilities) => {
    const places = who === 'owner' ? null : ofThem.map(({ id }) => id);
    const headers = officeHeaders(await makeMember(owner, who, places), 'http://localhost');
    const { rows } = await sql<{ id: string; unitId: string; number: number }>`
      SELECT t.id, l.unit_id AS "unitId", replace(t.last_name, 'Reyes ', '')::int AS number
      FROM tenants t JOIN ledgers l ON l.tenant_id = t.id WHERE t.facility_id = ANY(${ofThem.map(({ id }) => id)}::uuid[]) ORDER BY md5(t.id::text) LIMIT 500`.execute(
      owner,
    );
    const paid = await sql<{ number: string }>`
      SELECT replace(i.method_description, 'Check ', '') AS number
      FROM payment_intents i JOIN tenants t ON t.id = i.tenant_id
      WHERE i.type = 'check' AND t.facility_id = ANY(${ofThem.slice(0, 50).map(({ id }) => id)}::uuid[]) LIMIT 500`.execute(
      owner,
    );
    return {
      who,
      code: own[0]!.location_code,
      headers,
      tenantIds: rows.map(({ id }) => id),
      unitIds: rows.map(({ unitId }) => unitId),
      numbers: rows.map(({ number }) => number),
      checks: paid.rows.map(({ number }) => number),
    };
  };
  return [await make('manager', own), await make('owner', facilities)];
}

/** One call after the other, so that a time is an answer's own; the first tenth is not counted. */
async function measure(
  client: Client,
  reader: Reader,
  name: string,
  read: Read,
  { most = calls }: { most?: number } = {},
): Promise<{ p95: number; p99: number }> {
  const times: number[] = [];
  const first = Math.ceil(most / 10);
  for (let nth = 0; nth < first + most; nth += 1) {
    const path = `/api${read(reader, nth)}`;
    const begun = performance.now();
    const answer = await client.send({ method: 'GET', path, headers: reader.headers });
    if (nth >= first) times.push(performance.now() - begun);
    if (answer.status === 503) return gaveUp(name, reader);
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
    if (nth === 0 && name.startsWith('search')) expectFound(path, jsonOf(answer));
  }
  times.sort((a, b) => a - b);
  const of = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  const cells = [name, reader.who, ...[0.5, 0.95, 0.99].map((share) => of(share).toFixed(1))];
  say(`| ${cells.join(' | ')} |`);
  return { p95: of(0.95), p99: of(0.99) };
}

/** A statement that ran longer than the server lets it. */
function gaveUp(name: string, { who }: Reader): { p95: number; p99: number } {
  say(`| ${name} | ${who} | given up | | |`);
  return { p95: Infinity, p99: Infinity };
}

/** A search that finds nothing would be quick for nothing. */
function expectFound(path: string, answer: unknown): void {
  if ((answer as { rows: unknown[] }).rows.length === 0) throw new Error(`${path} found nothing`);
}
