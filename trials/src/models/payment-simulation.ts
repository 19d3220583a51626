import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import { openOwnerDatabase } from '@gatehouse/server/src/db/database.ts';
import { runAutopay } from '@gatehouse/server/src/features/money/autopay/run.ts';
import { setAutopay, stopAutopay } from '@gatehouse/server/src/features/money/autopay/switch.ts';
import { runBilling } from '@gatehouse/server/src/features/money/billing/billing.ts';
import { makePayment } from '@gatehouse/server/src/features/money/payments/payments.ts';
import { applyDispute } from '@gatehouse/server/src/features/money/payments/disputes.ts';
import { applyRefund } from '@gatehouse/server/src/features/money/payments/gateway-refunds.ts';
import { resolveOpenRefunds } from '@gatehouse/server/src/features/money/payments/refunds.ts';
import {
  lookUpPending,
  lookUpPendingPayments,
  resolveOverduePayments,
} from '@gatehouse/server/src/features/money/payments/resolve.ts';
import { notifyOfPayments } from '@gatehouse/server/src/features/money/payments/notify.ts';
import { findBookFaults } from '@gatehouse/server/src/features/money/books-check/find-book-faults.ts';
import { reconcileToday } from '@gatehouse/server/src/features/money/reconciliation/reconciliation.ts';
import { settleMoveOuts } from '@gatehouse/server/src/features/rentals/rentals/move-out.ts';
import { makeTransfers } from '@gatehouse/server/src/features/rentals/rentals/transfer.ts';
import { Refusal } from '@gatehouse/server/src/errors/refusal.ts';
import type { Worker } from './worker-pool.ts';
import { chooseAction, entriesIn, filesOf, type Action } from './staff-actions.ts';
import { importFiles } from './import-files.ts';
import {
  createFakeGateway,
  isCaptured,
  type FakeGateway,
} from '../harness/simulator/fake-gateway.ts';
import { randomOf, type Random } from '../harness/random.ts';
import { countIdsUp, drawIdsFrom, RESTART_COUNTERS } from './seeded-ids.ts';
import { databaseOn, inTurn, openSession, type Session } from './session.ts';
import { Simulation, type Process } from './simulation.ts';
import { contextOn, makeWorld, type Renter, type World } from './world.ts';

/** `plant` is a statement that corrupts the books, which a check must detect. */
export type SimulationTask = { seeds: number[]; keepsLog: boolean; plant?: string };
export type SimulationResult = {
  seed: number;
  trace: string;
  steps: number;
  /** How often each verb and event was answered. */
  done: Record<string, number>;
  fault: string | null;
  log: string[];
};

const STARTS_AT = '2026-03-04T15:00:00Z';
const MOVED_IN_ON = '2026-02-20';
const MOST_STEPS = 20_000;
const MINUTE = 60_000;
/** How long tenants, staff and faults are active; then everything must come to rest. */
const LASTS = 40 * MINUTE;

/** Simulations of the payment core on a separate database, each rolled back. */
export async function open(url: string): Promise<Worker<SimulationTask, SimulationResult[]>> {
  const owner = openOwnerDatabase(url);
  drawIdsFrom(randomOf(0));
  await countIdsUp(owner);
  const world = await makeWorld(owner, {
    movedInOn: MOVED_IN_ON,
    renters: 2,
    rentals: 2,
    vacant: 2,
  });
  const session = await openSession(url);
  let untilVacuum = 0;
  return {
    async work({ seeds, keepsLog, plant }) {
      const results: SimulationResult[] = [];
      for (const seed of seeds) {
        results.push(await simulate(session, world, seed, keepsLog, plant));
        if (untilVacuum-- === 0) {
          await session.raw('VACUUM');
          untilVacuum = 100;
        }
      }
      return results;
    },
    async close() {
      await session.end();
      await owner.destroy();
    },
  };
}

async function simulate(
  session: Session,
  world: World,
  seed: number,
  keepsLog: boolean,
  plant: string | undefined,
): Promise<SimulationResult> {
  const random = randomOf(seed);
  drawIdsFrom(randomOf(seed ^ 0x5bd1e995));
  const share = (...shares: number[]) => random.pick(shares);
  const sim = new Simulation(session, random, STARTS_AT, keepsLog, {
    statementFails: share(0, 0.004, 0.03),
    answerLost: share(0, 0.004, 0.03),
    gatewayNever: share(0, 0.05, 0.2),
    gatewayLate: share(0, 0.05, 0.3),
    gatewayGarbage: share(0, 0.05),
    gatewayAnswerLost: share(0, 0.05, 0.2),
    gatewayHides: share(0, 0.2),
  });
  await session.begin();
  await session.asOwner(async () => {
    await session.run(RESTART_COUNTERS, []);
    await session.run('UPDATE facilities SET payment_order = $1, return_fee_cents = $2', [
      random.pick(['oldest_first', 'rent_first', 'fees_first']),
      random.pick([0, 2500]),
    ]);
  });
  const scene = new Scene(sim, world, random);
  let fault: string | null = null;
  try {
    await scene.play(plant);
  } catch (error) {
    fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    await session.rollback();
  }
  return { seed, trace: sim.trace, steps: sim.steps, done: scene.done, fault, log: sim.log };
}

type Server = Process & { ctx: Context };

/** Something that was answered with 2xx and must be in the books from then on (I6). */
type Acknowledged = { receiptNumber: string; ledgerId: string; cents: number };

class Scene {
  readonly #sim: Simulation;
  readonly #world: World;
  readonly #random: Random;
  readonly #gateway: FakeGateway;
  readonly #servers: Server[];
  readonly #acknowledged: Acknowledged[] = [];
  readonly #failures: unknown[] = [];
  readonly done: Record<string, number> = {};
  /** Entries in answers to staff, which must be in the books from then on (I6). */
  readonly #posted: string[] = [];
  /** Ledgers whose autopay is off, with how often it had charged them when that was answered. */
  readonly #stopped = new Map<string, number | null>();
  #mark = 0;
  #digest: string | null = null;

  constructor(sim: Simulation, world: World, random: Random) {
    this.#sim = sim;
    this.#world = world;
    this.#random = random;
    this.#gateway = createFakeGateway({
      clock: sim.clock,
      judge: () => (random.chance(0.15) ? random.pick(['soft', 'hard']) : 'approve'),
    });
    const patience = random.pick([
      { lookups: 1, minutes: 0 },
      { lookups: 3, minutes: 15 },
    ]);
    this.#servers = ['first', 'second'].map((name) => {
      const process: Process = { name, isAlive: true, lives: 0, waiting: new Set() };
      const db = databaseOn(sim.session, sim.portOf(process));
      const gateway = { ...sim.gatewayOf(process, this.#gateway), patience };
      return Object.assign(process, { ctx: contextOn({ db, gateway, clock: sim.clock }) });
    });
    sim.check = () => this.#check();
  }

  /** All actors run concurrently; then the faults end, and everything must come to rest. */
  async play(plant: string | undefined): Promise<void> {
    const sim = this.#sim;
    sim.isCalm = true;
    this.#begin(async () => {
      const { ctx } = this.#servers[0]!;
      await runBilling(ctx, { facilityId: this.#world.facilityId, date: this.#today });
      for (const renter of this.#world.renters)
        for (const { ledgerId } of renter.rentals)
          if (this.#random.chance(0.5)) await this.#setAutopay(renter, ledgerId);
    });
    await sim.run(MOST_STEPS);
    sim.isCalm = false;

    for (const renter of this.#world.renters)
      for (let tab = this.#random.between(1, 3); tab > 0; tab--)
        this.#begin(() => this.#payInTab(renter));
    for (const server of this.#servers) this.#begin(() => this.#sweep(server));
    this.#begin(() => this.#bank());
    for (let clerks = this.#random.between(0, 2); clerks > 0; clerks--)
      this.#begin(() => this.#clerk());
    if (this.#random.chance(0.6)) this.#begin(() => this.#dashboard());
    if (this.#random.chance(0.15)) this.#begin(() => this.#import());
    if (this.#random.chance(0.5))
      for (const server of this.#servers) this.#begin(() => this.#bill(server));
    if (this.#random.chance(0.7))
      for (const server of this.#servers) this.#begin(() => this.#autopay(server));
    if (this.#random.chance(0.3)) this.#begin(() => this.#stopAutopay());
    for (let crashes = this.#random.between(0, 3); crashes > 0; crashes--)
      this.#begin(() => this.#crash());
    await sim.run(MOST_STEPS);

    if (plant !== undefined)
      await sim.session.asOwner(async () => {
        await sim.session.run(plant, []);
      });
    sim.isCalm = true;
    this.#begin(() => this.#settleDown());
    await sim.run(MOST_STEPS);
    await this.#checkAtRest();
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  #begin(play: () => Promise<void>): void {
    play().catch((error: unknown) => this.#failures.push(error));
  }

  get #today(): string {
    return calendarDateIn(this.#world.timeZone, this.#sim.clock.now());
  }

  get #ends(): number {
    return Date.parse(STARTS_AT) + LASTS;
  }

  /**
   * A tenant in one tab: opens the form, pays, and tries again with the same key as the portal
   * does.
   */
  async #payInTab(renter: Renter): Promise<void> {
    for (let payments = this.#random.between(1, 2); payments > 0; payments--) {
      await this.#sim.sleep(this.#random.between(0, 8 * MINUTE));
      const owed = await this.#sim.look<{ id: string; unitId: string; cents: number }>(
        'SELECT id, unit_id AS "unitId", balance_cents AS cents FROM ledgers WHERE tenant_id = $1 AND balance_cents > 0 ORDER BY id',
        [renter.tenantId],
      );
      const chosen = this.#random.chance(0.3) ? owed : owed.slice(0, 1);
      if (chosen.length === 0) continue;
      const lines = chosen.map(({ id, unitId, cents }) => ({
        ledgerId: id,
        unitId,
        amount: (this.#random.chance(0.6) ? cents : this.#random.between(1, cents)) / 100,
      }));
      await this.#pay(renter, lines);
    }
  }

  async #pay(
    renter: Renter,
    payments: { ledgerId: string; unitId: string; amount: number }[],
  ): Promise<void> {
    const key = this.#random.chance(0.8) ? randomUUID() : undefined;
    const method = this.#random.chance(0.6)
      ? { creditCard: { paymentMethodId: renter.cardId } }
      : { ach: { paymentMethodId: renter.accountId } };
    for (let tries = 0; tries < 5; tries++) {
      const server = this.#random.pick(this.#servers);
      const answer = await this.#sim.ask(server, () =>
        makePayment(server.ctx, {
          userId: renter.userId,
          tenantId: renter.tenantId,
          timeZone: this.#world.timeZone,
          idempotencyKey: key,
          params: { payments, ...method },
        }),
      );
      if (answer !== 'no answer' && 'answer' in answer) {
        for (const { ledgerId, amount, receiptNumber } of answer.answer.payments)
          this.#acknowledged.push({ ledgerId, receiptNumber, cents: Math.round(amount * 100) });
        return;
      }
      const isFinal =
        answer !== 'no answer' && answer.error instanceof Refusal && answer.error.status !== 409;
      if (isFinal) return;
      await this.#sim.sleep(this.#random.between(1000, 60_000));
    }
  }

  /** The periodic sweeps of a serving process. */
  async #sweep(server: Server): Promise<void> {
    while (this.#sim.now < this.#ends) {
      if (server.isAlive) await this.#sim.ask(server, () => this.#sweepOnce(server.ctx));
      await this.#sim.sleep(this.#random.between(5000, 4 * MINUTE));
    }
  }

  async #sweepOnce(ctx: Context): Promise<void> {
    for (const work of [
      resolveOverduePayments,
      lookUpPendingPayments,
      resolveOpenRefunds,
      notifyOfPayments,
    ])
      await work(ctx).catch(() => {});
  }

  /** Bank debits settle or come back, and the gateway sends an event once, twice or never. */
  async #bank(): Promise<void> {
    while (this.#sim.now < this.#ends) {
      await this.#sim.sleep(this.#random.between(MINUTE, 10 * MINUTE));
      const debits = [...this.#gateway.charged.values()].filter(
        (one) => one.type === 'ach' && isCaptured(one),
      );
      if (debits.length === 0) continue;
      const { reference } = this.#random.pick(debits);
      if (this.#random.chance(0.4)) this.#gateway.settle(reference);
      else this.#gateway.sendBack(reference, this.#random.pick(['R01', 'R02', 'R09', 'R10']));
      for (let deliveries = this.#random.between(0, 2); deliveries > 0; deliveries--) {
        const server = this.#random.pick(this.#servers);
        this.#begin(async () => {
          await this.#sim.ask(server, () => lookUpPending(server.ctx, reference));
        });
      }
    }
  }

  /**
   * Staff at the counter: each verb is asked for again under its key until there is an answer, some
   * twice at once.
   */
  async #clerk(): Promise<void> {
    for (let actions = this.#random.between(1, 4); actions > 0; actions--) {
      await this.#sim.sleep(this.#random.between(0, 9 * MINUTE));
      const action = await chooseAction(this.#sim, this.#random, this.#world, this.#today);
      if (action === null) continue;
      const key = randomUUID();
      for (let clicks = this.#random.chance(0.2) ? 2 : 1; clicks > 0; clicks--)
        this.#begin(() => this.#do(action, key));
    }
  }

  async #do({ verb, work, body }: Action, key: string): Promise<void> {
    const call = {
      key,
      by: 'Ana',
      why: '',
      facilityIds: [this.#world.facilityId],
      isPreview: false,
    };
    if (this.#random.chance(0.1)) {
      const server = this.#random.pick(this.#servers);
      await this.#sim.ask(server, () => work(server.ctx, { ...call, isPreview: true }, body));
    }
    for (let tries = 0; tries < 6; tries++) {
      const server = this.#random.pick(this.#servers);
      const answer = await this.#sim.ask(server, () => work(server.ctx, call, body));
      if (answer !== 'no answer' && 'answer' in answer) {
        this.#count(verb);
        this.#posted.push(...entriesIn(answer.answer));
        return;
      }
      const isFinal =
        answer !== 'no answer' && answer.error instanceof Refusal && answer.error.status !== 409;
      if (isFinal) {
        this.#count(`${verb}, refused`);
        return;
      }
      await this.#sim.sleep(this.#random.between(1000, 2 * MINUTE));
    }
  }

  /**
   * Refunds in the gateway's dashboard and disputes, of which the gateway notifies once, twice or
   * never.
   */
  async #dashboard(): Promise<void> {
    const gateway = this.#gateway;
    while (this.#sim.now < this.#ends) {
      await this.#sim.sleep(this.#random.between(2 * MINUTE, 14 * MINUTE));
      const opened = [...gateway.disputes.values()].filter(({ standing }) => standing === 'opened');
      if (opened.length > 0 && this.#random.chance(0.5)) {
        const standing = this.#random.pick(['won', 'lost'] as const);
        const { id } = this.#random.pick(opened);
        await gateway.dashboard.decide(id, standing);
        this.#count(`dispute ${standing}`);
        this.#notify(id);
        continue;
      }
      const left = [...gateway.charged.values()].filter(
        (one) => isCaptured(one) && one.refundedCents < one.cents,
      );
      if (left.length === 0) continue;
      const { reference, cents, refundedCents, type } = this.#random.pick(left);
      const part = this.#random.between(1, cents - refundedCents);
      const isDispute = type === 'creditCard' && this.#random.chance(0.5);
      this.#count(isDispute ? 'dispute opened' : 'refund in the dashboard');
      this.#notify(await gateway.dashboard[isDispute ? 'dispute' : 'refund'](reference, part));
    }
  }

  #notify(id: string): void {
    for (let events = this.#random.between(0, 2); events > 0; events--) {
      const server = this.#random.pick(this.#servers);
      this.#begin(async () => {
        await this.#sim.ask(server, () => this.#apply(server.ctx, id));
      });
    }
  }

  async #apply(ctx: Context, id: string): Promise<void> {
    const refund = this.#gateway.outside.get(id);
    if (refund !== undefined) await applyRefund(ctx, { ...refund });
    else await applyDispute(ctx, { ...this.#gateway.disputes.get(id)! });
  }

  /** Imports of charges and payments for rentals that owe, concurrent with everything else. */
  async #import(): Promise<void> {
    await this.#sim.sleep(this.#random.between(MINUTE, 15 * MINUTE));
    const { session, clock } = this.#sim;
    const ctx = contextOn({ db: databaseOn(session, inTurn()), gateway: this.#gateway, clock });
    const files = filesOf(this.#random, this.#world, this.#today);
    await this.#sim.atOnce('import', () => importFiles(session, ctx, files));
    this.#count('import');
  }

  #count(what: string): void {
    this.done[what] = (this.done[what] ?? 0) + 1;
  }

  /** The billing run of the next month's day, late and again. */
  async #bill(server: Server): Promise<void> {
    for (let runs = 0; runs < 2; runs++) {
      await this.#sim.sleep(this.#random.between(0, 20 * MINUTE));
      const date = this.#random.pick(['2026-03-20', '2026-04-20']);
      const day = { facilityId: this.#world.facilityId, date };
      await this.#sim.ask(server, () => makeTransfers(server.ctx, day));
      await this.#sim.ask(server, () => runBilling(server.ctx, day));
      await this.#sim.ask(server, () => settleMoveOuts(server.ctx, day));
    }
  }

  /** Autopay runs of today and of days to come, on both servers at once and again. */
  async #autopay(server: Server): Promise<void> {
    for (let runs = 0; runs < 2; runs++) {
      await this.#sim.sleep(this.#random.between(0, 15 * MINUTE));
      const date = this.#random.pick([
        this.#today,
        this.#today,
        addDays(this.#today, 4),
        addDays(this.#today, 12),
      ]);
      await this.#sim.ask(server, () =>
        runAutopay(server.ctx, { facilityId: this.#world.facilityId, date }),
      );
    }
  }

  async #setAutopay(
    { userId, tenantId, cardId, accountId }: Renter,
    ledgerId: string,
  ): Promise<void> {
    const params = this.#random.chance(0.6)
      ? { creditCard: { paymentMethodId: cardId } }
      : { ach: { paymentMethodId: accountId } };
    const caller = { userId, tenantIds: [tenantId], timeZone: this.#world.timeZone };
    const origin = { ip: '127.0.0.1', userAgent: null };
    await setAutopay(this.#servers[0]!.ctx, {
      caller,
      ledgerId,
      params,
      idempotencyKey: undefined,
      origin,
    });
  }

  /** A tenant turns autopay off: from the answer on it charges nothing (D14). */
  async #stopAutopay(): Promise<void> {
    await this.#sim.sleep(this.#random.between(0, 20 * MINUTE));
    const { userId, tenantId, rentals } = this.#random.pick(this.#world.renters);
    const { ledgerId } = this.#random.pick(rentals);
    const server = this.#random.pick(this.#servers);
    const caller = { userId, tenantIds: [tenantId], timeZone: this.#world.timeZone };
    const answer = await this.#sim.ask(server, () => stopAutopay(server.ctx, caller, ledgerId));
    if (answer !== 'no answer' && 'answer' in answer) this.#stopped.set(ledgerId, null);
  }

  async #crash(): Promise<void> {
    await this.#sim.sleep(this.#random.between(0, LASTS));
    const server = this.#random.pick(this.#servers);
    if (!server.isAlive) return;
    await this.#sim.crash(server);
    await this.#sim.sleep(this.#random.between(1000, 3 * MINUTE));
    server.isAlive = true;
  }

  /**
   * Faults are over: the sweeps of one process must end what is open, within the gateway's patience
   * and a little.
   */
  async #settleDown(): Promise<void> {
    for (const server of this.#servers) server.isAlive = true;
    const [{ ctx }] = this.#servers as [Server];
    for (let rounds = 0; rounds < 8; rounds++) {
      await this.#sim.sleep(5 * MINUTE);
      await this.#sweepOnce(ctx);
    }
    // Settled debits may come back too; reconciliation or an event would find it.
    for (const { reference, type } of this.#gateway.charged.values())
      if (type === 'ach') await lookUpPending(ctx, reference);
    await this.#sweepOnce(ctx);
    // The daily comparison finds what had no event.
    await reconcileToday(ctx);
    await this.#sweepOnce(ctx);
  }

  /** I1 to I6 and I8: after every statement or transaction that may have written. */
  async #check(): Promise<void> {
    const { rows } = await this.#sim.session.run(CHECK, [this.#mark]);
    const [found] = rows as [Found]; // CHECK answers one row
    const faults = [...found.faults];
    if (found.old !== this.#digest) faults.push('I3 an entry was changed or deleted');
    for (const { id, cents } of found.posted) {
      const charge = this.#gateway.charged.get(id);
      const wasCaptured =
        charge !== undefined && (isCaptured(charge) || charge.standing.outcome === 'returned');
      if (!wasCaptured) faults.push(`I2 ${id} is posted and was not captured`);
      else if (charge.cents !== cents)
        faults.push(`I2 ${id} was captured with ${charge.cents} and is posted with ${cents}`);
    }
    for (const { receiptNumber, ledgerId, cents } of this.#acknowledged)
      if (
        !found.receipts.some(
          (one) => one.number === receiptNumber && one.ledgerId === ledgerId && one.cents === cents,
        )
      )
        faults.push(`I6 the receipt ${receiptNumber} was answered and is not in the books`);
    const entries = new Set(found.entries);
    for (const id of this.#posted)
      if (!entries.has(id)) faults.push(`I6 the entry ${id} was answered and is not there`);
    for (const id of found.refunded)
      if (!this.#gateway.refunds.has(id)) faults.push(`I2 the refund ${id} was not made`);
    for (const [ledgerId, before] of this.#stopped) {
      const now = found.byAutopay[ledgerId] ?? 0;
      if (before !== null && now > before)
        faults.push(`autopay charged ${ledgerId} after it was turned off`);
      this.#stopped.set(ledgerId, now);
    }
    [this.#mark, this.#digest] = [found.newest, found.all];
    if (faults.length > 0) throw new Error(faults.join('; '));
  }

  /**
   * When all is at rest nothing is open, and what the gateway has is what the books have (I2, I7).
   */
  async #checkAtRest(): Promise<void> {
    await this.#check();
    const { rows } = await this.#sim.session.run(AT_REST, []);
    const [found] = rows as [
      {
        open: string[];
        posted: string[];
        returned: string[];
        refunded: string[];
        outside: string[];
        disputes: Record<string, string>;
        unnotified: number;
        ledgers: string[];
      },
    ];
    const faults = found.open.map((id) => `I7 ${id} is still open`);
    for (const charge of this.#gateway.charged.values()) {
      const { outcome } = charge.standing;
      if (
        (isCaptured(charge) || outcome === 'returned') &&
        !found.posted.includes(charge.reference)
      )
        faults.push(`I2 ${charge.reference} was captured and is not posted`);
      if ((outcome === 'returned') !== found.returned.includes(charge.reference))
        faults.push(`I2 ${charge.reference} is ${outcome} at the gateway and not so in the books`);
    }
    for (const id of this.#gateway.refunds.keys())
      if (!found.refunded.includes(id))
        faults.push(`I2 the refund ${id} was made and is not in the books`);
    for (const id of this.#gateway.outside.keys())
      if (!found.outside.includes(id))
        faults.push(`I2 ${id} was refunded in the dashboard and is not in the books`);
    for (const { id, standing } of this.#gateway.disputes.values())
      if (found.disputes[id] !== standing)
        faults.push(`I2 the dispute ${id} is ${standing}, not so in the books`);
    const { db } = contextOn({
      db: databaseOn(this.#sim.session, inTurn()),
      gateway: this.#gateway,
      clock: this.#sim.clock,
    });
    for (const { sentence } of await findBookFaults(db, found.ledgers, this.#sim.clock.now()))
      faults.push(sentence);
    if (found.unnotified > 0) faults.push(`${found.unnotified} payments without a notification`);
    if (faults.length > 0) throw new Error(faults.join('; '));
  }
}

type Found = {
  faults: string[];
  posted: { id: string; cents: number }[];
  entries: string[];
  receipts: { number: string; ledgerId: string; cents: number }[];
  refunded: string[];
  /** How many charges autopay has begun, by ledger. */
  byAutopay: Record<string, number>;
  old: string | null;
  all: string | null;
  newest: number;
};

const digest = (filter: string) => `md5(string_agg(
  concat_ws('|', e.id, e.ledger_id, e.kind, e.amount_cents, e.posted_on, e.created_at), ',' ORDER BY e.position) ${filter})`;

const CHECK = `
  SELECT ARRAY(
    SELECT 'I1 balance of ' || l.id FROM ledgers l
    WHERE l.balance_cents <> (SELECT coalesce(sum(e.amount_cents), 0) FROM entries e WHERE e.ledger_id = l.id)
    UNION ALL
    SELECT 'I1 charges and credits of ' || l.id FROM ledgers l WHERE l.balance_cents <>
      (SELECT coalesce(sum(c.price_cents - c.discount_cents + c.tax1_cents + c.tax2_cents), 0) FROM charges c WHERE c.ledger_id = l.id)
      - (SELECT coalesce(sum(a.amount_cents), 0) FROM allocations a JOIN charges c ON c.entry_id = a.charge_entry_id WHERE c.ledger_id = l.id)
      - (SELECT coalesce(sum(o.left_cents), 0) FROM open_credits o WHERE o.ledger_id = l.id)
    UNION ALL
    SELECT 'I1 allocations to ' || c.entry_id FROM charges c, LATERAL (
      SELECT coalesce(sum(a.amount_cents), 0) AS cents FROM allocations a WHERE a.charge_entry_id = c.entry_id) a
    WHERE a.cents < 0 OR a.cents > c.price_cents - c.discount_cents + c.tax1_cents + c.tax2_cents
    UNION ALL
    SELECT 'I4 below zero: ' || l.id FROM ledgers l
    WHERE l.balance_cents < 0 AND NOT EXISTS (SELECT FROM open_credits o WHERE o.ledger_id = l.id)
    UNION ALL
    SELECT 'done twice under one key: ' || a.request_id FROM audit_events a WHERE a.kind = 'staff_action'
    GROUP BY a.request_id, a.ledger_id HAVING count(*) > 1
    UNION ALL
    SELECT 'posted twice under one key: ' || c.description FROM (
      SELECT description FROM credits UNION ALL SELECT description FROM charges) c
    WHERE c.description LIKE 'Staff action %' GROUP BY c.description HAVING count(*) > 1
    UNION ALL
    SELECT 'I5 open intents of ' || p.ledger_id FROM payment_intent_ledgers p
    WHERE p.state IN ('submitted', 'unknown') GROUP BY p.ledger_id HAVING count(*) > 1
    UNION ALL
    SELECT 'the state of ' || i.id FROM payment_intents i JOIN payment_intent_ledgers p ON p.intent_id = i.id WHERE p.state <> i.state
    UNION ALL
    SELECT 'posted twice: ' || p.intent_id FROM payments p GROUP BY p.intent_id, p.ledger_id HAVING count(*) > 1
    UNION ALL
    SELECT 'taken back beyond the payment: ' || e.id FROM entries e, LATERAL (
      SELECT sum(b.amount_cents) AS cents FROM reversals r JOIN entries b ON b.id = r.entry_id WHERE r.payment_entry_id = e.id) back
    WHERE e.amount_cents < 0 AND back.cents > -e.amount_cents
    UNION ALL
    SELECT 'one key, two payments: ' || i.idempotency_key FROM payment_intents i
    WHERE i.state IN ('succeeded', 'pending', 'settled', 'returned') AND i.idempotency_key IS NOT NULL
    GROUP BY i.idempotency_key HAVING count(*) > 1
    UNION ALL
    SELECT 'paid through of ' || l.id FROM ledgers l WHERE l.paid_through <> coalesce(
      (SELECT min(c.due_on) - 1 FROM open_charges c WHERE c.ledger_id = l.id AND c.category = 'rent'), l.billed_through)
    UNION ALL
    SELECT 'billed twice: ' || c.ledger_id FROM charges c WHERE c.category = 'rent' GROUP BY c.ledger_id, c.due_on HAVING count(*) > 1
    UNION ALL
    SELECT 'I8 two items of ' || i.ledger_id FROM autopay_items i GROUP BY i.ledger_id, i.due_on HAVING count(*) > 1
    UNION ALL
    SELECT 'I8 an item is charged twice: ' || i.autopay_item_id FROM payment_intents i
    WHERE i.autopay_item_id IS NOT NULL AND i.state IN ('submitted', 'unknown', 'succeeded', 'pending', 'settled')
    GROUP BY i.autopay_item_id HAVING count(*) > 1
    UNION ALL
    SELECT 'T13 autopay without a mandate: ' || i.id FROM payment_intents i JOIN payment_intent_ledgers p ON p.intent_id = i.id
    WHERE i.initiator = 'autopay' AND NOT EXISTS (SELECT FROM mandates m WHERE m.ledger_id = p.ledger_id
      AND m.payment_method_id = i.payment_method_id)
  ) AS faults,
  (SELECT coalesce(json_object_agg(a.ledger_id, a.times), '{}') FROM (
    SELECT p.ledger_id, count(*) AS times FROM payment_intents i JOIN payment_intent_ledgers p ON p.intent_id = i.id
    WHERE i.initiator = 'autopay' GROUP BY p.ledger_id) a) AS "byAutopay",
  (SELECT coalesce(json_agg(p), '[]') FROM (
    SELECT p.intent_id AS id, -sum(e.amount_cents)::bigint AS cents
    FROM payments p JOIN entries e ON e.id = p.entry_id JOIN payment_intents i ON i.id = p.intent_id
    WHERE i.initiator IN ('tenant', 'autopay') GROUP BY p.intent_id) p) AS posted,
  (SELECT coalesce(json_agg(json_build_object('number', p.receipt_number, 'ledgerId', p.ledger_id, 'cents', -e.amount_cents)), '[]')
    FROM payments p JOIN entries e ON e.id = p.entry_id) AS receipts,
  ARRAY(SELECT id::text FROM refunds WHERE state = 'succeeded' AND way = 'gateway') AS refunded,
  ARRAY(SELECT id::text FROM entries) AS entries,
  (SELECT ${digest('FILTER (WHERE e.position <= $1)')} FROM entries e) AS old,
  (SELECT ${digest('')} FROM entries e) AS all,
  (SELECT coalesce(max(position), 0) FROM entries) AS newest`;

const AT_REST = `
  SELECT ARRAY(SELECT id::text FROM payment_intents WHERE state IN ('submitted', 'unknown')
      UNION ALL SELECT id::text FROM refunds WHERE state = 'submitted') AS open,
    ARRAY(SELECT DISTINCT intent_id::text FROM payments) AS posted,
    ARRAY(SELECT id::text FROM payment_intents WHERE state = 'returned') AS returned,
    ARRAY(SELECT id::text FROM refunds WHERE state = 'succeeded' AND way = 'gateway') AS refunded,
    ARRAY(SELECT gateway_id FROM refunds WHERE state = 'succeeded' AND way = 'dashboard') AS outside,
    (SELECT coalesce(json_object_agg(gateway_id, state), '{}') FROM disputes) AS disputes,
    (SELECT count(*)::int FROM payment_intents WHERE told_at IS NULL AND state <> 'never_sent') AS unnotified,
    ARRAY(SELECT id::text FROM ledgers) AS ledgers`;
