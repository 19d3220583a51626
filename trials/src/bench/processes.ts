import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { sql } from 'kysely';
import { pay, readLedgers } from '../harness/calls.ts';
import type { Call } from '../harness/client.ts';
import { centOrders, turns } from '../harness/orders.ts';
import { median } from '../harness/statistics.ts';
import { owing, TENANTS, withFixture, type Fixture } from './fixture.ts';
import { runRound, type Round, type Shape } from './load.ts';
import { printMachine, say, settle } from '../harness/report.ts';
import { startReal, type Server } from './servers.ts';

const LOOK_MS = 200;
const CONNECTIONS = 16;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    payments: { type: 'string', default: '600' },
    'warm-ups': { type: 'string', default: '2' },
    tenants: { type: 'string', default: String(TENANTS) },
    /** An idle process is looked at after so many seconds. */
    idle: { type: 'string', default: '15' },
  },
});

await withFixture(bench, { asking: Number(options.tenants) });

/**
 * One server process and two on one database, round by round, and what a process holds when it is
 * idle and when it is busy.
 */
async function bench({ url, owner, folder, tenants, closers }: Fixture): Promise<void> {
  const servers = [await startReal(url, folder), await startReal(url, folder)];
  closers.push(() => Promise.all(servers.map((server) => server.stop())));
  await delay(Number(options.idle) * 1000);
  const idle = await Promise.all(servers.map((server) => server.memoryMb()));
  await printMachine(owner);

  await using watch = watchMemory(servers);
  const nextTenant = turns(tenants[9]);
  const nextOrder = centOrders(owing(tenants[9]));
  const reads = await measure(servers, { duration: Number(options.seconds) }, () =>
    readLedgers(nextTenant()),
  );
  const payments = await measure(servers, { amount: Number(options.payments) }, () =>
    pay(nextOrder()),
  );
  const busy = await watch.end();

  say();
  say('| | 1 process, req/s | 2 processes, req/s | ratio | p50 / p99 ms, 1 | p50 / p99 ms, 2 |');
  say('|---|---|---|---|---|---|');
  say(row('signed-in reads', reads));
  say(row('payments', payments));
  say();
  say(`Memory of a process: ${mb(idle)} idle, ${mb(busy)} at most while busy.`);
  await printRowSizes(owner);
}

/** A row of each table that grows, with its indexes, as the world and the payments made it. */
async function printRowSizes(owner: Database): Promise<void> {
  await settle(owner);
  const { rows } = await sql<{ name: string; rows: number; bytes: number }>`
    SELECT relname AS name, reltuples::int AS rows, round(pg_total_relation_size(oid) / reltuples)::int AS bytes
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples >= 300
    ORDER BY relname`.execute(owner);
  say();
  say('| table | rows | bytes a row, with its indexes |');
  say('|---|---|---|');
  for (const { name, rows: count, bytes } of rows) say(`| ${name} | ${count} | ${bytes} |`);
}

/** Of PostgreSQL nothing: both servers' rounds would count its time. */
type Together = Omit<Round, 'databaseMs'>;
type Rounds = { one: Together[]; two: Together[] };
type HowLong = { duration: number } | { amount: number };

/** Rounds of one and of two in turn, each first in every second one. */
async function measure(servers: Server[], howLong: HowLong, nextCall: () => Call): Promise<Rounds> {
  const rounds: Rounds = { one: [], two: [] };
  for (let index = -Number(options['warm-ups']); index < Number(options.rounds); index += 1)
    for (const count of index % 2 === 0 ? [1, 2] : [2, 1]) {
      const round = await runTogether(servers.slice(0, count), howLong, nextCall);
      if (index >= 0) rounds[count === 1 ? 'one' : 'two'].push(round);
    }
  return rounds;
}

/** The same load over the same number of connections, divided among the servers. */
async function runTogether(
  servers: Server[],
  howLong: HowLong,
  nextCall: () => Call,
): Promise<Together> {
  const share = servers.length;
  const shape: Shape = {
    connections: CONNECTIONS / share,
    ...('amount' in howLong ? { amount: howLong.amount / share } : howLong),
  };
  const rounds = await Promise.all(servers.map((server) => runRound(server, shape, nextCall)));
  const of = (key: keyof Together) => rounds.map((round) => round[key]);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    answers: sum(of('answers')),
    perSecond: sum(of('perSecond')),
    p50: Math.max(...of('p50')),
    p99: Math.max(...of('p99')),
    cpuMs: sum(of('cpuMs')) / share,
  };
}

/** Looks at what the processes hold until it is ended; answers the most that each held. */
function watchMemory(servers: Server[]) {
  const most = servers.map(() => 0);
  const ending = new AbortController();
  // A round that fails stops the servers: the look has to end before, or its refused call would
  // end the process in place of what failed.
  const watching = (async () => {
    while (!ending.signal.aborted) {
      const now = await Promise.all(servers.map((server) => server.memoryMb()));
      now.forEach((held, index) => (most[index] = Math.max(most[index]!, held)));
      await delay(LOOK_MS);
    }
  })();
  const end = async () => {
    ending.abort();
    await watching;
    return most;
  };
  return { end, [Symbol.asyncDispose]: async () => void (await end()) };
}

function row(name: string, { one, two }: Rounds): string {
  const ratios = two.map((round, index) => round.perSecond / one[index]!.perSecond);
  const of = (rounds: Together[], key: keyof Together) => median(rounds.map((round) => round[key]));
  const times = (rounds: Together[]) =>
    `${of(rounds, 'p50').toFixed(1)} / ${of(rounds, 'p99').toFixed(1)}`;
  return `| ${name} | ${of(one, 'perSecond').toFixed(0)} | ${of(two, 'perSecond').toFixed(0)} | ${median(ratios).toFixed(2)} | ${times(one)} | ${times(two)} |`;
}

function mb(values: number[]): string {
  return values.map((value) => `${value.toFixed(0)} MB`).join(' and ');
}
