import { parseArgs } from 'node:util';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { expectSoundBooks } from '@gatehouse/server/test/books.ts';
import { pay, readLedgers } from '../harness/calls.ts';
import { jsonOf, openClient, wireOf, type Call } from '../harness/client.ts';
import { centOrders, turns } from '../harness/orders.ts';
import type { Payer } from '../harness/world.ts';
import { sql } from 'kysely';
import { inputsOf } from './calls.ts';
import { withFixture, type Fixture } from './fixture.ts';
import type { Shape } from './load.ts';
import { alternate, type Sides } from './pairs.ts';
import type { Trace } from './record.ts';
import type { Recording } from './replay.ts';
import { printMachine, say } from '../harness/report.ts';
import { medianRatio, printRounds, printRoundTrips, printVerdict, type Pairing } from './report.ts';
import { startBare, startReal, startRecorded, type Server } from './servers.ts';

const AIMS = { reads: 0.7, payments: 0.5 };
/** Calls that are recorded, after as many that warm the server up. */
const RECORDED = 40;
/**
 * So many tenants are recorded in turn: the first and the last recording are of ledgers with
 * another number of payments.
 */
const RECORDED_TENANTS = 35;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    payments: { type: 'string', default: '600' },
  },
});
const rounds = Number(options.rounds);
const reads: Shape = { connections: 16, duration: Number(options.seconds) };
// A number of payments, not a time: then both sides do the same work and no answer is cut off
// unseen.
const payments: Shape = { connections: 8, amount: Number(options.payments) };

await withFixture(bench);

async function bench({ url, owner, folder, tenants, closers }: Fixture): Promise<void> {
  say('Recording what the real routes send to PostgreSQL');
  const traces = await recordRoutes(url, folder, tenants);
  const bare = await startBare({
    url,
    read: asPair(traces.reads),
    payment: asPair(traces.payments),
  });
  closers.push(() => bare.stop());
  const real = await startReal(url, folder);
  closers.push(() => real.stop());
  await expectSameRentals({ real, bare }, tenants);

  await printMachine(owner);
  printRoundTrips(
    'A read',
    traces.reads.map(({ trace }) => trace),
  );
  printRoundTrips(
    'A payment',
    traces.payments.map(({ trace }) => trace),
  );
  const readRounds = await alternate({ real, bare }, { shape: reads, rounds }, () => {
    const nextTenant = turns(tenants);
    return () => readLedgers(nextTenant());
  });
  printRounds('GET …/tenants/{id}/ledgers, signed in, 16 connections', readRounds);
  const paymentRounds = await measurePayments(owner, { real, bare }, tenants);
  printRounds('POST …/tenants/{id}/payments, sandbox gateway, 8 connections', paymentRounds);
  say();
  printVerdict('Reads', 'the bare loop', medianRatio(readRounds), AIMS.reads);
  printVerdict('Payments', 'the bare loop', medianRatio(paymentRounds), AIMS.payments);
}

type Recorded = { call: Call; trace: Trace; recording: Recording };

/** Records both routes, with another tenant, rental and key in every call. */
async function recordRoutes(url: string, folder: string, tenants: Payer[]) {
  const server = await startRecorded(url, folder);
  const record = async (call: Call): Promise<Recorded> => {
    const trace = await server.record(call);
    const tenantId = call.path.split('/').at(-2)!;
    const inputs = inputsOf(
      tenantId,
      wireOf(call).headers,
      call.body as Parameters<typeof inputsOf>[2],
    );
    return { call, trace, recording: { inputs, statements: trace.statements } };
  };
  const recorded = { reads: [] as Recorded[], payments: [] as Recorded[] };
  try {
    const some = tenants
      .slice(0, RECORDED_TENANTS)
      .map((one) => ({ ...one, rentals: one.rentals.slice(0, 1) }));
    const [nextTenant, nextOrder] = [turns(some), centOrders(some, 'recorded-')];
    for (let index = 0; index < RECORDED * 2; index += 1) {
      recorded.reads.push(await record(readLedgers(nextTenant())));
      recorded.payments.push(await record(pay(nextOrder())));
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
async function expectSameRentals({ real, bare }: Sides, tenants: Payer[]): Promise<void> {
  const idsFrom = async (server: Server) => {
    const rentals = jsonOf(await openClient(server.address).send(readLedgers(tenants[0]!))) as {
      id: string;
    }[];
    return rentals.map(({ id }) => id).join();
  };
  const [realIds, bareIds] = [await idsFrom(real), await idsFrom(bare)];
  if (realIds === '' || realIds !== bareIds)
    throw new Error('the bare server does not answer what the real one does');
}

/** Pays from both sides and holds the gateway's books against the answers. */
async function measurePayments(
  owner: Database,
  sides: Sides,
  tenants: Payer[],
): Promise<Pairing[]> {
  const answers = { real: 0, bare: 0 };
  const pairings = await alternate(
    sides,
    { shape: payments, rounds },
    (side) => {
      const next = centOrders(tenants, `${side}-`);
      return () => pay(next());
    },
    (side, round) => (answers[side] += round.answers),
  );
  for (const side of ['real', 'bare'] as const) {
    const captures = await countCaptures(owner, `${side}-`);
    if (captures !== answers[side])
      throw new Error(
        `${side}: ${answers[side]} payments were answered with 200 and ${captures} captured`,
      );
    say(`${side}: ${answers[side]} payments answered with 200, ${captures} captured`);
  }
  await expectSoundBooks(owner);
  say('The books are sound.');
  return pairings;
}

/** How many payments whose Idempotency-Key starts with `prefix` the gateway captured. */
async function countCaptures(owner: Database, prefix: string): Promise<number> {
  const { rows } = await sql<{ captures: number }>`
    SELECT count(*)::int AS captures FROM payment_intents i JOIN sandbox_gateway.charges g ON g.reference = i.id
    WHERE g.outcome = 'captured' AND g.amount_cents = 1 AND starts_with(i.idempotency_key, ${prefix})`.execute(
    owner,
  );
  return rows[0]!.captures;
}
