import { chmod, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  startApp,
  type AppProcess,
  type AppSettings,
} from '@gatehouse/trials/src/harness/app-process.ts';
import { checkPayments } from '@gatehouse/trials/src/harness/checker.ts';
import { freePort } from '@gatehouse/trials/src/harness/free-port.ts';
import { startSimulator } from '@gatehouse/trials/src/harness/simulator.ts';
import { untilNoneLeft } from '@gatehouse/trials/src/harness/until.ts';
import { makeWorld } from '@gatehouse/trials/src/harness/world.ts';
import {
  holds,
  mustBe,
  mustBeAtMost,
  describeFigure,
  reported,
  type Figure,
} from '@gatehouse/trials/src/harness/proof.ts';
import { openOwnerDatabase, type Database } from '@gatehouse/server/src/db/database.ts';
import { verifyAuditTrail } from '@gatehouse/server/src/features/base/audit/chain.ts';
import { makeTables } from '@gatehouse/trials/src/harness/cluster.ts';
import { sql } from 'kysely';
import { startCluster, type Cluster } from './cluster.ts';
import { Load, type Heard, type Purpose } from './load.ts';
import { findPrograms, type Programs } from './packages.ts';
import {
  inScratchFolder,
  type ScratchFolder,
} from '@gatehouse/trials/src/harness/scratch-folder.ts';
import { printMachine, say } from '@gatehouse/trials/src/harness/report.ts';

const APPS = 2;
const WORKERS = 2;
const PAYERS = { payers: 200, rentals: 5, owedCents: () => 90_000_000 };
/** The service must be back within this many seconds of a primary's end. */
const BACK_SECONDS = 30;
/** How long all serve between two events, in milliseconds. */
const BETWEEN_MS = 8000;
/** Each kind of request must be answered again. */
const purposes: Purpose[] = ['rentals', 'facility', 'history', 'payment', 'contact'];

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '100' },
    keep: { type: 'boolean', default: false },
  },
});

const programs = findPrograms();
if (typeof programs === 'string') {
  say(programs);
  process.exitCode = 1;
} else {
  const holding = await inScratchFolder(
    { name: 'gatehouse-failover-', isKept: options.keep },
    (place) => bench(programs, place),
  );
  process.exitCode = holding ? 0 : 1;
}

/**
 * A moment at which the primary ended or handed over, and when each kind of request was answered
 * well again.
 */
type Outage = { what: 'killed' | 'switched over'; at: number; back: number; until: number };

/**
 * Kills one primary after the other under load, lets one hand over, and prints what became of it.
 */
async function bench(found: Programs, { folder, closers }: ScratchFolder): Promise<boolean> {
  // PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  say(`Making three nodes of etcd, Patroni and PostgreSQL in ${folder}`);
  const cluster = await startCluster(found, folder, closers);
  const appPorts = await Promise.all(Array.from({ length: APPS }, freePort));
  cluster.openProxy(appPorts);
  const { owner, payers } = await prepare(cluster);
  closers.push(() => owner.destroy());
  const simulator = await startSimulator(folder);
  closers.push(() => simulator.stop());
  const servers = await startServers(cluster, { folder, simulatorUrl: simulator.url, appPorts });
  closers.push(() => Promise.all(servers.map((server) => server.stop())));
  await untilAnswered(`${cluster.portalUrl}/readyz`);

  await printMachine(owner);
  say(
    `Load of the machine before: ${loadavg()[0]!.toFixed(1)}; synchronous_mode and synchronous_mode_strict are on`,
  );
  const load = await Load.open(cluster.portalUrl, payers, folder);
  load.begin(Number(options.rate));
  const outages: Outage[] = [];
  const rejoined: number[] = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    await delay(BETWEEN_MS);
    const primary = await cluster.leader();
    const at = performance.now();
    await primary.kill();
    outages.push(await watch(load, 'killed', at, performance.now()));
    await delay(BETWEEN_MS);
    primary.start();
    const back = performance.now();
    await cluster.untilStreaming(2);
    rejoined.push((performance.now() - back) / 1000);
    say(`  ${primary.name} streams again ${rejoined.at(-1)!.toFixed(1)} s after it was started`);
  }
  await delay(BETWEEN_MS);
  const at = performance.now();
  await cluster.switchOver();
  outages.push(await watch(load, 'switched over', at, performance.now()));
  await cluster.untilStreaming(2);
  await delay(BETWEEN_MS);
  await load.end();
  for (const outage of outages) outage.until = lastRefusal(load.heard, outage, outages);

  const rested = await untilRested(owner);
  const odd = load.heard.filter((one) => faultOf(one, outages) !== null);
  await writeFile(join(folder, 'odd.jsonl'), odd.map((one) => `${JSON.stringify(one)}\n`).join(''));
  for (const one of odd.slice(0, 5))
    say(`  odd: ${faultOf(one, outages)}: ${JSON.stringify(one).slice(0, 300)}`);
  const evidence = { owner, journal: await simulator.journal(), lines: await load.driver.lines() };
  const figures = [
    mustBe('primaries killed', rejoined.length, Number(options.rounds)),
    mustBe('acknowledged contact changes that are lost', await countLost(owner, load), 0),
    ...(await checkPayments(evidence)),
    mustBe('requests answered wrongly', odd.length, 0),
    mustBe('payments that did not end with a receipt', load.unpaid, 0),
    ...secondsOf(outages),
    mustBe('processes that ended by themselves', servers.filter(({ isGone }) => isGone).length, 0),
    mustBe('faults of the audit trail', (await verifyAuditTrail(owner)).fault === null ? 0 : 1, 0),
    mustBe('schedules that fired twice in a minute', await countDoubleSchedules(owner), 0),
    mustBe('payments and mails left unprocessed at the end', rested, 0),
    reported('seconds until a killed node streamed again, at most', Math.max(...rejoined), 'max'),
    ...countsOf(load),
  ];
  say();
  for (const figure of figures)
    say(`${holds(figure) ? 'ok  ' : 'FAIL'}  ${describeFigure(figure)}`);
  say(`Load of the machine after: ${loadavg()[0]!.toFixed(1)}`);
  return figures.every(holds);
}

/** The tables, as the owner through HAProxy, and tenants who owe. */
async function prepare({ primaryUrl }: Cluster) {
  await untilConnected(primaryUrl);
  const owner = openOwnerDatabase(primaryUrl);
  await makeTables(owner);
  return { owner, payers: await makeWorld(owner, PAYERS) };
}

type Servers = { folder: string; simulatorUrl: string; appPorts: number[] };

/** The app processes, and behind them the workers. */
async function startServers(
  cluster: Cluster,
  { folder, simulatorUrl, appPorts }: Servers,
): Promise<AppProcess[]> {
  const settings: AppSettings = {
    databaseUrl: cluster.primaryUrl,
    simulatorUrl,
    folder,
    logName: 'servers.log',
  };
  const env = { TRUSTED_HOPS: '1' };
  const servers = [
    ...appPorts.map((port) => startApp({ ...settings, port, env: { ...env, PROCESS: 'app' } })),
    ...Array.from({ length: WORKERS }, () =>
      startApp({ ...settings, env: { ...env, PROCESS: 'worker' } }),
    ),
  ];
  const started = await Promise.all(servers.map(({ ready }) => ready));
  if (started.includes(false))
    throw new Error(`a server did not start: see ${join(folder, 'servers.log')}`);
  return servers;
}

async function untilAnswered(url: string): Promise<void> {
  while (
    (await fetch(url)
      .then(({ status }) => status)
      .catch(() => 0)) !== 200
  )
    await delay(100);
}

/**
 * HAProxy takes every node for a good one until it has checked: it must lead to the primary time
 * after time.
 */
async function untilConnected(url: string): Promise<void> {
  for (let times = 0; times < 20;) {
    const owner = openOwnerDatabase(url);
    const isThere = await sql`SELECT 1`.execute(owner).then(
      () => true,
      () => false,
    );
    await owner.destroy();
    times = isThere ? times + 1 : 0;
    await delay(100);
  }
}

/**
 * Waits until one request of each kind that began after the old primary was `gone` was answered
 * well.
 */
async function watch(load: Load, what: Outage['what'], at: number, gone: number): Promise<Outage> {
  for (;;) {
    const backs = purposes.map((purpose) => load.backAt(purpose, gone));
    if (backs.every((back) => back !== null)) {
      const back = Math.max(...backs);
      say(
        `  ${what}: every kind of request answered again after ${((back - at) / 1000).toFixed(1)} s`,
      );
      return { what, at, back, until: back };
    }
    await delay(100);
  }
}

/** When the last request was refused for this outage. */
function lastRefusal(heard: Heard[], outage: Outage, outages: Outage[]): number {
  const next = outages[outages.indexOf(outage) + 1]?.at ?? Infinity;
  const refused = heard.filter(
    ({ status, at, ms }) => status === 503 && at + ms >= outage.at && at + ms < next,
  );
  return Math.max(outage.at, ...refused.map(({ at, ms }) => at + ms));
}

/** What is wrong with an answer; null for a good one, and for a truthful “not now”. */
function faultOf(
  { status, purpose, wrong, text, retryAfter, at, ms }: Heard,
  outages: Outage[],
): string | null {
  if (wrong !== null) return wrong;
  if (status === 200) return null;
  // Being confirmed.
  if (status === 409 && purpose === 'payment') return null;
  if (status !== 503) return `an answer ${status}`;
  if (!(Number(retryAfter) > 0)) return '503 without Retry-After';
  if (!/^\{"message":"[^"]{10,200}"\}$/.test(text)) return '503 without a sentence';
  const isTrue = outages.some(
    (outage) => at + ms >= outage.at && at <= outage.at + BACK_SECONDS * 1000,
  );
  return isTrue ? null : '503 while the database was there';
}

function secondsOf(outages: Outage[]): Figure[] {
  const worst = (what: Outage['what'], of: 'back' | 'until') =>
    Math.max(...outages.filter((one) => one.what === what).map((one) => (one[of] - one.at) / 1000));
  return [
    mustBeAtMost(
      'seconds from a kill until every kind of request was answered',
      worst('killed', 'back'),
      BACK_SECONDS,
    ),
    mustBeAtMost(
      'seconds from a kill until the last refusal',
      worst('killed', 'until'),
      BACK_SECONDS,
    ),
    mustBeAtMost(
      'seconds from a switchover until the last refusal',
      worst('switched over', 'until'),
      BACK_SECONDS,
    ),
  ];
}

/** Changes that a tenant saw acknowledged and that the append-only audit table does not have. */
async function countLost(owner: Database, { changed }: Load): Promise<number> {
  const { rows } = await sql<{ tenantId: string; number: string }>`
    SELECT tenant_id AS "tenantId", value->>'lastName' AS number FROM tenant_changes
    WHERE part = 'alternateContact'`.execute(owner);
  const kept = new Set(rows.map(({ tenantId, number }) => `${tenantId} ${number}`));
  const last = new Map(changed.map(({ tenantId, number }) => [tenantId, number]));
  const records = await owner
    .selectFrom('tenants')
    .select(['id', 'alternate_last_name as number'])
    .execute();
  const shown = new Map(records.map(({ id, number }) => [id, Number(number)]));
  return (
    changed.filter(({ tenantId, number }) => !kept.has(`${tenantId} ${number}`)).length +
    [...last].filter(([tenantId, number]) => shown.get(tenantId)! < number).length
  );
}

async function countDoubleSchedules(owner: Database): Promise<number> {
  const { rows } = await sql<{ doubled: number }>`
    SELECT count(*)::int AS doubled FROM (
      SELECT FROM pgboss.job WHERE name = '__pgboss__send-it'
      GROUP BY data->>'name', date_trunc('minute', created_on) HAVING count(*) > 1) twice`.execute(
    owner,
  );
  return rows[0]!.doubled;
}

/** Waits until the workers have seen to everything; answers what is left where it stops. */
function untilRested(owner: Database): Promise<number> {
  return untilNoneLeft(async () => {
    const { rows } = await sql<{ left: number }>`
      SELECT (SELECT count(*) FROM payment_intents WHERE told_at IS NULL OR state IN ('submitted', 'unknown')) +
        (SELECT count(*) FROM mails WHERE sent_at IS NULL) AS left`.execute(owner);
    return rows[0]!.left;
  });
}

function countsOf({ heard, sent, changed }: Load): Figure[] {
  const of = (status: number) => heard.filter((one) => one.status === status).length;
  return [
    reported('requests', sent),
    reported('answers', heard.length),
    reported(
      'payments acknowledged',
      heard.filter((one) => one.purpose === 'payment' && one.status === 200).length,
    ),
    reported('contact changes acknowledged', changed.length),
    reported('answers 503 with Retry-After', of(503)),
    reported('answers 409 (“being confirmed”)', of(409)),
    reported('milliseconds of the slowest answer', Math.max(...heard.map(({ ms }) => ms)), 'max'),
  ];
}
