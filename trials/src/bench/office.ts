import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '@gatehouse/server/src/adapters/clock.ts';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { OFFICE_COOKIE } from '@gatehouse/server/src/http/staff-guard.ts';
import { hashToken, newStaffToken } from '@gatehouse/server/src/http/token.ts';
import { makeStaffMember } from '@gatehouse/server/src/seeds/builders.ts';
import { makeManyLedgers } from '@gatehouse/server/src/seeds/many-ledgers.ts';
import { sql } from 'kysely';
import { jsonOf, openClient, type Client } from '../harness/client.ts';
import { printMachine, say, settle } from '../harness/report.ts';
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
const PAGE_P95_MS = 150;
/** The facilities of a manager; there are five hundred rentals in each. */
const OF_MANAGER = 5;

/** Somebody who reads, and what there is in their reach. */
type Reader = { who: string; cookie: string; tenantIds: string[]; numbers: number[]; code: string };

/** The path of the nth call. */
type Read = (reader: Reader, nth: number) => string;

const q = (text: string) => `/office/tenants?q=${encodeURIComponent(text)}`;
const at = <T>(items: T[], nth: number) => items[nth % items.length]!;
const searches: Record<string, Read> = {
  'search by name': ({ numbers }, nth) => q(`Reyes ${at(numbers, nth)}`),
  'search by the beginning of a name': ({ numbers }, nth) =>
    q(`reyes ${String(at(numbers, nth)).slice(0, 2)}`),
  'search by email': ({ numbers }, nth) => q(`tenant-${at(numbers, nth)}@example.com`),
  'search by unit': ({ numbers }, nth) => q(`U${at(numbers, nth) % 500}`),
  'search by phone': () => q('8175550142'),
};
const pages: Record<string, Read> = {
  today: () => '/office/today',
  tenants: () => '/office/tenants',
  'one tenant': ({ tenantIds }, nth) => `/office/tenants/${at(tenantIds, nth)}`,
  'the books of a tenant': ({ tenantIds }, nth) => `/office/tenants/${at(tenantIds, nth)}/books`,
  units: () => '/office/units',
  late: () => '/office/late',
  requests: () => '/office/requests',
  rates: () => '/office/rates',
  audit: () => '/office/audit',
  alarms: () => '/office/alarms',
  'deposits of a day': ({ code }, nth) =>
    `/office/deposits?on=2026-01-${String((nth % 28) + 1).padStart(2, '0')}&locationCode=${code}`,
  'rent roll of a facility': ({ code }) => `/office/reports/rent-roll?locationCode=${code}`,
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
  await makeManyLedgers(owner, { ledgers, corporationCode: CORPORATION, clock: systemClock });
  say(`It took ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

async function makeReaders(owner: Database): Promise<Reader[]> {
  const facilities = await owner
    .selectFrom('facilities')
    .select(['id', 'location_code', 'corporation_id'])
    .where('location_code', 'like', 'MANY%')
    .orderBy('location_code')
    .execute();
  const own = facilities.slice(0, OF_MANAGER);
  const make = async (who: string, ofThem: typeof facilities, isForAll: boolean) => {
    const staffId = await makeStaffMember(owner, {
      ...{ corporationId: own[0]!.corporation_id, email: `${who}-${newStaffToken()}@example.com` },
      ...{ name: who, role: isForAll ? 'owner' : 'manager', password: newStaffToken() },
      ...{ facilityIds: isForAll ? null : ofThem.map(({ id }) => id), createdAt: new Date() },
    });
    const token = newStaffToken();
    await owner
      .insertInto('staff_sessions')
      .values({
        ...{ token_hash: hashToken(token), staff_id: staffId },
        ...{ created_at: new Date(), last_seen_at: new Date() },
      })
      .execute();
    const { rows } = await sql<{ id: string; number: number }>`
      SELECT t.id, replace(t.last_name, 'Reyes ', '')::int AS number FROM tenants t
      WHERE t.facility_id = ANY(${ofThem.map(({ id }) => id)}::uuid[]) ORDER BY md5(t.id::text) LIMIT 500`.execute(
      owner,
    );
    return {
      ...{ who, cookie: `${OFFICE_COOKIE}=${token}`, code: own[0]!.location_code },
      tenantIds: rows.map(({ id }) => id),
      numbers: rows.map(({ number }) => number),
    };
  };
  return [await make('manager', own, false), await make('owner', facilities, true)];
}

/** One call after the other, so that a time is an answer's own; the first tenth is not counted. */
async function measure(
  client: Client,
  reader: Reader,
  name: string,
  read: Read,
): Promise<{ p95: number; p99: number }> {
  const times: number[] = [];
  const first = Math.ceil(calls / 10);
  for (let nth = 0; nth < first + calls; nth += 1) {
    const path = `/api${read(reader, nth)}`;
    const begun = performance.now();
    const answer = await client.send({ method: 'GET', path, headers: { cookie: reader.cookie } });
    if (nth >= first) times.push(performance.now() - begun);
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

/** A search that finds nothing would be quick for nothing. */
function expectFound(path: string, answer: unknown): void {
  if ((answer as { rows: unknown[] }).rows.length === 0) throw new Error(`${path} found nothing`);
}
