import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { runBilling } from '@gatehouse/server/src/features/money/billing/billing.ts';
import { makePayment } from '@gatehouse/server/src/features/money/payments/payments.ts';
import { resolveOverduePayments } from '@gatehouse/server/src/features/money/payments/resolve.ts';
import { testClock, testClockShift } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { checkInvariants, capturesOf } from '../harness/checker.ts';
import { startSimulator } from '../harness/simulator.ts';
import { makeAutopayWorld, TIME_ZONE, type Payer } from '../models/autopay-world.ts';
import { openWorkerContext, type AutopayOrder } from '../models/autopay-worker.ts';
import { randomOf, type Random } from '../harness/random.ts';
import { mustBe, mustBeAtLeast, reported, type Figure, type Proof } from '../harness/proof.ts';
import { getRow } from '@gatehouse/server/test/rows.ts';

/** The second of them is a day on which no run is started at all. */
const DAYS = ['2026-12-01', '2026-12-02', '2026-12-03'] as const;
/** Of this many tenants one pays by hand while the run is under way. */
const ONE_BY_HAND = 10;
/** This many ledgers ahead of the run. */
const RACE_AHEAD = 10;
/** An open payment is looked up this long after its beginning, and a little. */
const OVERDUE_MS = 30_000;

const workerFile = fileURLToPath(new URL('../models/autopay-worker.ts', import.meta.url));

/**
 * Autopay runs of several processes, killed in the middle, while tenants pay by hand; the simulator
 * is the witness.
 */
export const autopayWithKills: Proof<{ workers: number; ledgers: number; kills: number }> = {
  name: 'R6',
  title: 'Autopay charges each ledger exactly once while workers are killed, run again or race',
  sizes: {
    small: { workers: 2, ledgers: 200, kills: 3 },
    full: { workers: 5, ledgers: 5000, kills: 50 },
  },
  async run({ workers, ledgers, kills }, seed, stage) {
    const random = randomOf(seed);
    const cluster = await stage.cluster();
    const [db, simulator] = await Promise.all([
      cluster.newDatabase(),
      startSimulator(stage.folder, { latencyMs: 10 }),
    ]);
    const { facilityId, payers } = await makeAutopayWorld(db.owner, {
      ledgers,
      dueOn: [DAYS[0], ...DAYS],
    });
    const settings = { databaseUrl: db.url, simulatorUrl: simulator.url };
    let aheadMs = Date.parse(`${DAYS[0]}T12:00:00Z`) - testClock.now().getTime() + testClockShift();
    let killed = 0;
    let byHand = 0;
    const figures: Figure[] = [];
    for (const date of [DAYS[0], DAYS[2]]) {
      if (date !== DAYS[0]) aheadMs += 2 * 86_400_000;
      const ctx = openWorkerContext({ ...settings, aheadMs });
      await runBilling(ctx, { facilityId, date });
      const due = payers.filter(
        ({ dueOn }) => dueOn <= date && (date === DAYS[0] || dueOn > DAYS[0]),
      );
      const share = date === DAYS[0] ? Math.ceil(kills / 2) : Math.floor(kills / 2);
      const order = { ...settings, facilityId, date, aheadMs };
      const run = { done: 0, isOver: false };
      // One pays before the workers start, so that some payment by hand is taken however fast the
      // run is.
      if (await payOne(ctx, due.at(-1)!)) byHand += 1;
      const paying = payByHand(ctx, due, random, run);
      killed += await runKilling(db.owner, order, {
        workers,
        kills: share,
        due: due.length,
        random,
        run,
      });
      byHand += await paying;
      await ctx.db.destroy();
      // The same day again, and again: what a kill left open is looked up first, as the serving
      // processes do.
      for (let reruns = 0; reruns < 2; reruns++) {
        aheadMs += OVERDUE_MS;
        await resolveAll({ ...settings, aheadMs });
        await runKilling(
          db.owner,
          { ...order, aheadMs },
          { workers, kills: 0, due: due.length, random, run },
        );
      }
    }
    aheadMs += OVERDUE_MS;
    await resolveAll({ ...settings, aheadMs });
    const journal = await simulator.journal();
    figures.push(
      ...(await check(db.owner, capturesOf(journal), payers)),
      ...(await checkInvariants(db.owner)),
    );
    await simulator.stop();
    await db.close();
    return [
      mustBe('workers killed in the middle of a run', killed, kills),
      ...figures,
      mustBeAtLeast('payments by hand that ended with a receipt', byHand, 1),
      reported(
        'charges that were asked for again',
        journal.filter(({ kind }) => kind === 'repeated').length,
      ),
      reported(
        'charges that were voided after a kill',
        journal.filter(({ kind }) => kind === 'voided').length,
      ),
    ];
  },
};

type Killing = { workers: number; kills: number; due: number; random: Random; run: Run };

/** The progress of a run: how many of its items have ended. */
type Run = { done: number; isOver: boolean };

/**
 * Runs workers until all have ended by themselves; kills some, evenly over the run, and starts
 * others in their place.
 */
async function runKilling(
  owner: Database,
  order: AutopayOrder,
  { workers, kills, due, random, run }: Killing,
): Promise<number> {
  const running = new Set<ChildProcess>();
  const faults: unknown[] = [];
  const start = () => {
    const env = { ...process.env, AUTOPAY_ORDER: JSON.stringify(order) };
    const child = fork(workerFile, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    running.add(child);
    child.once('exit', (code, signal) => {
      running.delete(child);
      if (signal !== 'SIGKILL' && code !== 0) faults.push(new Error(`a worker ended with ${code}`));
    });
  };
  for (let index = 0; index < workers; index++) start();
  const doneBefore = await countDone(owner);
  let killed = 0;
  while (running.size > 0) {
    await delay(10);
    run.done = (await countDone(owner)) - doneBefore;
    if (killed === kills || run.done < ((killed + 0.5) * due) / (kills + 1)) continue;
    await delay(random.between(0, 30));
    const victim = random.pick([...running]);
    const gone = once(victim, 'exit');
    if (!victim.kill('SIGKILL')) continue;
    await gone;
    if (victim.signalCode !== 'SIGKILL') continue;
    killed += 1;
    start();
  }
  run.isOver = true;
  if (faults.length > 0) throw faults[0];
  return killed;
}

/** Items that have come to an end. */
async function countDone(owner: Database): Promise<number> {
  const { rows } = await sql<{ done: number }>`
    SELECT count(*)::int AS done FROM autopay_items WHERE state IN ('paid', 'skipped', 'failed')`.execute(
    owner,
  );
  return rows[0]!.done;
}

/**
 * Some tenants pay what they owe when the run, which goes by id, is about to come to them. Answers
 * how many payments were taken.
 */
async function payByHand(ctx: Context, payers: Payer[], random: Random, run: Run): Promise<number> {
  let taken = 0;
  for (const [place, payer] of payers
    .toSorted((a, b) => (a.ledgerId < b.ledgerId ? -1 : 1))
    .entries()) {
    if (random.between(1, ONE_BY_HAND) !== 1) continue;
    while (run.done < place - RACE_AHEAD && !run.isOver) await delay(5);
    if (await payOne(ctx, payer)) taken += 1;
  }
  return taken;
}

/** Pays what a tenant owes by hand; false where autopay was first. */
async function payOne(
  ctx: Context,
  { userId, tenantId, ledgerId, unitId, cardId }: Payer,
): Promise<boolean> {
  const ledger = await getRow(ctx.db, 'ledgers', 'balance_cents', { id: ledgerId });
  if (ledger.balance_cents <= 0) return false;
  const payments = [{ ledgerId, unitId, amount: ledger.balance_cents / 100 }];
  const params = { payments, creditCard: { paymentMethodId: cardId } };
  try {
    await makePayment(ctx, {
      userId,
      tenantId,
      timeZone: TIME_ZONE,
      idempotencyKey: undefined,
      params,
    });
    return true;
  } catch (error) {
    // Autopay was first: being confirmed, or paid.
    if (![409, 422].includes((error as { status: number }).status)) throw error;
    return false;
  }
}

async function resolveAll(settings: Omit<AutopayOrder, 'facilityId' | 'date'>): Promise<void> {
  const ctx = openWorkerContext(settings);
  // What is not found is asked for a second time before it is given up.
  for (let times = 0; times < 3; times++) await resolveOverduePayments(ctx);
  await ctx.db.destroy();
}

type Charged = { reference: string; amountCents: number };

/** Each ledger was charged its one bill once, by autopay or by hand. */
async function check(owner: Database, captures: Charged[], payers: Payer[]): Promise<Figure[]> {
  const { rows } = await sql<{ id: string; ledgerId: string; initiator: string }>`
    SELECT i.id, p.ledger_id AS "ledgerId", i.initiator FROM payment_intents i
    JOIN payment_intent_ledgers p ON p.intent_id = i.id`.execute(owner);
  const intents = new Map(rows.map((row) => [row.id, row]));
  const { rows: ledgers } = await sql<{
    id: string;
    billed: number;
    balance: number;
    periods: number;
    items: string;
  }>`
    SELECT l.id, l.balance_cents AS balance, (SELECT sum(price_cents)::bigint FROM charges c WHERE c.ledger_id = l.id) AS billed,
      (SELECT count(*)::int FROM billed_periods b WHERE b.ledger_id = l.id) AS periods,
      (SELECT string_agg(state, ' ') FROM autopay_items i WHERE i.ledger_id = l.id) AS items FROM ledgers l`.execute(
    owner,
  );
  const byLedger = Map.groupBy(captures, ({ reference }) => intents.get(reference)?.ledgerId);
  const chargedOf = (id: string) => byLedger.get(id) ?? [];
  const ofAutopay = captures.filter(
    ({ reference }) => intents.get(reference)?.initiator === 'autopay',
  ).length;
  const paid = ledgers.filter(({ items }) => items === 'paid').length;
  return [
    mustBe('ledgers', ledgers.length, payers.length),
    mustBe('ledgers charged twice', ledgers.filter(({ id }) => chargedOf(id).length > 1).length, 0),
    mustBe('ledgers not charged', ledgers.filter(({ id }) => chargedOf(id).length === 0).length, 0),
    mustBe(
      'ledgers charged another amount than their bill',
      ledgers.filter(({ id, billed }) =>
        chargedOf(id).some(({ amountCents }) => amountCents !== billed),
      ).length,
      0,
    ),
    mustBe('ledgers not billed once', ledgers.filter(({ periods }) => periods !== 1).length, 0),
    mustBe('ledgers that still owe', ledgers.filter(({ balance }) => balance !== 0).length, 0),
    mustBe(
      'items that are neither paid nor skipped as paid',
      ledgers.filter(({ items }) => items !== 'paid' && items !== 'skipped').length,
      0,
    ),
    mustBe('items paid without a charge of autopay, or the reverse', paid - ofAutopay, 0),
    mustBe(
      'charges that the books do not know',
      captures.filter(({ reference }) => !intents.has(reference)).length,
      0,
    ),
    reported('ledgers charged by autopay', ofAutopay),
  ];
}
