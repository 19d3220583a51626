import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { hashToken, newToken } from '@gatehouse/server/src/http/token.ts';
import { makeManyLedgers } from '@gatehouse/server/test/many-ledgers.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import type { Call } from '../harness/client.ts';
import { turns } from '../harness/orders.ts';
import { median } from '../harness/statistics.ts';
import { CORPORATION } from '../harness/world.ts';
import { aimRow, reportAims } from './aims.ts';
import { withBareFixture, type BareFixture } from './fixture.ts';
import { runRound, type Round } from './load.ts';
import { printMachine, say, settle } from '../harness/report.ts';
import { startReal, type Server } from './servers.ts';
import { addRows } from '@gatehouse/server/test/rows.ts';

/**
 * The reads that a signed-in tenant's first page and payment history make, in a small world and in
 * a large one. With `--worlds DIR` the worlds are made there and kept, and the next run takes them.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    ledgers: { type: 'string', multiple: true, default: ['10000', '1000000'] },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    worlds: { type: 'string' },
    'shared-buffers': { type: 'string', default: '1GB' },
  },
});
const sizes = options.ledgers.map(Number);
const rounds = Number(options.rounds);

const AIM = 1.2;
/**
 * Fewer than the cores can serve at once, so that a time is an answer's own and no wait in line.
 */
const CONNECTIONS = 2;
/** Spread over the whole world, so that their rows are not neighbours. */
const SIGNED_IN = 1000;

type Reader = {
  token: string;
  userId: string;
  tenantId: string;
  ledgerId: string;
  facilityId: string;
  location: string;
};

const reads: Record<string, (reader: Reader) => string> = {
  'GET …/tenants/{id}/ledgers': ({ tenantId }) => `/tenants/${tenantId}/ledgers`,
  'GET …/insurance-statuses': () => '/insurance-statuses',
  'GET …/ledgers/{id}/payments': ({ ledgerId }) => `/ledgers/${ledgerId}/payments`,
};

/** A world of this many ledgers with its server, and the counted rounds of each read. */
type World = {
  ledgers: number;
  owner: Database;
  server: Server;
  readers: Reader[];
  measured: Record<string, Round[]>;
};

await withWorlds(sizes, []);

/**
 * All worlds serve at once and are measured in turn: a slow moment of the machine touches them
 * alike.
 */
async function withWorlds([ledgers, ...rest]: number[], worlds: World[]): Promise<void> {
  if (ledgers === undefined) {
    for (const world of worlds) await signIn(world);
    for (const [name, path] of Object.entries(reads)) await measureRead(name, path, worlds);
    print(worlds);
    return;
  }
  const sharedBuffers = options['shared-buffers'];
  const at = options.worlds === undefined ? undefined : join(options.worlds, String(ledgers));
  const bench = async ({ url, owner, folder, closers }: BareFixture) => {
    await makeLedgers(owner, ledgers);
    const readers = await makeReaders(owner, ledgers);
    await settle(owner);
    // No jobs: what is due in all these facilities would be billed during the reads.
    const server = await startReal(url, folder, { duty: 'app' });
    closers.push(() => server.stop());
    if (rest.length === 0) {
      await printMachine(owner);
      say(`shared_buffers: ${sharedBuffers}`);
    }
    await withWorlds(rest, [...worlds, { ledgers, owner, server, readers, measured: {} }]);
  };
  await withBareFixture(bench, {
    settings: { shared_buffers: sharedBuffers },
    ...(at !== undefined && { at }),
  });
}

async function makeLedgers(owner: Database, ledgers: number): Promise<void> {
  const there = await owner.selectFrom('ledgers').select('id').limit(1).executeTakeFirst();
  if (there !== undefined) return;
  const begun = performance.now();
  say(`Making a world of ${ledgers} ledgers with 12 payments each`);
  await makeManyLedgers(owner, { ledgers, corporationCode: CORPORATION, clock: testClock });
  say(`It took ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

async function makeReaders(owner: Database, ledgers: number): Promise<Reader[]> {
  const every = Math.max(1, Math.floor(ledgers / SIGNED_IN));
  const { rows } = await sql<Omit<Reader, 'token'>>`
      WITH reader AS (
        SELECT t.id AS tenant_id, l.id AS ledger_id, f.id AS facility_id, f.corporation_id, f.location_code, t.email,
          coalesce(ut.user_id, gen_random_uuid()) AS user_id, ut.user_id IS NULL AS is_new
        FROM (SELECT *, row_number() OVER (ORDER BY id) AS place FROM tenants) t
        JOIN ledgers l ON l.tenant_id = t.id JOIN facilities f ON f.id = t.facility_id
        LEFT JOIN user_tenants ut ON ut.tenant_id = t.id
        WHERE t.place % ${every} = 0 LIMIT ${SIGNED_IN}
      ), made AS (
        INSERT INTO users (id, corporation_id, email, password_hash) SELECT user_id, corporation_id, email, '-' FROM reader
        WHERE is_new
      ), linked AS (
        INSERT INTO user_tenants (user_id, tenant_id) SELECT user_id, tenant_id FROM reader WHERE is_new
      )
      SELECT user_id AS "userId", tenant_id AS "tenantId", ledger_id AS "ledgerId", facility_id AS "facilityId",
        location_code AS location FROM reader`.execute(owner);
  return rows.map((row) => ({ ...row, token: newToken() }));
}

/** Not before all worlds are there: an unused session ends after half an hour. */
async function signIn({ owner, readers }: World): Promise<void> {
  await addRows(
    owner,
    'sessions',
    readers.map(({ token, userId, facilityId }) => ({
      token_hash: hashToken(token),
      user_id: userId,
      facility_id: facilityId,
    })),
  );
}

async function measureRead(
  name: string,
  path: (reader: Reader) => string,
  worlds: World[],
): Promise<void> {
  const shape = { connections: CONNECTIONS, duration: Number(options.seconds) };
  const runs = worlds.map(({ server, readers }) => {
    const next = turns(readers);
    const nextCall = (): Call => {
      const reader = next();
      const prefix = `/api/corporations/${CORPORATION}/locations/${reader.location}`;
      return { method: 'GET', path: prefix + path(reader), token: reader.token };
    };
    return () => runRound(server, shape, nextCall);
  });
  for (const world of worlds) world.measured[name] = [];
  // The first is not counted: connections and plans are made, and the compiler is at work.
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, run] of runs.entries()) {
      const taken = await run();
      if (round > 0) worlds[index]!.measured[name]!.push(taken);
    }
}

function print(worlds: World[]): void {
  say();
  say('| read | ledgers | p50 ms | p99 ms | answers/s |');
  say('|---|---|---|---|---|');
  for (const name of Object.keys(reads))
    for (const { ledgers, measured } of worlds) {
      const of = (key: 'p50' | 'p99' | 'perSecond') =>
        median(measured[name]!.map((round) => round[key]));
      const cells = [
        name,
        ledgers,
        of('p50').toFixed(2),
        of('p99').toFixed(2),
        of('perSecond').toFixed(0),
      ];
      say(`| ${cells.join(' | ')} |`);
    }
  const [small, large] = [worlds[0]!, worlds.at(-1)!];
  if (small === large) return;
  const row = (name: string, key: 'p50' | 'p99') => {
    const [few, many] = [small.measured[name]!, large.measured[name]!];
    const ms = (measured: Round[]) => median(measured.map((round) => round[key])).toFixed(2);
    return aimRow({
      what: `${name}: ${key} at ${large.ledgers} rentals against ${small.ledgers}`,
      ours: `${ms(many)} ms`,
      bare: `${ms(few)} ms`,
      value: median(many.map((round, index) => round[key] / few[index]![key])),
      atMost: AIM,
    });
  };
  reportAims(Object.keys(reads).flatMap((name) => [row(name, 'p50'), row(name, 'p99')]));
}
