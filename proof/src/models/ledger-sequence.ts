import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Context } from '@gatehouse/server/src/context.ts';
import { openOwnerDatabase } from '@gatehouse/server/src/db/database.ts';
import { entryCents, post, type Change, type NewCharge } from '@gatehouse/server/src/features/ledgers/books.ts';
import { postUntilWritten, writePostings } from '@gatehouse/server/src/features/ledgers/postings.ts';
import { runBilling } from '@gatehouse/server/src/features/billing/billing.ts';
import { sendRateNotices } from '@gatehouse/server/src/features/billing/rate-notices.ts';
import { makePayment } from '@gatehouse/server/src/features/payments/payments.ts';
import { refundPayment } from '@gatehouse/server/src/features/payments/refunds.ts';
import { settleReturn } from '@gatehouse/server/src/features/payments/returns.ts';
import type { Hand } from './crew.ts';
import { createModelGateway, isCaptured, type ModelGateway } from './model-gateway.ts';
import { naivePeriod, type NaiveTerms } from './naive-bill.ts';
import { NaiveLedger } from './naive-ledger.ts';
import { randomOf, type Random } from './random.ts';
import { countIdsUp, drawIdsFrom, RESTART_COUNTERS } from './seeded-ids.ts';
import { databaseOn, inTurn, openSession, type Session } from './session.ts';
import { clockAt, contextOn, makeWorld, type MovableClock, type Rental, type Renter, type World } from './world.ts';

const MOVED_IN_ON = '2026-01-01';
const STARTS_AT = '2026-01-02T17:00:00Z';

const weights = { charge: 26, pay: 30, credit: 9, refund: 12, return: 8, discount: 7, rate: 5, bill: 8, moveOut: 1 };
type Kind = keyof typeof weights;

/** `plant` is a statement that breaks the books behind the server's back before the last step: the model must see it. */
export type SequenceTask = { seeds: number[]; steps: number; plant?: string };
export type Fault = { seed: number; step: number; kind: Kind; sentence: string; steps: number[] };
export type SequenceResult = { steps: Partial<Record<Kind, number>>; refused: number; faults: Fault[] };

/** Runs sequences of random steps against the real verbs on a database of its own, and checks I1 to I4 after each step. */
export async function open(url: string): Promise<Hand<SequenceTask, SequenceResult>> {
  const owner = openOwnerDatabase(url);
  drawIdsFrom(randomOf(0));
  await countIdsUp(owner);
  const world = await makeWorld(owner, { movedInOn: MOVED_IN_ON, renters: 1, rentals: 2 });
  const session = await openSession(url, { hasNet: false });
  const db = databaseOn(session, inTurn());
  const run = async (
    seed: number,
    steps: number[],
    result: SequenceResult,
    plant: string | undefined,
  ): Promise<Fault | null> => {
    const sequence = await begin(session, db, world, seed);
    try {
      for (const step of steps) {
        const random = randomOf(seed * 1009 + step);
        const kind = random.weighted(weights);
        if (plant !== undefined && step === steps.at(-1)) await breakBooks(session, plant);
        const fault = await takeStep(sequence, kind, random);
        result.steps[kind] = (result.steps[kind] ?? 0) + 1;
        if (fault !== null) return { seed, step, kind, sentence: fault, steps };
      }
      return null;
    } finally {
      await session.rollback();
    }
  };
  let untilVacuum = 0;
  return {
    async work({ seeds, steps, plant }) {
      const result: SequenceResult = { steps: {}, refused: 0, faults: [] };
      for (const seed of seeds) {
        const all = Array.from({ length: steps }, (_, index) => index);
        const fault = await run(seed, all, result, plant);
        if (fault !== null) {
          const runFewer = (fewer: number[]) => run(seed, fewer, { ...result, steps: {} }, undefined);
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

/** Leaves out steps for as long as what is left fails too. */
async function shrink(fault: Fault, run: (steps: number[]) => Promise<Fault | null>): Promise<Fault> {
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

/** One ledger in the sequence, beside what the model thinks of it. */
type Account = Rental & {
  model: NaiveLedger;
  terms: NaiveTerms;
  scheduled: { cents: number; on: string; isNoticed: boolean } | null;
  movedOutOn: string | null;
};

const NOTICE_DAYS = 30;

type Sequence = {
  ctx: Context;
  session: Session;
  clock: MovableClock;
  gateway: ModelGateway;
  renter: Renter;
  world: World;
  accounts: Account[];
  returnFeeCents: number;
  /** The entries that the model knows are at or before this place, and have this digest in each ledger (I3). */
  mark: number;
  known: Map<string, string | null>;
};

async function begin(session: Session, db: Context['db'], world: World, seed: number): Promise<Sequence> {
  const random = randomOf(seed);
  drawIdsFrom(randomOf(seed ^ 0x5bd1e995));
  const clock = clockAt(STARTS_AT);
  const gateway = createModelGateway(clock, () => (random.chance(0.08) ? 'soft' : 'approve'));
  const renter = world.renters[0]!;
  const order = random.pick(['oldest_first', 'rent_first', 'fees_first']);
  const returnFeeCents = random.pick([0, 2500]);
  const kind = random.pick(['anniversary', 'first_of_month', 'twenty_eight_days']);
  const [tax1, tax2] = [random.pick([0, 625, 825]), random.pick([0, 200])];
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
    const model = new NaiveLedger(addDays(MOVED_IN_ON, -1), order);
    return { ...rental, model, terms, isTaxed, scheduled: null, movedOutOn: null };
  });
  await session.begin();
  await session.asOwner(async () => {
    await session.run(RESTART_COUNTERS, []);
    await session.run(
      `UPDATE facilities SET payment_order = $1, return_fee_cents = $2, billing_kind = $3, rent_tax1_basis_points = $4,
        rent_tax2_basis_points = $5, rate_notice_days = $6`,
      [order, returnFeeCents, kind, tax1, tax2, NOTICE_DAYS],
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
  return {
    ctx: contextOn({ db, clock, gateway }),
    session,
    clock,
    gateway,
    renter,
    world,
    accounts,
    returnFeeCents,
    mark: 0,
    known: new Map(),
  };
}

/** What a step should have added to the books, in the order of the entries of each ledger. */
type Expected = {
  account: Account;
  kind: 'charge' | 'payment' | 'credit' | 'reversal';
  cents: number;
  /** Tells the model, with the entry's id. */
  enter: (id: string) => void;
};

/** Does a step and compares books and model. Answers the sentence of what does not hold. */
async function takeStep(sequence: Sequence, kind: Kind, random: Random): Promise<string | null> {
  if (random.chance(0.5)) sequence.clock.at += random.between(1, 60 * 24 * 4) * 60_000;
  try {
    const expected = await steps[kind](sequence, random);
    return await compare(sequence, expected);
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

const steps: Record<Kind, (sequence: Sequence, random: Random) => Promise<Expected[]>> = {
  charge: (sequence, random) => postCharge(sequence, random, { discounted: false }),
  discount: (sequence, random) => postCharge(sequence, random, { discounted: true }),

  async pay(sequence, random) {
    const { ctx, renter, world, gateway, accounts } = sequence;
    const owing = accounts.filter(({ model, movedOutOn }) => model.balance > 0 && movedOutOn === null);
    const paid = random.chance(0.3) ? owing : owing.slice(0, 1);
    if (paid.length === 0) return [];
    const lines = paid.map((account) => ({ account, cents: somePart(random, account.model.balance) }));
    const before = new Set(gateway.charged.keys());
    const method = random.chance(0.5)
      ? { creditCard: { paymentMethodId: renter.cardId } }
      : { ach: { paymentMethodId: renter.accountId } };
    await makePayment(ctx, {
      userId: renter.userId,
      tenantId: renter.tenantId,
      timeZone: world.timeZone,
      idempotencyKey: randomUUID(),
      params: {
        payments: lines.map(({ account, cents }) => ({
          ledgerId: account.ledgerId,
          unitId: account.unitId,
          amount: cents / 100,
        })),
        ...method,
      },
    }).catch((error: unknown) => {
      if ((error as { status?: number }).status !== 402) throw error;
    });
    const charged = [...gateway.charged.values()].find(({ reference }) => !before.has(reference));
    if (charged === undefined || !isCaptured(charged)) return [];
    return lines.map(({ account, cents }) => ({
      account,
      kind: 'payment',
      cents: -cents,
      enter: (id) => account.model.credit(id, cents, charged.reference),
    }));
  },

  async credit(sequence, random) {
    const account = random.pick(sequence.accounts);
    const cents = random.between(1, 40_000);
    await postTo(sequence, account, () => [{ kind: 'credit', id: randomUUID(), cents, description: 'Goodwill' }]);
    return [{ account, kind: 'credit', cents: -cents, enter: (id) => account.model.credit(id, cents) }];
  },

  async refund(sequence, random) {
    const found = somePayment(sequence, random);
    if (found === null) return [];
    const { account, id, left } = found;
    const cents = random.chance(0.4) ? left : random.between(1, left);
    const { outcome } = await refundPayment(sequence.ctx, { paymentEntryId: id, cents, reason: 'Overcharged' });
    if (outcome !== 'succeeded') throw new Error(`the refund ${outcome}`);
    return [{ account, kind: 'reversal', cents, enter: () => account.model.takeBack(id, cents) }];
  },

  async return(sequence, random) {
    const { ctx, gateway, accounts, returnFeeCents } = sequence;
    const debits = [...gateway.charged.values()].filter((one) => one.type === 'ach' && isCaptured(one));
    if (debits.length === 0) return [];
    const { reference } = random.pick(debits);
    gateway.sendBack(reference, 'R01');
    await settleReturn(ctx, reference, 'R01');
    // Told twice, it is taken back once.
    if (random.chance(0.3)) await settleReturn(ctx, reference, 'R01');
    const expected: Expected[] = [];
    let fee = returnFeeCents;
    for (const account of accounts) {
      const { model } = account;
      const part = model.credits.find(({ intentId }) => intentId === reference);
      if (part === undefined) continue;
      const { id } = part;
      const left = model.left(id);
      if (left > 0) expected.push({ account, kind: 'reversal', cents: left, enter: () => model.takeBack(id, left) });
      if (fee > 0) {
        const [cents, dueOn] = [fee, dayOf(sequence)];
        const enter = (feeId: string) => model.charge({ id: feeId, category: 'fee', dueOn, total: cents });
        expected.push({ account, kind: 'charge', cents, enter });
        fee = 0;
      }
    }
    return expected;
  },

  async rate(sequence, random) {
    const { ctx, session, world } = sequence;
    const account = random.pick(sequence.accounts);
    if (account.movedOutOn !== null) return [];
    const today = dayOf(sequence);
    const cents = random.between(2000, 90_000);
    const on = addDays(today, random.between(1, 75));
    await session.run('UPDATE ledgers SET scheduled_rate_cents = $2, scheduled_rate_on = $3 WHERE id = $1', [
      account.ledgerId,
      cents,
      on,
    ]);
    await sendRateNotices(ctx, { facilityId: world.facilityId, date: today });
    // The mail goes out at once, late, or never.
    const sentAfterDays = random.pick([0, 0, 20, null]);
    const sentAt = sentAfterDays === null ? null : new Date(ctx.clock.now().getTime() + sentAfterDays * DAY);
    if (sentAt !== null)
      await session.run(
        `UPDATE mails SET sent_at = $1 WHERE sent_at IS NULL AND id IN (SELECT mail_id FROM rate_notices
          WHERE ledger_id = $2 AND effective_on = $3 AND to_cents = $4)`,
        [sentAt, account.ledgerId, on, cents],
      );
    const latest = addDays(on, -NOTICE_DAYS);
    // Its own day by the facility's calendar: twenty days after an evening before summer time it is past midnight.
    const isNoticed = today <= latest && sentAt !== null && calendarDateIn(world.timeZone, sentAt) <= latest;
    account.scheduled = { cents, on, isNoticed };
    return [];
  },

  async bill(sequence, random) {
    const { ctx, world, accounts } = sequence;
    sequence.clock.at += random.pick([0, 5, 31, 62]) * DAY;
    const date = dayOf(sequence);
    await runBilling(ctx, { facilityId: world.facilityId, date });
    return accounts.flatMap((account) => billed(account, date));
  },

  async moveOut(sequence, random) {
    const account = random.pick(sequence.accounts);
    if (account.movedOutOn !== null) return [];
    account.movedOutOn = dayOf(sequence);
    await sequence.session.asOwner(async () => {
      await sequence.session.run('UPDATE ledgers SET moved_out_on = $1 WHERE id = $2', [
        account.movedOutOn,
        account.ledgerId,
      ]);
    });
    return [];
  },
};

/** The periods that a run must bill, and what the model makes of them. */
function billed(account: Account, date: string): Expected[] {
  const expected: Expected[] = [];
  let billedThrough = account.model.billedThrough;
  for (;;) {
    const dueOn = addDays(billedThrough, 1);
    if (dueOn > date || (account.movedOutOn !== null && dueOn >= account.movedOutOn)) return expected;
    const { scheduled, terms } = account;
    if (scheduled !== null && scheduled.isNoticed && dueOn >= scheduled.on) {
      terms.rateCents = scheduled.cents;
      account.scheduled = null;
    }
    const period = naivePeriod(terms, dueOn);
    billedThrough = period.periodEnd;
    account.model.billedThrough = billedThrough;
    const cents = period.rentCents;
    const enter = (id: string) => account.model.charge({ id, category: 'rent', dueOn, total: cents });
    expected.push({ account, kind: 'charge', cents, enter });
  }
}

function dayOf({ world, clock }: Sequence): string {
  return calendarDateIn(world.timeZone, clock.now());
}

const DAY = 86_400_000;

async function postCharge(
  sequence: Sequence,
  random: Random,
  { discounted }: { discounted: boolean },
): Promise<Expected[]> {
  const account = random.pick(sequence.accounts);
  const priceCents = random.between(1, 30_000);
  const charge = newCharge({
    category: random.pick(['service', 'insurance', 'fee'] as const),
    dueOn: addDays(dayOf(sequence), random.between(-20, 10)),
    priceCents,
    discountCents: discounted ? random.between(1, priceCents) : 0,
    tax1Cents: random.pick([0, 3, 825]),
    tax2Cents: random.pick([0, 1, 200]),
  });
  await postTo(sequence, account, () => [charge]);
  return [chargeExpected(account, charge)];
}

function newCharge(parts: Partial<NewCharge> & Pick<NewCharge, 'category' | 'dueOn' | 'priceCents'>): NewCharge {
  return {
    kind: 'charge',
    id: randomUUID(),
    description: 'Charge',
    periodEnd: null,
    discountCents: 0,
    tax1Cents: 0,
    tax2Cents: 0,
    lateFor: null,
    ...parts,
  };
}

function chargeExpected(account: Account, charge: NewCharge): Expected {
  const cents = entryCents(charge);
  const { category, dueOn } = charge;
  return { account, kind: 'charge', cents, enter: (id) => account.model.charge({ id, category, dueOn, total: cents }) };
}

function somePart(random: Random, cents: number): number {
  return random.chance(0.5) ? cents : random.between(1, cents);
}

function somePayment({ accounts }: Sequence, random: Random) {
  const all = accounts.flatMap((account) =>
    account.model.credits.map(({ id, intentId }) => ({
      account,
      id,
      left: intentId === null ? 0 : account.model.left(id),
    })),
  );
  const some = all.filter(({ left }) => left > 0);
  return some.length === 0 ? null : random.pick(some);
}

async function postTo(
  { ctx, world }: Sequence,
  { ledgerId }: Account,
  changes: () => Change[],
  billedThrough?: string,
): Promise<void> {
  const instant = ctx.clock.now();
  await postUntilWritten(ctx.db, [ledgerId], async (db, [books]) => {
    const { posting } = post(books!, changes(), billedThrough);
    const at = { instant, dayOf: () => calendarDateIn(world.timeZone, instant) };
    return (await writePostings(db, at, [posting])) !== null;
  });
}

type Found = {
  ledgerId: string;
  balance: number;
  paidThrough: string;
  billedThrough: string;
  sum: number;
  /** A digest of the entries that were known before, and one of all. */
  old: string | null;
  all: string | null;
  fresh: { id: string; kind: Expected['kind']; cents: number; position: number }[];
  owed: Record<string, number>;
  unused: Record<string, number>;
  posted: { intents: number; cents: number };
};

/** What the tables say, summed from the rows themselves and not from the server's views. */
const LOOK = `
  SELECT l.id AS "ledgerId", l.balance_cents AS balance, l.paid_through AS "paidThrough",
    l.billed_through AS "billedThrough", mine.sum, mine.old, mine.all, mine.fresh,
    (SELECT coalesce(json_object_agg(o.id, o.cents) FILTER (WHERE o.cents <> 0), '{}') FROM (
      SELECT c.entry_id AS id, c.price_cents - c.discount_cents + c.tax1_cents + c.tax2_cents - coalesce(
        (SELECT sum(a.amount_cents) FROM allocations a WHERE a.charge_entry_id = c.entry_id), 0)::bigint AS cents
      FROM charges c WHERE c.ledger_id = l.id) o) AS owed,
    (SELECT coalesce(json_object_agg(o.id, o.cents) FILTER (WHERE o.cents <> 0), '{}') FROM (
      SELECT e.id, -e.amount_cents
        - coalesce((SELECT sum(a.amount_cents) FROM allocations a WHERE a.credit_entry_id = e.id), 0)::bigint
        - coalesce((SELECT sum(b.amount_cents) FROM reversals r JOIN entries b ON b.id = r.entry_id
            WHERE r.payment_entry_id = e.id), 0)::bigint AS cents
      FROM entries e WHERE e.ledger_id = l.id AND e.amount_cents < 0) o) AS unused,
    (SELECT json_build_object('intents', count(DISTINCT p.intent_id), 'cents', coalesce(-sum(e.amount_cents), 0))
      FROM payments p JOIN entries e ON e.id = p.entry_id WHERE p.ledger_id = ANY($1::uuid[])) AS posted
  FROM ledgers l, LATERAL (
    SELECT coalesce(sum(e.amount_cents), 0)::bigint AS sum,
      md5(string_agg(e.id || e.kind || e.amount_cents || e.posted_on || e.created_at, ',' ORDER BY e.position)
        FILTER (WHERE e.position <= $2)) AS old,
      md5(string_agg(e.id || e.kind || e.amount_cents || e.posted_on || e.created_at, ',' ORDER BY e.position)) AS all,
      coalesce(json_agg(json_build_object('id', e.id, 'kind', e.kind, 'cents', e.amount_cents, 'position', e.position)
        ORDER BY e.position) FILTER (WHERE e.position > $2), '[]') AS fresh
    FROM entries e WHERE e.ledger_id = l.id) mine
  WHERE l.id = ANY($1::uuid[])`;

async function compare(sequence: Sequence, expected: Expected[]): Promise<string | null> {
  const { session, accounts, gateway } = sequence;
  const { rows } = await session.run(LOOK, [accounts.map(({ ledgerId }) => ledgerId), sequence.mark]);
  const found = rows as Found[]; // as LOOK names them
  for (const account of accounts) {
    const { model } = account;
    const books = found.find(({ ledgerId }) => ledgerId === account.ledgerId)!;
    const due = expected.filter((one) => one.account === account);
    const told = (list: { kind: string; cents: number }[]) =>
      list.map(({ kind, cents }) => `${kind} ${cents}`).join(', ');
    if (told(books.fresh) !== told(due)) return `entries: expected ${told(due)}, found ${told(books.fresh)}`;
    books.fresh.forEach(({ id }, index) => due[index]!.enter(id));
    model.settle();
    const isOf = (what: string, wanted: unknown, is: unknown) =>
      isDeepStrictEqual(wanted, is) ? null : `${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(is)}`;
    const unused = model.credits.flatMap((credit) =>
      model.unused(credit) === 0 ? [] : [[credit.id, model.unused(credit)]],
    );
    const fault =
      isOf('I1 balance', model.balance, books.balance) ??
      isOf('I1 sum of the entries', model.balance, books.sum) ??
      isOf('I1 what is owed on each charge', sorted(model.open), sorted(books.owed)) ??
      isOf(
        'I4 what is left of each credit',
        sorted(Object.fromEntries(unused) as Record<string, number>),
        sorted(books.unused),
      ) ??
      isOf('paid through', model.paidThrough, books.paidThrough) ??
      isOf('billed through', model.billedThrough, books.billedThrough) ??
      isOf('I3 the entries before', sequence.known.get(account.ledgerId) ?? null, books.old);
    if (fault !== null) return fault;
    if (books.balance < 0 && Object.keys(books.unused).length === 0) return 'I4 below zero without a credit';
  }
  const captured = [...gateway.charged.values()].filter(
    (one) => isCaptured(one) || one.standing.outcome === 'returned',
  );
  const cents = captured.reduce((sum, one) => sum + one.cents, 0);
  const { posted } = found[0]!;
  if (posted.intents !== captured.length || posted.cents !== cents)
    return `I2: captured ${captured.length} payments of ${cents}, posted ${posted.intents} of ${posted.cents}`;
  sequence.mark = Math.max(sequence.mark, ...found.flatMap(({ fresh }) => fresh.map(({ position }) => position)));
  for (const { ledgerId, all } of found) sequence.known.set(ledgerId, all);
  return null;
}

function sorted(record: Record<string, number>): [string, number][] {
  return Object.entries(record).sort(([a], [b]) => a.localeCompare(b));
}
