import { parseArgs } from 'node:util';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { expectSoundBooks } from '@gatehouse/server/test/books.ts';
import { pay, readLedgers } from '../harness/calls.ts';
import { openClient, type Call } from '../harness/client.ts';
import { centOrders, turns } from '../harness/orders.ts';
import { median } from '../harness/statistics.ts';
import type { Payer } from '../harness/world.ts';
import { sql } from 'kysely';
import { aimRow, reportAims } from './aims.ts';
import { countByHandPayments, makeByHandTables } from './by-hand-tables.ts';
import { owing, TENANTS, withFixture, type Fixture } from './fixture.ts';
import type { Shape } from './load.ts';
import { alternate, type Turn } from './pairs.ts';
import { printMachine, say } from '../harness/report.ts';
import { medianRatio, middle, printRounds, processorMs } from './report.ts';
import { startByHand, startReal, type Server } from './servers.ts';

const AIMS = {
  readsOfStatement: 0.45,
  readsAtManyCharges: 1.1,
  paymentsOfTransactions: 0.3,
  paymentMs: 6,
};
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '7' },
    'warm-ups': { type: 'string', default: '2' },
    seconds: { type: 'string', default: '3' },
    payments: { type: 'string', default: '600' },
    tenants: { type: 'string', default: String(TENANTS) },
  },
});
const howOften = { rounds: Number(options.rounds), warmUps: Number(options['warm-ups']) };
const reads: Shape = { connections: 16, duration: Number(options.seconds) };
// A number of payments, not a time: then both sides do the same work and no answer is cut off
// unseen.
const payments: Shape = { connections: 8, amount: Number(options.payments) };

/** The real server, and `byHand`, with statements written by hand. */
type Sides = Record<'real' | 'byHand', Server>;

await withFixture(bench, { asking: Number(options.tenants), manyCharges: true });

async function bench({ url, owner, folder, tenants, closers }: Fixture): Promise<void> {
  const payers = owing(tenants[9]);
  await makeByHandTables(owner);
  const byHand = await startByHand({ url }, folder);
  closers.push(() => byHand.stop());
  const real = await startReal(url, folder);
  closers.push(() => real.stop());
  const sides: Sides = { real, byHand };
  await expectSameAnswers(sides, Object.values(tenants).flat());

  await printMachine(owner);
  const readTurns = await alternate(sides, { shape: reads, ...howOften }, () =>
    readsOf(tenants[9]),
  );
  printRounds('GET …/tenants/{id}/ledgers, signed in, 9 charges, 16 connections', readTurns);
  const groups = { '61 charges': tenants[61], '25 charges': tenants[25], '9 charges': tenants[9] };
  const groupTurns = await alternate(
    { '61 charges': real, '25 charges': real, '9 charges': real },
    { shape: reads, ...howOften },
    (group) => readsOf(owing(groups[group]).slice(0, owing(tenants[61]).length)),
  );
  printRounds('The same read of tenants who owe, by the charges of a rental', groupTurns);
  const paymentTurns = await measurePayments(owner, sides, payers);
  printRounds('POST …/tenants/{id}/payments, sandbox gateway, 8 connections', paymentTurns);
  reportAims([...readAims(readTurns), groupAim(groupTurns), ...paymentAims(paymentTurns)]);
}

/** Reads of these tenants in turn. */
function readsOf(tenants: Payer[]): () => Call {
  const next = turns(tenants);
  return () => readLedgers(next());
}

function readAims(measured: Turn<keyof Sides>[]) {
  return [
    aimRow({
      what: 'a signed-in read against one indexed statement on node:http',
      ours: perSecond(measured, 'real'),
      bare: perSecond(measured, 'byHand'),
      value: medianRatio(measured, 'real', 'byHand'),
      atLeast: AIMS.readsOfStatement,
    }),
  ];
}

/** By PostgreSQL's processor time: it is what grows where charges are walked. */
function groupAim(measured: Turn<'61 charges' | '25 charges' | '9 charges'>[]) {
  const ms = (group: '61 charges' | '9 charges') =>
    `${middle(measured, group, ({ databaseMs }) => databaseMs).toFixed(2)} ms of PostgreSQL`;
  return aimRow({
    what: 'the same read at 61 charges against 9',
    ours: ms('61 charges'),
    bare: ms('9 charges'),
    value: median(
      measured.map((turn) => turn['61 charges'].databaseMs / turn['9 charges'].databaseMs),
    ),
    atMost: AIMS.readsAtManyCharges,
  });
}

function paymentAims(measured: Turn<keyof Sides>[]) {
  const ms = (side: keyof Sides) => middle(measured, side, processorMs);
  return [
    aimRow({
      what: 'a payment against three transactions of two statements',
      ours: perSecond(measured, 'real'),
      bare: perSecond(measured, 'byHand'),
      value: medianRatio(measured, 'real', 'byHand'),
      atLeast: AIMS.paymentsOfTransactions,
    }),
    aimRow({
      what: 'its processor time, node and PostgreSQL',
      ours: `${ms('real').toFixed(2)} ms`,
      bare: `${ms('byHand').toFixed(2)} ms`,
      value: ms('real'),
      unit: ' ms',
      atMost: AIMS.paymentMs,
    }),
  ];
}

function perSecond(measured: Turn<keyof Sides>[], side: keyof Sides): string {
  return `${middle(measured, side, (round) => round.perSecond).toFixed(0)}/s`;
}

/** What is written by hand answers every tenant as the real server does, byte for byte. */
async function expectSameAnswers({ real, byHand }: Sides, tenants: Payer[]): Promise<void> {
  const clients = [openClient(real.address), openClient(byHand.address)];
  for (const tenant of tenants) {
    const answers = await Promise.all(clients.map((client) => client.send(readLedgers(tenant))));
    const [ours, theirs] = answers.map(({ status, text }) => `${status} ${text}`);
    if (ours !== theirs)
      throw new Error(`the read by hand answers another text:\n${ours}\n${theirs}`);
  }
  clients.forEach((client) => client.close());
  say(`${tenants.length} answers of the read by hand are the real ones, byte for byte`);
}

/** Pays from all sides and holds the books against the answers. */
async function measurePayments(
  owner: Database,
  sides: Sides,
  tenants: Payer[],
): Promise<Turn<keyof Sides>[]> {
  const answers = { real: 0, byHand: 0 };
  const measured = await alternate(
    sides,
    { shape: payments, ...howOften },
    (side) => {
      const next = centOrders(tenants, `${side}-`);
      return () => pay(next());
    },
    (side, round) => (answers[side] += round.answers),
  );
  const captured = {
    real: await countCaptures(owner, 'real-'),
    byHand: await countByHandPayments(owner),
  };
  for (const side of ['real', 'byHand'] as const) {
    const [answered, captures] = [answers[side], captured[side]];
    if (captures !== answered)
      throw new Error(`${side}: ${answered} payments were answered with 200, ${captures} captured`);
    say(`${side}: ${answered} payments answered with 200, ${captures} captured`);
  }
  await expectSoundBooks(owner);
  say('The books are sound.');
  return measured;
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
