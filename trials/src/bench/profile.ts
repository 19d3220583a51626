import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { listTenants } from '@gatehouse/contract/office/tenants';
import { getToday } from '@gatehouse/contract/office/today';
import { readConfig } from '@gatehouse/server/src/config/config.ts';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { openContext } from '@gatehouse/server/src/app/start.ts';
import { runBilling } from '@gatehouse/server/src/features/money/billing/billing.ts';
import { hashPassword } from '@gatehouse/server/src/features/people/session/password.ts';
import { Client } from 'pg';
import { pino } from 'pino';
import { pay, pathAt, readLedgers, signIn } from '../harness/calls.ts';
import type { Call } from '../harness/client.ts';
import { freePort } from '../harness/free-port.ts';
import { centOrders, turns } from '../harness/orders.ts';
import { printMachine, say, settle } from '../harness/report.ts';
import { makeMember, officeHeaders } from '../harness/staff.ts';
import { DUE_ON, makeBillingWorld } from './billing-world.ts';
import { owing, TENANTS, withBareFixture, withFixture, type Fixture } from './fixture.ts';
import { runRound } from './load.ts';
import { startReal, type Server } from './servers.ts';
import { changeRows } from '@gatehouse/server/test/rows.ts';

/**
 * Where the time of the busiest calls and of a billing goes: node by function and by module,
 * PostgreSQL by statement (pg_stat_statements), and system calls an answer where `strace` is.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '10' },
    ledgers: { type: 'string', default: '10000' },
    only: { type: 'string', multiple: true },
  },
});
const duration = Number(options.seconds);
const settings = { shared_preload_libraries: 'pg_stat_statements' };
const PASSWORD = 'anchor-axle-26';
const SHOWN = 10;
const isAsked = (name: string) => options.only === undefined || options.only.includes(name);

await withFixture(profileServer, { asking: TENANTS, settings });
if (isAsked('billing')) await withBareFixture(profileBilling, { settings });

async function profileServer({ url, owner, folder, tenants, closers }: Fixture): Promise<void> {
  const statements = await openStatements(url, closers);
  const inspector = await freePort();
  const server = await startReal(url, folder, { inspector });
  closers.push(() => server.stop());
  const { post, close } = await attach(inspector);
  closers.push(close);
  await printMachine(owner);
  for (const [name, next] of Object.entries(await callsOf(owner, tenants[9])).filter(([name]) =>
    isAsked(name),
  )) {
    const load = (seconds: number) =>
      runRound(server, { connections: 8, duration: seconds }, next());
    await load(Math.min(2, duration));
    let answers = 0;
    const { profile } = await profiled(statements, post, async () => {
      ({ answers } = await load(duration));
    });
    await print(statements, name, profile, { of: 'answer', count: answers });
    await printSystemCalls(server, () => load(duration));
  }
}

/** What is asked of the server, by name; each makes new calls from its beginning. */
async function callsOf(
  owner: Database,
  tenants: Fixture['tenants'][9],
): Promise<Record<string, () => () => Call>> {
  await changeRows(owner, 'users', { password_hash: await hashPassword(PASSWORD) });
  const headers = officeHeaders(await makeMember(owner, 'owner'), 'http://localhost');
  const office = (path: string) => () => () => ({ method: 'GET', path: `/api${path}`, headers });
  const inTurn = (call: (tenant: (typeof tenants)[number]) => Call) => () => {
    const next = turns(tenants);
    return () => call(next());
  };
  let round = 0;
  return {
    reads: inTurn(readLedgers),
    overview: inTurn(({ tenantId, token }) => ({
      method: 'GET',
      path: `${pathAt({ path: '/corporations/:corp/locations/:locationCode/tenants/:tenantId' }, { tenantId })}/overview`,
      token,
    })),
    payments: () => {
      const next = centOrders(owing(tenants), `profile-${round++}-`);
      return () => pay(next());
    },
    'sign-in': inTurn(({ email }) => signIn(email, PASSWORD)),
    today: office(getToday.path),
    search: office(`${listTenants.path}?q=reyes`),
  };
}

async function profileBilling({ url, owner, folder, closers }: Omit<Fixture, 'tenants'>) {
  const statements = await openStatements(url, closers);
  const facilityId = await makeBillingWorld(owner, Number(options.ledgers));
  await settle(owner);
  const config = readConfig({ ...process.env, DATABASE_URL: undefined, DATA_DIR: folder });
  const stopping = new AbortController();
  const log = pino({ level: 'silent' });
  const { ctx } = await openContext(config, url, log, closers, stopping.signal);
  closers.push(() => {
    stopping.abort();
    return Promise.resolve();
  });
  const session = new Session();
  session.connect();
  const post = session.post.bind(session) as Post;
  let ledgers = 0;
  const { profile } = await profiled(statements, post, async () => {
    ({ ledgers } = await runBilling(ctx, { facilityId, date: DUE_ON }));
  });
  session.disconnect();
  await print(statements, 'billing', profile, { of: 'ledger', count: ledgers });
}

type Post = (method: string, params?: object) => Promise<unknown>;

/** The inspector of a server that listens on a port. */
async function attach(port: number): Promise<{ post: Post; close: () => Promise<void> }> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await once(socket, 'open');
  let asked = 0;
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data as string) as { id?: number; result: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  return {
    post: (method, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++asked, resolve);
        socket.send(JSON.stringify({ id: asked, method, params }));
      }),
    close() {
      socket.close();
      return Promise.resolve();
    },
  };
}

/** The statements of all roles, which only a superuser reads. */
async function openStatements(url: string, closers: Fixture['closers']): Promise<Client> {
  const client = new Client({ connectionString: url.replace('gatehouse_owner', 'postgres') });
  await client.connect();
  closers.push(() => client.end());
  await client.query('CREATE EXTENSION pg_stat_statements');
  return client;
}

async function profiled(statements: Client, post: Post, work: () => Promise<void>) {
  await statements.query('SELECT pg_stat_statements_reset()');
  await post('Profiler.enable');
  await post('Profiler.start');
  await work();
  return (await post('Profiler.stop')) as { profile: Profiler.Profile };
}

type Counted = { of: string; count: number };

type Statement = { ms: number; share: number; calls: number; query: string };

async function print(
  statements: Client,
  name: string,
  profile: Profiler.Profile,
  counted: Counted,
) {
  say();
  say(`## ${name}: ${counted.count} ${counted.of}s`);
  const { functions, modules } = sharesOf(profile);
  say('node, by function, of its busy time:');
  printShares(functions);
  say('node, by module:');
  printShares(modules);
  const { rows } = await statements.query<Statement>(
    `SELECT total_exec_time / $1::float8 AS ms, total_exec_time / sum(total_exec_time) OVER () AS share,
      calls / $1::float8 AS calls, query
    FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT ${SHOWN}`,
    [counted.count],
  );
  say(`PostgreSQL, by statement, for each ${counted.of}:`);
  for (const { ms, share, calls, query } of rows)
    say(
      `  ${percent(share)}  ${ms.toFixed(3)} ms in ${calls.toFixed(2)}  ${query.replace(/\s+/g, ' ').slice(0, 110)}`,
    );
}

/** The largest self times, without those of waiting and of the profiler. */
function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, number>();
  const byModule = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const { functionName, url } = frames.get(id)!;
    if (functionName === '(idle)' || url === 'node:inspector') continue;
    const took = timeDeltas[index] ?? 0;
    const module = moduleOf(url);
    busy += took;
    add(byFunction, `${functionName || '(anonymous)'}  ${module}`, took);
    add(byModule, module, took);
  }
  const largest = (times: Map<string, number>) =>
    [...times]
      .map(([name, took]) => ({ name, share: took / busy }))
      .sort((a, b) => b.share - a.share)
      .slice(0, SHOWN);
  return { functions: largest(byFunction), modules: largest(byModule) };
}

function add(times: Map<string, number>, name: string, took: number): void {
  times.set(name, (times.get(name) ?? 0) + took);
}

/** Of a package its name, of node its module, and of the product the file. */
function moduleOf(url: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  return inPackage ?? (url === '' ? 'V8 and system' : url.replace(`file://${root}`, ''));
}

function printShares(shares: { name: string; share: number }[]): void {
  for (const { name, share } of shares) say(`  ${percent(share)}  ${name}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1).padStart(5)} %`;
}

/** Attached for one more round, which it makes slower: counts only. */
async function printSystemCalls(
  { pid }: Server,
  load: () => Promise<{ answers: number }>,
): Promise<void> {
  if (!existsSync('/usr/bin/strace')) return;
  const strace = spawn('/usr/bin/strace', ['-c', '-f', '-p', String(pid)]);
  let text = '';
  strace.stderr.on('data', (part: Buffer) => (text += part.toString()));
  while (!text.includes('attached')) await once(strace.stderr, 'data');
  const { answers } = await load();
  strace.kill('SIGINT');
  await once(strace, 'close');
  const counts = [...text.matchAll(/^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$/gm)]
    .filter(([, , name]) => name !== 'total')
    .map(([, count, name]) => ({ name, each: Number(count) / answers }))
    .sort((a, b) => b.each - a.each)
    .slice(0, SHOWN);
  say('system calls of node, for each answer:');
  say(`  ${counts.map(({ name, each }) => `${name} ${each.toFixed(1)}`).join(', ')}`);
}
