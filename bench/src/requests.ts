import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '@gatehouse/server/src/config.ts';
import { migrate, openOwnerDatabase } from '@gatehouse/server/src/db/database.ts';
import { startEmbedded } from '@gatehouse/server/src/db/embedded.ts';
import { migrateQueue } from '@gatehouse/server/src/jobs/queue.ts';
import { openVault } from '@gatehouse/server/src/vault.ts';
import { expectSoundBooks } from '@gatehouse/server/test/books.ts';
import { inputsOf, paymentCall, readCall, type Call } from './calls.ts';
import { runRound, type Round, type Shape } from './load.ts';
import type { Trace } from './record.ts';
import type { Recording } from './replay.ts';
import { medianRatio, printMachine, printRounds, printRoundTrips, say, type Pairing } from './report.ts';
import { startBare, startReal, startRecorded, type Server } from './servers.ts';
import { countCaptures, makeWorld, postgresVersion, settle, type Rental, type SignedIn } from './world.ts';

const AIMS = { reads: 0.7, payments: 0.5 };
/** Calls that are recorded, after as many that warm the server up. */
const RECORDED = 40;
/** So many tenants are recorded in turn: the first and the last recording are of ledgers with another number of payments. */
const RECORDED_TENANTS = 35;
/** Rounds of each side that are not counted: the compiler is still at work on the larger of the two. */
const WARM_UPS = 2;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    payments: { type: 'string', default: '600' },
  },
});
const rounds = Number(options.rounds);
const reads: Shape = { connections: 16, duration: Number(options.seconds) };
// A number of payments, not a time: then both sides do the same work and no answer is cut off unseen.
const payments: Shape = { connections: 8, amount: Number(options.payments) };

type Sides = { real: Server; bare: Server };

const closers: (() => Promise<unknown>)[] = [];
let closing: Promise<void> | undefined;
const closeAll = () => (closing ??= close());
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    // What is under way loses its database now, and that is no fault.
    process.on('uncaughtException', () => {});
    void closeAll().finally(() => process.exit(1));
  });
try {
  await bench();
} finally {
  await closeAll();
}

async function close(): Promise<void> {
  for (const closer of closers.reverse()) await closer();
}

async function bench(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  // At the exit, so that an interrupt in the middle of a query leaves nothing behind either.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const embedded = await startEmbedded({ dataDir: folder, log: say });
  closers.push(() => embedded.stop());
  const { url } = embedded;
  await prepare(url);
  say('Making a world of 300 tenants and 500 rentals');
  // The key of the servers that are measured.
  const { dataKeys } = readConfig({ ...process.env, DATA_DIR: folder });
  const tenants = await makeWorld(url, openVault(dataKeys));
  await settle(url);

  say('Recording what the real routes send to PostgreSQL');
  const traces = await recordRoutes(url, folder, tenants);
  const bare = await startBare({ url, read: asPair(traces.reads), payment: asPair(traces.payments) });
  closers.push(() => bare.stop());
  const real = await startReal(url, folder);
  closers.push(() => real.stop());
  await expectSameRentals({ real, bare }, tenants);

  printMachine(await postgresVersion(url));
  printRoundTrips(
    'A read',
    traces.reads.map(({ trace }) => trace),
  );
  printRoundTrips(
    'A payment',
    traces.payments.map(({ trace }) => trace),
  );
  const readRounds = await alternate({ real, bare }, reads, () => {
    const nextTenant = turns(tenants);
    return () => readCall(nextTenant());
  });
  printRounds('GET …/tenants/{id}/ledgers, signed in, 16 connections', readRounds);
  const paymentRounds = await measurePayments(url, { real, bare }, tenants);
  printRounds('POST …/tenants/{id}/payments, sandbox gateway, 8 connections', paymentRounds);
  say();
  printVerdict('Reads', medianRatio(readRounds), AIMS.reads);
  printVerdict('Payments', medianRatio(paymentRounds), AIMS.payments);
}

async function prepare(url: string): Promise<void> {
  const owner = openOwnerDatabase(url);
  await migrate(owner);
  await migrateQueue(owner);
  await owner.destroy();
}

type Recorded = { call: Call; trace: Trace; recording: Recording };

/** Records both routes, with another tenant, rental and key in every call. */
async function recordRoutes(url: string, folder: string, tenants: SignedIn[]) {
  const server = await startRecorded(url, folder);
  const record = async (call: Call): Promise<Recorded> => {
    const trace = await server.record(call);
    const tenantId = call.path.split('/').at(-2)!;
    const body = call.body === undefined ? undefined : (JSON.parse(call.body) as { payments: Rental[] });
    const inputs = inputsOf(tenantId, call.headers, body);
    return { call, trace, recording: { inputs, statements: trace.statements } };
  };
  const recorded = { reads: [] as Recorded[], payments: [] as Recorded[] };
  try {
    const nextTenant = turns(tenants.slice(0, RECORDED_TENANTS));
    for (let index = 0; index < RECORDED * 2; index += 1) {
      const tenant = nextTenant();
      recorded.reads.push(await record(readCall(tenant)));
      recorded.payments.push(await record(paymentCall(tenant, tenant.rentals[0]!, 'recorded-')));
    }
  } finally {
    await server.stop();
  }
  // The first calls also pay for compiling, new connections and the queue's cache.
  return { reads: recorded.reads.slice(RECORDED), payments: recorded.payments.slice(RECORDED) };
}

function asPair(recorded: Recorded[]): [Recording, Recording] {
  return [recorded.at(0)!.recording, recorded.at(-1)!.recording];
}

/** A baseline that answered something else would be measured for nothing. */
async function expectSameRentals({ real, bare }: Sides, tenants: SignedIn[]): Promise<void> {
  const { path, ...call } = readCall(tenants[0]!);
  const idsFrom = async (server: Server) => {
    const rentals = (await (await fetch(server.address + path, call)).json()) as { id: string }[];
    return rentals.map(({ id }) => id).join();
  };
  const [realIds, bareIds] = [await idsFrom(real), await idsFrom(bare)];
  if (realIds === '' || realIds !== bareIds) throw new Error('the bare server does not answer what the real one does');
}

/** Pays from both sides and holds the gateway's books against the answers. */
async function measurePayments(url: string, sides: Sides, tenants: SignedIn[]): Promise<Pairing[]> {
  const rentals = tenants.flatMap((tenant) => tenant.rentals.map((rental) => ({ tenant, rental })));
  const answers = { real: 0, bare: 0 };
  const pairings = await alternate(
    sides,
    payments,
    (side) => {
      // In turn, so that no two payments under way meet at one rental.
      const next = turns(rentals);
      return () => {
        const { tenant, rental } = next();
        return paymentCall(tenant, rental, `${side}-`);
      };
    },
    (side, round) => (answers[side] += round.answers),
  );
  for (const side of ['real', 'bare'] as const) {
    const captures = await countCaptures(url, `${side}-`);
    if (captures !== answers[side])
      throw new Error(`${side}: ${answers[side]} payments were answered with 200 and ${captures} captured`);
    say(`${side}: ${answers[side]} payments answered with 200, ${captures} captured`);
  }
  const owner = openOwnerDatabase(url);
  await expectSoundBooks(owner);
  await owner.destroy();
  say('The books are sound.');
  return pairings;
}

/** Rounds of both sides in turn, each first in every second round, after rounds that only warm up. */
async function alternate(
  sides: Sides,
  shape: Shape,
  callsFor: (side: keyof Sides) => () => Call,
  onRound: (side: keyof Sides, round: Round) => void = () => {},
): Promise<Pairing[]> {
  const calls = { real: callsFor('real'), bare: callsFor('bare') };
  const run = async (side: keyof Sides) => {
    const round = await runRound(sides[side], shape, calls[side]);
    onRound(side, round);
    return round;
  };
  for (let index = 0; index < WARM_UPS; index += 1) {
    await run('real');
    await run('bare');
  }
  const pairings: Pairing[] = [];
  for (let index = 0; index < rounds; index += 1) {
    if (index % 2 === 0) pairings.push({ real: await run('real'), bare: await run('bare') });
    else {
      const bare = await run('bare');
      pairings.push({ real: await run('real'), bare });
    }
  }
  return pairings;
}

function turns<T>(all: T[]): () => T {
  let index = 0;
  return () => all[index++ % all.length]!;
}

function printVerdict(name: string, ratio: number, aim: number): void {
  say(`${name}: ${ratio.toFixed(2)} of the bare loop, aim ${aim}: ${ratio >= aim ? 'reached' : 'missed'}`);
}
