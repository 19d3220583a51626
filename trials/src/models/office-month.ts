import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addDays } from '@gatehouse/contract/dates';
import { pathOf } from '@gatehouse/contract/endpoint';
import { listLate } from '@gatehouse/contract/office/late';
import {
  getAging,
  getDepositDay,
  getDeposits,
  getOccupancy,
  getRentRoll,
  getRevenue,
} from '@gatehouse/contract/office/reports';
import { listBooks } from '@gatehouse/contract/office/tenants';
import { buildApp } from '@gatehouse/server/src/app/app.ts';
import { readConfig } from '@gatehouse/server/src/config/config.ts';
import {
  openDatabase,
  openOwnerDatabase,
  type Database,
} from '@gatehouse/server/src/db/database.ts';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import type { OfficeVerbName } from '@gatehouse/contract/office/verbs';
import { applyDispute } from '@gatehouse/server/src/features/money/payments/disputes.ts';
import { lookUpPending } from '@gatehouse/server/src/features/money/payments/resolve.ts';
import { hashToken, newToken } from '@gatehouse/server/src/http/token.ts';
import { runFacilityDay } from '@gatehouse/server/src/jobs/facility-day.ts';
import { openQueue } from '@gatehouse/server/src/jobs/queue.ts';
import {
  makeAutopay,
  makeCorporation,
  makeProtectionPlan,
} from '@gatehouse/server/src/seeds/builders.ts';
import { card } from '@gatehouse/server/test/card.ts';
import { pagesOf } from '@gatehouse/server/test/pdf.ts';
import { WIDE_LIMITS } from '@gatehouse/server/test/wide-limits.ts';
import { randomOf, type Random } from '../harness/random.ts';
import type { Call } from '../harness/client.ts';
import { makeMember, officeHeaders, verbCall, type Member } from '../harness/staff.ts';
import { createFakeGateway, type FakeGateway } from '../harness/simulator/fake-gateway.ts';
import {
  Ledger,
  MonthBooks,
  type Charge,
  type Credit,
  type Terms,
  PREMIUM,
} from './month-books.ts';
import type { Worker } from './worker-pool.ts';
import { clockAt, contextOn, makeFacilityOfWorld, makeRenter, type Renter } from './world.ts';
import { addRows } from '@gatehouse/server/test/rows.ts';

export type MonthTask = { seed: number; days: number };
export type MonthResult = {
  seed: number;
  /** What differs, and all that had happened by then. */
  faults: string[];
  log: string[];
  compared: number;
  done: Record<string, number>;
};

/** Two of three months have the end of a year in them. */
const STARTS = ['2026-12-04', '2026-12-18', '2027-02-01'];
const TENANTS = 3;
const UNITS = Array.from({ length: 9 }, (_, index) => `U${index}`);
const ORIGIN = 'http://localhost';
const KEY = '07'.repeat(32);
const config = readConfig({
  SECRET_KEY: KEY,
  DATA_KEYS: KEY,
  DATA_DIR: '/nonexistent',
  LIMITS: WIDE_LIMITS,
  SHED_LOAD: 'off',
});

/** The machine may be busy. */
const UNHURRIED = {
  connectMs: 120_000,
  statementMs: 120_000,
  lockMs: 120_000,
  idleMs: 120_000,
  answerMs: 120_000,
};

/** A difference between a report and the list of what happened. */
class Differs extends Error {}

/** Months at a facility, each driven over the public surfaces and compared with `MonthBooks`. */
export async function open(url: string): Promise<Worker<MonthTask, MonthResult>> {
  const owner = openOwnerDatabase(url);
  const fail = (error: unknown) => console.error(error);
  const db = openDatabase(url, fail, { limits: UNHURRIED });
  const queue = await openQueue(db, fail);
  const clock = clockAt('2026-11-01T18:00:00Z');
  const gateway = createFakeGateway({ clock, judge: () => 'approve' });
  const ctx = contextOn({ db, clock, gateway, config, enqueue: queue.enqueue });
  const app = await buildApp(ctx);
  const corporationId = await makeCorporation(owner);
  return {
    async work({ seed, days }) {
      const site = { app, owner, ctx, gateway, clock, corporationId, seed };
      const month = new Month(site, await begin(site));
      await month.live(days).catch((error: unknown) => {
        if (!(error instanceof Differs)) throw error;
        month.faults.push(error.message);
      });
      const { faults, compared } = month;
      const { books } = month.at;
      const log = faults.length === 0 ? [] : books.log;
      return { seed, faults, log, compared, done: books.done };
    },
    async close() {
      await app.close();
      await queue.stop();
      await db.destroy();
      await owner.destroy();
    },
  };
}

type Site = {
  app: Awaited<ReturnType<typeof buildApp>>;
  owner: Database;
  ctx: Context;
  gateway: FakeGateway;
  clock: { at: number };
  corporationId: string;
  seed: number;
};

type Begun = {
  random: Random;
  /** The first day. */
  first: string;
  books: MonthBooks;
  facilityId: string;
  planId: string;
  units: { id: string; name: string }[];
  renters: (Renter & { token: string })[];
  manager: Member;
};

const cents = (dollars: number) => Math.round(dollars * 100);

/** A facility with units, a plan, tenants and a manager, and no rental yet. */
async function begin({ owner, clock, corporationId, seed }: Site): Promise<Begun> {
  const random = randomOf(seed);
  const first = random.pick(STARTS);
  clock.at = Date.parse(`${first}T10:00:00Z`);
  const terms: Terms = {
    billing_kind: random.pick(['anniversary', 'first_of_month', 'twenty_eight_days']),
    payment_order: random.pick(['oldest_first', 'rent_first', 'fees_first']),
    rent_tax1_basis_points: random.pick([625, 825]),
    rent_tax2_basis_points: random.pick([0, 200]),
    insurance_tax1_basis_points: random.pick([0, 825]),
    insurance_tax2_basis_points: random.pick([0, 100]),
    late_fee_cents: 2000,
    late_fee_after_days: random.pick([3, 5]),
    return_fee_cents: random.pick([0, 2500]),
    deposit_cents: random.pick([0, 5000]),
    move_out_proration: random.chance(0.6),
  };
  const place = { location_code: `M${seed}`, ...terms };
  const facilityId = await makeFacilityOfWorld(owner, corporationId, place);
  const plan = { facility_id: facilityId, premium_cents: PREMIUM };
  const planId = await makeProtectionPlan(owner, plan);
  const manager = await makeMember(owner, 'manager', [facilityId]);
  const size = { width_feet: 12, length_feet: 40, type_name: 'RV' };
  const units = await owner
    .insertInto('units')
    .values(UNITS.map((name) => ({ name, facility_id: facilityId, ...size })))
    .returning(['id', 'name'])
    .execute();
  const renters: Begun['renters'] = [];
  for (let tenant = 0; tenant < TENANTS; tenant++) {
    const at = { corporationId, facilityId, movedInOn: first, rentals: 0 };
    const renter = await makeRenter(owner, { ...at, place: seed * TENANTS + tenant });
    const token = newToken();
    const row = { token_hash: hashToken(token), user_id: renter.userId, facility_id: facilityId };
    const now = new Date(clock.at);
    const session = { ...row, created_at: now, last_seen_at: now };
    await addRows(owner, 'sessions', session);
    renters.push({ ...renter, token });
  }
  return {
    random,
    first,
    books: new MonthBooks(terms),
    facilityId,
    planId,
    units,
    renters,
    manager,
  };
}

class Month {
  readonly faults: string[] = [];
  compared = 0;
  readonly site: Site;
  readonly at: Begun;

  constructor(site: Site, at: Begun) {
    this.site = site;
    this.at = at;
  }

  async live(days: number): Promise<void> {
    const { books, random } = this.at;
    for (let day = 0; day < days; day++) {
      books.today = addDays(this.at.first, day);
      this.#setTime('11:00');
      await this.#bankAnswers();
      await this.#morning();
      this.#setTime('18:00');
      await this.#signIn();
      const acts = day === 0 ? 4 : random.between(0, 5);
      for (let act = 0; act < acts; act++) await this.#step(day === 0 ? 'move in' : undefined);
      if (random.chance(0.7)) await this.#closeDrawer();
      if (random.chance(0.2)) await this.#step();
      await this.#compareToday();
      if (this.faults.length > 0) return;
    }
    await this.#compareAll();
  }

  #setTime(time: string): void {
    this.site.clock.at = Date.parse(`${this.at.books.today}T${time}:00Z`);
  }

  /** All sessions are those of today. */
  async #signIn(): Promise<void> {
    const at = new Date(this.site.clock.at);
    for (const table of ['sessions', 'staff_sessions'] as const)
      await this.site.owner.updateTable(table).set({ created_at: at, last_seen_at: at }).execute();
  }

  /** What became of bank debits of days before. */
  async #bankAnswers(): Promise<void> {
    const { site } = this;
    const { books, random } = this.at;
    const old = books.captures.filter((one) => one.isPending && one.on < addDays(books.today, -1));
    for (const capture of old) {
      const reference = capture.reference!;
      if (random.chance(0.3)) {
        site.gateway.sendBack(reference, 'R01');
        books.did('bank return', `bank return of receipt ${capture.receipt}`);
        books.takeWhole(capture, 'return');
      } else {
        site.gateway.settle(reference);
        capture.isPending = false;
      }
      await lookUpPending(site.ctx, reference);
    }
  }

  async #morning(): Promise<void> {
    const { site } = this;
    const { books } = this.at;
    await runFacilityDay(site.ctx, { facilityId: this.at.facilityId, date: books.today });
    for (const { ledger, cents: sum } of books.morning()) {
      books.did('autopay', `autopay ${sum} on ${ledger.terms.unitName}`);
      await this.#signIn();
      const path = `/ledgers/${ledger.terms.id}/payments`;
      const [newest] = await this.#tenant<{ receiptNumber: string }[]>(
        ledger.terms.tenant,
        'GET',
        path,
      );
      const of = { type: 'creditCard', via: 'gateway', reference: null } as const;
      books.pay([[ledger, sum]], { ...of, receipt: newest?.receiptNumber ?? 'none' });
    }
  }

  /** One thing that a person does, drawn until one is possible. */
  async #step(only?: keyof typeof weights): Promise<void> {
    for (let draws = 0; draws < 20; draws++) {
      const name = only ?? this.at.random.weighted(weights);
      this.site.clock.at += 60_000;
      if (await this.#steps[name]()) return;
    }
  }

  readonly #steps: Record<keyof typeof weights, () => Promise<boolean>> = {
    'move in': async () => {
      const { books, random } = this.at;
      const on = addDays(books.today, -random.pick([0, 0, 0, 4, 12]));
      const free = this.#freeUnits(on);
      if (free.length < 3) return false;
      const [tenant, unit] = [random.between(0, TENANTS - 1), random.pick(free)];
      const { tenantId, cardId } = this.at.renters[tenant]!;
      const rate = random.between(4000, 30_000);
      const [isTaxed, isInsured] = [random.chance(0.6), random.chance(0.4)];
      const plan = isInsured ? { protectionPlanId: this.at.planId } : {};
      const taxes = isTaxed ? 'charged' : 'none';
      const body = { tenantId, unit: unit.name, on, rate: rate / 100, taxes, ...plan };
      const reply = await this.#act('rentals.moveIn', body);
      const { ledgerId } = (reply['ledgers'] as { ledgerId: string }[])[0]!;
      const of = { id: ledgerId, tenant, unitName: unit.name, unitId: unit.id, movedInOn: on };
      const ledger = new Ledger({ ...of, rate, isTaxed, isInsured });
      books.did('move in', `tenant ${tenant} in ${unit.name} from ${on} on at ${rate}`);
      books.moveIn(ledger);
      if (random.chance(0.25)) {
        await makeAutopay(this.site.owner, ledgerId, cardId, new Date(this.site.clock.at));
        ledger.autopaid = new Set();
      }
      return true;
    },
    'pay in the portal': async () => {
      const { site } = this;
      const { books, random } = this.at;
      const tenant = random.between(0, TENANTS - 1);
      const owing = books.ledgers.filter(
        (one) => one.terms.tenant === tenant && one.isCurrent(books.today) && one.balance() > 0,
      );
      if (owing.length === 0) return false;
      const named = (random.chance(0.3) ? owing : [random.pick(owing)]).toSorted((a, b) =>
        a.terms.unitName < b.terms.unitName ? -1 : 1,
      );
      const parts = named.map((ledger): [Ledger, number] => [
        ledger,
        this.#partOf(ledger.balance(), 100),
      ]);
      const type = random.pick(['creditCard', 'ach'] as const);
      const ach = {
        accountType: 'Consumer Checking',
        accountNumber: `0001${random.between(10_000_000, 99_999_999)}`,
        routingNumber: '110000000',
      };
      const body = {
        payments: parts.map(([ledger, sum]) => ({
          ledgerId: ledger.terms.id,
          unitId: ledger.terms.unitId,
          amount: sum / 100,
        })),
        ...(type === 'ach' ? { ach } : { creditCard: card }),
      };
      const { receiptNumber } = await this.#tenant<{ receiptNumber: string }>(
        tenant,
        'POST',
        `/tenants/${this.at.renters[tenant]!.tenantId}/payments`,
        body,
      );
      books.did(`pay by ${type}`, `${type} ${said(parts)}, receipt ${receiptNumber}`);
      const reference = [...site.gateway.charged.keys()].at(-1)!;
      books.pay(parts, { receipt: receiptNumber, reference, type, via: 'gateway' });
      return true;
    },
    'payments record': async () => {
      const { books, random } = this.at;
      const ledger = random.pick(books.ledgers);
      const others = books.ledgers.filter(
        (one) => one.terms.tenant === ledger.terms.tenant && one !== ledger && one.balance() > 0,
      );
      const named = random.chance(0.3) ? [ledger, ...others] : [ledger];
      const owed = named.map((one) => Math.max(0, one.balance()));
      const all = owed.reduce((total, one) => total + one, 0);
      const isPrepaid = random.chance(0.25);
      if (all === 0 && !isPrepaid) return false;
      const sum =
        (all === 0 ? 0 : this.#partOf(all, 1)) + (isPrepaid ? random.between(1, 20_000) : 0);
      const type = random.pick(['cash', 'cash', 'check', 'check', 'moneyOrder'] as const);
      const number = type === 'cash' ? {} : { number: String(random.between(1, 9999)) };
      const ledgerIds = named.map(({ terms }) => terms.id);
      const body = { ledgerIds, type, ...number, amount: sum / 100, isPrepaid };
      const { receiptNumber } = await this.#act('payments.record', body);
      let rest = sum;
      const spread = named.map((one, index): [Ledger, number] => {
        const part = Math.min(rest, owed[index]!);
        rest -= part;
        return [one, part];
      });
      spread[0]![1] += rest;
      const parts = spread.filter(([, part]) => part > 0);
      books.did(`pay by ${type}`, `${type} ${said(parts)}, receipt ${String(receiptNumber)}`);
      books.pay(parts, { receipt: String(receiptNumber), reference: null, type, via: 'counter' });
      return true;
    },
    'payments refund': async () => {
      const { site } = this;
      const { books, random } = this.at;
      const capture = this.#some(
        books.captures.filter((one) => !one.isPending && books.refundable(one) > 0),
      );
      if (capture === null) return false;
      const isAt = capture.via === 'gateway';
      const charged = site.gateway.charged.get(capture.reference ?? '');
      const left = charged === undefined ? Infinity : charged.cents - charged.refundedCents;
      const whole = books.refundable(capture);
      const isMixed =
        capture.dispute !== null && new Set(capture.entries.map(({ ledger }) => ledger)).size > 1;
      const sum = isMixed ? whole : this.#partOf(whole, 1);
      const way =
        isAt && sum <= left && random.chance(0.7)
          ? 'gateway'
          : random.pick(['cash', 'check'] as const);
      const by = { cash: { way }, check: { way, number: '77' }, gateway: {} }[way];
      const body = { receiptNumber: capture.receipt, amount: sum / 100, ...by };
      await this.#act('payments.refund', body);
      books.did(`refund by ${way}`, `refund ${sum} by ${way} of receipt ${capture.receipt}`);
      books.refund(capture, sum, way);
      return true;
    },
    'payments reverse': async () => {
      const { books, random } = this.at;
      const capture = this.#some(
        books.captures.filter((one) => one.via === 'counter' && one.whole > 0),
      );
      if (capture === null) return false;
      const reason = capture.type === 'cash' || random.chance(0.3) ? 'mistake' : 'nsf';
      await this.#act('payments.reverse', { receiptNumber: capture.receipt, reason });
      books.did(reason, `${reason}: receipt ${capture.receipt} is taken back`);
      books.takeWhole(capture, reason);
      return true;
    },
    'dispute opened': async () => {
      const { site } = this;
      const { books } = this.at;
      const capture = this.#some(
        books.captures.filter(
          (one) => one.type === 'creditCard' && one.reference !== null && one.dispute === null,
        ),
      );
      if (capture === null) return false;
      const sum = this.#partOf(site.gateway.charged.get(capture.reference!)!.cents, 1);
      const id = await site.gateway.dashboard.dispute(capture.reference!, sum);
      books.did('dispute opened', `dispute of ${sum} of receipt ${capture.receipt}`);
      await applyDispute(site.ctx, { ...site.gateway.disputes.get(id)! });
      books.dispute(capture, sum);
      return true;
    },
    'dispute decided': async () => {
      const { site } = this;
      const { books, random } = this.at;
      const capture = this.#some(
        books.captures.filter((one) => one.dispute?.standing === 'opened'),
      );
      if (capture === null) return false;
      const { id } = [...site.gateway.disputes.values()].find(
        (one) => one.chargeReference === capture.reference,
      )!;
      const standing = random.pick(['won', 'won', 'lost'] as const);
      await site.gateway.dashboard.decide(id, standing);
      books.did(`dispute ${standing}`, `dispute of receipt ${capture.receipt} ${standing}`);
      await applyDispute(site.ctx, { ...site.gateway.disputes.get(id)! });
      if (standing === 'won') books.win(capture);
      else capture.dispute!.standing = 'lost';
      return true;
    },
    'charges add': async () => {
      const { books, random } = this.at;
      const ledger = random.pick(books.ledgers);
      const category = random.pick(['service', 'insurance', 'fee']);
      const isTaxed = (category === 'insurance' || ledger.terms.isTaxed) && random.chance(0.5);
      const sum = random.between(1, 9000);
      const { id: ledgerId, unitName } = ledger.terms;
      const body = { ledgerId, category, description: 'By hand', amount: sum / 100, isTaxed };
      await this.#act('charges.add', body);
      const tax = isTaxed ? ', taxed' : '';
      books.did('charge by hand', `${category} of ${sum} on ${unitName}${tax}`);
      books.addCharge(ledger, category, sum, isTaxed);
      return true;
    },
    'charges waive': async () => {
      const { books } = this.at;
      const all = books.ledgers.flatMap((ledger) =>
        ledger.charges.map((charge) => ({ ledger, charge })),
      );
      const some = this.#some(all.filter(({ ledger, charge }) => ledger.waivable(charge) > 0));
      if (some === null) return false;
      const { ledger, charge } = some;
      const chargeId = await this.#chargeId(ledger, charge);
      const sum = this.#partOf(ledger.waivable(charge), 1);
      const reply = await this.#act('charges.waive', { chargeId, amount: sum / 100 });
      books.did(
        'waiver',
        `${sum} waived of the ${charge.category} due ${charge.dueOn} on ${ledger.terms.unitName}`,
      );
      const { waiver, fee } = books.waive(ledger, charge, sum);
      waiver.id = String(reply['creditId']);
      const { amount = 0 } = (reply['lateFee'] as { amount: number } | null) ?? {};
      this.#same('the late fee that is waived with it', fee, cents(amount));
      return true;
    },
    'credits add': async () => {
      const { books, random } = this.at;
      const ledger = random.pick(books.ledgers);
      const sum = random.between(1, 15_000);
      const body = { ledgerId: ledger.terms.id, amount: sum / 100, description: 'Goodwill' };
      const { creditId } = await this.#act('credits.add', body);
      books.did('goodwill', `credit of ${sum} on ${ledger.terms.unitName}`);
      books.goodwill(ledger, sum).id = String(creditId);
      return true;
    },
    'credits reverse': async () => {
      const { books } = this.at;
      const all = books.ledgers.flatMap(({ credits }) =>
        credits.filter(({ id, left }) => id !== null && left > 0),
      );
      const credit: Credit | null = this.#some(all);
      if (credit === null) return false;
      await this.#act('credits.reverse', { creditId: credit.id });
      books.did(
        'credit taken back',
        `${credit.kind} of ${credit.left} on ${credit.ledger.terms.unitName} is taken back`,
      );
      books.reverseCredit(credit);
      return true;
    },
    'credits move': async () => {
      const { books } = this.at;
      const open = books.ledgers.filter(
        (ledger) =>
          books.openCredits(ledger).length > 0 &&
          !books.openCredits(ledger).some((one) => books.isPending(one)),
      );
      const from = this.#some(open);
      const to = this.#some(
        books.ledgers.filter((one) => one.terms.tenant === from?.terms.tenant && one !== from),
      );
      if (from === null || to === null) return false;
      const sum = this.#partOf(
        books.openCredits(from).reduce((all, one) => all + from.unused(one), 0),
        1,
      );
      const ids = { fromLedgerId: from.terms.id, toLedgerId: to.terms.id };
      await this.#act('credits.move', { ...ids, amount: sum / 100 });
      books.did('credit moved', `${sum} moved from ${from.terms.unitName} to ${to.terms.unitName}`);
      books.moveCredit(from, to, sum);
      return true;
    },
    transfer: async () => {
      const { books, random } = this.at;
      const ledger = this.#some(books.ledgers.filter((one) => one.isCurrent(books.today)));
      const unit = this.#some(this.#freeUnits(books.today));
      if (ledger === null || unit === null) return false;
      const { id: ledgerId, unitName: before, rate: old } = ledger.terms;
      // A rise needs its notice.
      const rate = random.chance(0.5) ? random.between(3000, old) : old;
      const other = rate === old ? {} : { rate: rate / 100 };
      await this.#act('rentals.transfer', { ledgerId, unit: unit.name, on: books.today, ...other });
      books.did('transfer', `from ${before} to ${unit.name} at ${rate}`);
      books.transfer(ledger, { unitName: unit.name, unitId: unit.id, rate });
      return true;
    },
    'move out': async () => {
      const { books, random } = this.at;
      const current = books.ledgers.filter(
        (one) => one.isCurrent(books.today) && one.terms.movedInOn < books.today,
      );
      const ledger = current.length < 3 ? null : random.pick(current);
      if (ledger === null || ledger.credits.some((one) => books.isPending(one))) return false;
      const credit = random.pick(['refund', 'keep'] as const);
      await this.#act('rentals.moveOut', { ledgerId: ledger.terms.id, on: books.today, credit });
      books.did('move out', `${ledger.terms.unitName} is moved out of, ${credit}`);
      books.moveOut(ledger, credit === 'refund');
      return true;
    },
  };

  /** The units that nobody has on a day or later. */
  #freeUnits(day: string) {
    const { books, units } = this.at;
    return units.filter(({ name }) => !books.ledgers.some((one) => one.hasUnit(name, day)));
  }

  /** As the office's books of the rental have it: by its place among its charges. */
  async #chargeId({ terms, charges }: Ledger, charge: Charge): Promise<string> {
    const { tenantId } = this.at.renters[terms.tenant]!;
    const query = { ledgerId: terms.id, limit: '200' };
    const { rows } = await this.#report({ path: pathOf(listBooks.path, { tenantId }) }, query);
    const all = (rows as { id: string; kind: string }[]).filter(({ kind }) => kind === 'charge');
    return all.toReversed()[charges.indexOf(charge)]!.id;
  }

  /** Days close in order; what comes after a close is the next day's. */
  async #closeDrawer(): Promise<void> {
    const { books, random } = this.at;
    const isOpen = (day: string) =>
      day > books.closedThrough && Object.keys(books.inDrawer(day)).length > 0;
    const on = this.#days().find((day) => isOpen(day));
    if (on === undefined || on > books.today) return;
    const drawer = books.inDrawer(on);
    const counted: Record<string, number> = {};
    let over = 0;
    for (const type of ['cash', 'check', 'moneyOrder']) {
      const { taken = 0, back = 0, mistaken = 0 } = drawer[type] ?? {};
      const expected = taken - back - mistaken;
      counted[type] = Math.max(0, expected + random.pick([0, 0, -1, 5])) / 100;
      over += cents(counted[type]) - expected;
    }
    const body = { on, ...counted, locationCode: `M${this.site.seed}` };
    const { difference } = await this.#act('drawers.close', body);
    books.closedThrough = on;
    books.did('drawer closed', `of ${on}, with ${JSON.stringify(counted)}`);
    this.#same('what the drawer is over', over, cents(Number(difference)));
  }

  /** All days until today. */
  #days(): string[] {
    const days = [this.at.first];
    while (days.at(-1)! < this.at.books.today) days.push(addDays(days.at(-1)!, 1));
    return days;
  }

  /** The reports that read what is owed now. */
  async #compareToday(): Promise<void> {
    const { books } = this.at;
    const day = books.today;
    this.#same(
      `aging on ${day}`,
      books.aging(day),
      byBucket(await this.#report(getAging, { asOf: day })),
    );
    const late = (await this.#report(listLate, { limit: '50' }))['rows'] as {
      id: string;
      balance: number;
      owedSince: string;
    }[];
    const expected = books.ledgers.flatMap((one): [string, unknown][] => {
      const since = one.lateSince();
      return since === null || since >= day ? [] : [[one.terms.id, [one.balance(), since]]];
    });
    this.#same(
      `who is late on ${day}`,
      Object.fromEntries(expected),
      Object.fromEntries(late.map((row) => [row.id, [cents(row.balance), row.owedSince]])),
    );
  }

  /** All reports of all days, as they are in the end. */
  async #compareAll(): Promise<void> {
    const { books } = this.at;
    const last = books.today;
    for (const day of this.#days()) {
      if (day < last)
        this.#same(
          `aging as of ${day}`,
          books.aging(day),
          byBucket(await this.#report(getAging, { asOf: day })),
        );
      type Rented = { id: string; unitName: string; rate: number; balance: number };
      const rented = await this.#report(getRentRoll, { asOf: day, limit: '50' });
      const roll = rented['rows'] as Rented[];
      const ofModel = books.rentRoll(day);
      this.#same(
        `the rent roll of ${day}`,
        ofModel,
        Object.fromEntries(
          roll.map((row) => [
            row.id,
            { unitName: row.unitName, rate: cents(row.rate), cents: cents(row.balance) },
          ]),
        ),
      );
      const { units, occupied, rent } = await this.#report(getOccupancy, { asOf: day });
      this.#same(
        `the occupancy on ${day}`,
        {
          units: UNITS.length,
          occupied: Object.keys(ofModel).length,
          rent: Object.values(ofModel).reduce((all, { rate }) => all + rate, 0),
        },
        { units, occupied, rent: cents(Number(rent)) },
      );
      this.#same(
        `the deposits of ${day}`,
        books.deposits(day),
        byWay(await this.#report(getDeposits, { on: day })),
      );
      const { drawers, gateway } = (await this.#report(getDepositDay, { on: day })) as {
        drawers: { lines: Record<string, number>[] }[];
        gateway: Record<string, number>;
      };
      const lines = (drawers[0]?.lines ?? []).filter(
        (line) => line['count'] || line['taken'] || line['back'] || line['mistaken'],
      );
      this.#same(
        `the drawer of ${day}`,
        books.inDrawer(day),
        Object.fromEntries(
          lines.map((line) => [
            String(line['type']),
            {
              count: line['count'],
              taken: cents(line['taken']!),
              back: cents(line['back']!),
              mistaken: cents(line['mistaken']!),
            },
          ]),
        ),
      );
      this.#same(`the gateway's money of ${day}`, books.atGateway(day), {
        taken: cents(gateway['taken']!),
        takenBack: cents(gateway['takenBack']!),
      });
    }
    const { rows } = await this.#report(getRevenue, { from: this.at.first, to: last });
    this.#same(
      'revenue',
      withoutZeros(books.revenue()),
      withoutZeros(byMonth(rows as Record<string, string | number>[])),
    );
    for (const [tenant, { tenantId }] of this.at.renters.entries()) {
      const years = await this.#tenant<{ year: string }[]>(
        tenant,
        'GET',
        `/tenants/${tenantId}/year-statements`,
      );
      for (const year of ['2026', '2027']) {
        const path = `/tenants/${tenantId}/year-statements/${year}`;
        const isOffered = years.some((one) => one.year === year);
        const found = isOffered ? yearIn(year, await this.#tenant(tenant, 'GET', path)) : {};
        const [wanted, is] = [books.year(tenant, year), withoutZeros({ year: found })];
        if (isOffered || wanted['paid'] !== 0 || wanted['back'] !== 0)
          this.#same(`payments in ${year} of tenant ${tenant}`, withoutZeros({ year: wanted }), is);
      }
    }
  }

  async #act(verb: OfficeVerbName, body: object): Promise<Report> {
    return this.#call(verbCall(this.at.manager, ORIGIN, verb, { why: 'The month', ...body }));
  }

  async #report({ path }: { path: string }, query: Record<string, string>): Promise<Report> {
    const search = new URLSearchParams(query).toString();
    const headers = officeHeaders(this.at.manager, ORIGIN);
    return this.#call({ method: 'GET', path: `/api${path}?${search}`, headers });
  }

  async #tenant<Reply = Report>(
    tenant: number,
    method: string,
    path: string,
    body?: object,
  ): Promise<Reply> {
    const headers = {
      authorization: `Bearer ${this.at.renters[tenant]!.token}`,
      'idempotency-key': randomUUID(),
    };
    const url = `/api/corporations/ANCHOR/locations/M${this.site.seed}${path}`;
    return this.#call({ method, path: url, headers, body });
  }

  async #call<Reply = Report>({ method, path, headers, body }: Call): Promise<Reply> {
    const response = await this.site.app.inject({
      method: method as 'GET',
      url: path,
      headers: { host: 'localhost', ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    if (response.statusCode !== 200)
      throw new Differs(`${path} ${JSON.stringify(body)} is refused: ${response.body}`);
    return response.json();
  }

  #partOf(all: number, least: number): number {
    return all <= least || this.at.random.chance(0.5) ? all : this.at.random.between(least, all);
  }

  #some<One>(all: One[]): One | null {
    return all.length === 0 ? null : this.at.random.pick(all);
  }

  #same(what: string, wanted: unknown, found: unknown): void {
    this.compared += 1;
    if (!isDeepStrictEqual(wanted, found))
      this.faults.push(
        `${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`,
      );
  }
}

const weights = {
  'move in': 4,
  'pay in the portal': 14,
  'payments record': 14,
  'payments refund': 8,
  'payments reverse': 4,
  'dispute opened': 4,
  'dispute decided': 4,
  'charges add': 6,
  'charges waive': 6,
  'credits add': 2,
  'credits reverse': 2,
  'credits move': 5,
  transfer: 3,
  'move out': 2,
};

function said(parts: [Ledger, number][]): string {
  return parts.map(([{ terms }, sum]) => `${sum} on ${terms.unitName}`).join(', ');
}

type Report = Record<string, unknown>;

function byBucket({ rows }: Report) {
  const all = rows as { bucket: string; rentals: number; owed: number }[];
  return Object.fromEntries(
    all.map(({ bucket, rentals, owed }) => [bucket, { rentals, cents: cents(owed) }]),
  );
}

function byWay({ facilities }: Report) {
  type Sum = { type: string; via?: string; reason?: string; count: number; amount: number };
  const [place] = facilities as { takings: Sum[]; takenBack: Sum[] }[];
  const all = [...(place?.takings ?? []), ...(place?.takenBack ?? [])];
  return Object.fromEntries(
    all.map(({ type, via, reason, count, amount }) => [
      via === undefined ? `${type} back: ${reason}` : `${type} by ${via}`,
      { count, cents: cents(amount) },
    ]),
  );
}

function byMonth(rows: Record<string, string | number>[]) {
  const sums = ['charged', 'net', 'waived', 'tax1', 'tax2', 'credited', 'taken', 'back'];
  return Object.fromEntries(
    rows.map((row) => [
      `${row['month']} ${row['kind']}`,
      Object.fromEntries(sums.map((name) => [name, cents(Number(row[name]))])),
    ]),
  );
}

/** Each row by name, and each sum in it that is not 0. */
function withoutZeros(rows: Record<string, Record<string, number>>) {
  const kept = Object.entries(rows).map(([name, row]) => {
    const sums = Object.entries(row).filter(([, sum]) => sum !== 0);
    return [name, Object.fromEntries(sums)] as const;
  });
  return Object.fromEntries(kept.filter(([, row]) => Object.keys(row).length > 0));
}

const names: Record<string, string> = {
  Rent: 'rent',
  'Protection plans': 'insurance',
  Services: 'service',
  Fees: 'fee',
  Deposits: 'deposit',
  'Owed again': 'again',
};

/** The sums of the PDF, in cents. */
function yearIn(year: string, { data }: { data?: string }): Record<string, number> {
  const runs = pagesOf(Buffer.from(data ?? '', 'base64')).flatMap((page) => page.split('\n'));
  const after = (label: string) => {
    const text = runs[runs.indexOf(label) + 1] ?? '';
    return runs.includes(label) ? cents(Number(text.replace(/[$,]/g, ''))) : 0;
  };
  const known = { Paid: 'paid', 'Returned or refunded': 'back', ...names };
  return Object.fromEntries([
    ...Object.entries(known).map(([label, name]) => [name, after(label)]),
    ['unused', after(`Not used for a charge in ${year}`)],
    ['unusedBefore', after(`Less what was not used before ${year}`)],
  ]) as Record<string, number>;
}
