import { addDays } from '@gatehouse/contract/dates';
import { openOwnerDatabase, type Database } from '@gatehouse/server/src/db/database.ts';
import { findBookFaults } from '@gatehouse/server/src/features/money/books-check/find-book-faults.ts';
import { Refusal } from '@gatehouse/server/src/errors/refusal.ts';
import { breakablePort, type BreakablePort } from '../breakable-port.ts';
import type { Worker } from '../worker-pool.ts';
import { createFakeGateway } from '../../harness/simulator/fake-gateway.ts';
import { ModelLedger } from '../model-ledger.ts';
import { randomOf, type Random } from '../../harness/random.ts';
import { countIdsUp, drawIdsFrom, RESTART_COUNTERS } from '../seeded-ids.ts';
import { databaseOn, openSession, type Session } from '../session.ts';
import { compare } from './compare.ts';
import { compareReports } from './reports.ts';
import { balancesIn, newRental, type Plan, type Sequence, type Step } from './step.ts';
import { steps as table } from './steps.ts';
import { clockAt, contextOn, makeWorld, NOTICE_DAYS, type World } from '../world.ts';

/** A month before a year ends, so that it ends within a sequence. */
const MOVED_IN_ON = '2025-12-01';
const STARTS_AT = '2025-12-02T17:00:00Z';

/**
 * `plant` is a statement that corrupts the books before the last step, which the model must detect.
 */
export type SequenceTask = { seeds: number[]; steps: number; plant?: string };
export type Fault = { seed: number; step: number; kind: string; sentence: string; steps: number[] };
/**
 * How often each kind of step was done, also in each of its situations, and how often the rules and
 * the product refused it.
 */
export type Counts = Record<string, { done: number; refused: number }>;
export type SequenceResult = { counts: Counts; faults: Fault[] };

/**
 * Runs sequences of random steps against the real verbs on a separate database: I1 to I4 after each
 * step, I1 to I8 at the end.
 */
export async function open(url: string): Promise<Worker<SequenceTask, SequenceResult>> {
  const owner = openOwnerDatabase(url);
  drawIdsFrom(randomOf(0));
  await countIdsUp(owner);
  const world = await makeWorld(owner, {
    movedInOn: MOVED_IN_ON,
    renters: 1,
    rentals: 2,
    vacant: 2,
  });
  const session = await openSession(url, { hasNet: false });
  const port = breakablePort(session);
  const db = databaseOn(session, port);
  const run = async (
    seed: number,
    steps: number[],
    counts: Counts,
    plant: string | undefined,
  ): Promise<Fault | null> => {
    const sequence = await begin({ session, port, db, world, seed });
    try {
      for (const step of steps) {
        if (plant !== undefined && step === steps.at(-1)) await breakBooks(session, plant);
        const taken = await takeStep(sequence, randomOf(seed * 1009 + step));
        const { kind, isRefused, fault } = taken;
        const count = (counts[kind] ??= { done: 0, refused: 0 });
        count[isRefused ? 'refused' : 'done'] += 1;
        for (const situation of taken.situations)
          (counts[`${kind} ${situation}`] ??= { done: 0, refused: 0 }).done += 1;
        if (fault !== null) return { seed, step, kind, sentence: fault, steps };
      }
      const [found] = await findBookFaults(
        db,
        sequence.accounts.map(({ ledgerId }) => ledgerId),
        sequence.clock.now(),
      );
      const last = { seed, step: steps.at(-1)!, steps };
      if (found !== undefined)
        return { ...last, kind: 'the check of books', sentence: found.sentence };
      const sentence = await compareReports(sequence);
      return sentence === null ? null : { ...last, kind: 'the reports', sentence };
    } finally {
      port.breakIn(null);
      await session.rollback();
    }
  };
  let untilVacuum = 0;
  return {
    async work({ seeds, steps, plant }) {
      const result: SequenceResult = { counts: {}, faults: [] };
      for (const seed of seeds) {
        const all = Array.from({ length: steps }, (_, index) => index);
        const fault = await run(seed, all, result.counts, plant);
        if (fault !== null) {
          const runFewer = (fewer: number[]) => run(seed, fewer, {}, undefined);
          result.faults.push(plant === undefined ? await shrink(fault, runFewer) : fault);
        }
        if ((untilVacuum -= steps) <= 0) {
          await session.raw('VACUUM');
          untilVacuum = 5000;
        }
      }
      return result;
    },
    async close() {
      await session.end();
      await owner.destroy();
    },
  };
}

async function breakBooks(session: Session, plant: string): Promise<void> {
  await session.asOwner(async () => {
    await session.run(plant, []);
  });
}

/** Shrinks a failing sequence: leaves out steps while the rest still fails. */
async function shrink(
  fault: Fault,
  run: (steps: number[]) => Promise<Fault | null>,
): Promise<Fault> {
  let smallest = { ...fault, steps: fault.steps.slice(0, fault.steps.indexOf(fault.step) + 1) };
  let tries = 200;
  for (let size = Math.floor(smallest.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < smallest.steps.length && tries-- > 0;) {
      const fewer = smallest.steps.toSpliced(from, size);
      const found = fewer.length === 0 ? null : await run(fewer);
      if (found === null) from += size;
      else smallest = { ...found, steps: fewer.slice(0, fewer.indexOf(found.step) + 1) };
    }
  }
  return smallest;
}

type Stage = { session: Session; port: BreakablePort; db: Database; world: World; seed: number };

async function begin({ session, port, db, world, seed }: Stage): Promise<Sequence> {
  const random = randomOf(seed);
  drawIdsFrom(randomOf(seed ^ 0x5bd1e995));
  const clock = clockAt(STARTS_AT);
  const verdicts: Sequence['verdicts'] = [];
  const gateway = createFakeGateway({
    clock,
    judge: () => verdicts.shift() ?? (random.chance(0.08) ? 'soft' : 'approve'),
  });
  const renter = world.renters[0]!;
  const settings = {
    order: random.pick(['oldest_first', 'rent_first', 'fees_first']),
    returnFeeCents: random.pick([0, 2500]),
    insuranceTax1: random.pick([0, 825]),
    insuranceTax2: random.pick([0, 100]),
    prorates: random.chance(0.5),
    daysBack: random.pick([7, 31]),
    depositCents: random.pick([0, 5000]),
    billingKind: random.pick(['anniversary', 'first_of_month', 'twenty_eight_days']),
    tax1: random.pick([0, 625, 825]),
    tax2: random.pick([0, 200]),
  };
  const { billingKind: kind, tax1, tax2 } = settings;
  const accounts = renter.rentals.map((rental) => {
    const discountBasisPoints = random.pick([0, 0, world.discount.basisPoints]);
    const isTaxed = random.chance(0.5);
    const terms = {
      kind,
      billingDay: random.between(1, 31),
      rateCents: random.between(2000, 90_000),
      discountBasisPoints,
      tax1: isTaxed ? tax1 : 0,
      tax2: isTaxed ? tax2 : 0,
    };
    const model = new ModelLedger(addDays(MOVED_IN_ON, -1), settings.order);
    return { ...rental, model, terms, isTaxed, ...newRental(MOVED_IN_ON) };
  });
  const { order, returnFeeCents, insuranceTax1, insuranceTax2 } = settings;
  await session.begin();
  await session.asOwner(async () => {
    await session.run(RESTART_COUNTERS, []);
    await session.run(
      `UPDATE facilities SET payment_order = $1, return_fee_cents = $2, billing_kind = $3, rent_tax1_basis_points = $4,
        rent_tax2_basis_points = $5, rate_notice_days = $6, insurance_tax1_basis_points = $7, insurance_tax2_basis_points = $8,
        move_out_proration = $9, deposit_cents = $10, payment_days_back = $11`,
      [
        order,
        returnFeeCents,
        kind,
        tax1,
        tax2,
        NOTICE_DAYS,
        insuranceTax1,
        insuranceTax2,
        settings.prorates,
        settings.depositCents,
        settings.daysBack,
      ],
    );
    for (const { ledgerId, terms, isTaxed } of accounts)
      await session.run(
        `UPDATE ledgers SET rental_rate_cents = $2, billing_day = $3, is_taxed = $4, discount_plan_id = $5 WHERE id = $1`,
        [
          ledgerId,
          terms.rateCents,
          terms.billingDay,
          isTaxed,
          terms.discountBasisPoints === 0 ? null : world.discount.id,
        ],
      );
  });
  const ctx = contextOn({ db, clock, gateway });
  const known = new Map<string, string | null>();
  const disputes: Sequence['disputes'] = new Map();
  const byHand: Sequence['byHand'] = new Map();
  return {
    ctx,
    session,
    port,
    clock,
    gateway,
    renter,
    world,
    settings,
    accounts,
    email: renter.email,
    alarms: [],
    closedAlarms: new Set(),
    disputes,
    byHand,
    mark: 0,
    known,
    recordedLater: new Set(),
    postedOn: new Map(),
    yearly: [],
    verdicts,
  };
}

const weights = Object.fromEntries(table.map(({ name, weight }) => [name, weight]));
const byName = new Map(table.map((step) => [step.name, step]));
const MOST_DRAWS = 1000;

type Taken = { kind: string; isRefused: boolean; fault: string | null; situations: string[] };

/** Runs a step and compares books and model. `fault` describes what does not hold. */
async function takeStep(sequence: Sequence, random: Random): Promise<Taken> {
  if (random.chance(0.5)) sequence.clock.at += random.between(1, 60 * 24 * 4) * 60_000;
  const [step, plan] = draw(sequence, random);
  const { isRefused, fault } = await follow(sequence, plan).catch((error: unknown) => ({
    isRefused: false,
    fault: `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  }));
  const situations = (plan.situations ?? []).filter((one) => one !== false);
  return { kind: step.name, isRefused, fault, situations };
}

/** A step that is applicable to the current books. */
function draw(sequence: Sequence, random: Random): [Step, Plan] {
  for (let draws = 0; draws < MOST_DRAWS; draws++) {
    const step = byName.get(random.weighted(weights))!;
    const plan = step.plan(sequence, random);
    if (plan !== null) return [step, plan];
  }
  throw new Error('no step can be taken');
}

/**
 * Runs a plan: the product must refuse what the rules refuse, do the rest, and return the resulting
 * balances.
 */
async function follow(sequence: Sequence, plan: Plan): Promise<Omit<Taken, 'kind' | 'situations'>> {
  const { refused, run, expected } = plan;
  const answer = await run().then(
    (reply) => ({ reply, refusal: null }),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return { reply: null, refusal: error.message };
    },
  );
  const isRefused = answer.refusal !== null;
  if (isRefused && refused === null)
    return { isRefused, fault: `refused against the rules: ${answer.refusal}` };
  if (!isRefused && refused !== null) return { isRefused, fault: `not refused, though ${refused}` };
  const fault = await compare(sequence, isRefused ? [] : expected(answer.reply));
  if (fault !== null || isRefused) return { isRefused, fault };
  for (const [ledgerId, balance] of Object.entries(balancesIn(answer.reply ?? {}))) {
    const account = sequence.accounts.find((one) => one.ledgerId === ledgerId);
    if (account !== undefined && Math.round(balance * 100) !== account.model.balance)
      return {
        isRefused,
        fault: `the answer's balance: expected ${account.model.balance} cents, found ${balance} dollars`,
      };
  }
  return { isRefused, fault: null };
}
