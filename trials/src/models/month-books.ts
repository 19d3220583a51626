import { addDays, daysBetween } from '@gatehouse/contract/dates';

/** What a facility has set, in cents and basis points, by the names of its columns. */
export type Terms = {
  billing_kind: 'anniversary' | 'first_of_month' | 'twenty_eight_days';
  payment_order: 'oldest_first' | 'rent_first' | 'fees_first';
  rent_tax1_basis_points: number;
  rent_tax2_basis_points: number;
  insurance_tax1_basis_points: number;
  insurance_tax2_basis_points: number;
  late_fee_cents: number;
  late_fee_after_days: number;
  return_fee_cents: number;
  deposit_cents: number;
  move_out_proration: boolean;
};

/** Of the one protection plan, in cents. */
export const PREMIUM = 1499;

export type Charge = {
  on: string;
  order: number;
  category: string;
  dueOn: string;
  periodEnd: string | null;
  total: number;
  taxes: [number, number];
  /** The rent of a late fee. */
  lateFor: Charge | null;
  /** Of what went back of a payment that had less left; `owedOn` where a day was given for it. */
  again: { owedOn: string | null } | null;
  lateFrom: string;
  reopened: { cents: number; on: string }[];
};

export type Credit = {
  order: number;
  ledger: Ledger;
  kind: 'payment' | 'won' | 'moved' | 'goodwill' | 'waiver';
  given: number;
  /** Less what was taken back. */
  left: number;
  /** Whether a payment brought it. */
  isMoney: boolean;
  of: Charge | null;
  taxes: [number, number];
  id: string | null;
  /** Of a waiver: that of the late fee which went with it. */
  ofFee: Credit | null;
};

/** What one act took, and what won disputes gave back of it. */
export type Capture = {
  receipt: string;
  reference: string | null;
  type: string;
  via: 'gateway' | 'counter';
  on: string;
  entries: Credit[];
  /** What a refund, or a move to another rental, took out of its entries. */
  gone: { credit: Credit; cents: number }[];
  /** What a bank would take back, and what was given back. */
  whole: number;
  refunded: number;
  /** What went back of it by the gateway or the bank, less what came again. */
  atGateway: number;
  isPending: boolean;
  dispute: { pieces: Piece[]; order: number; standing: 'opened' | 'won' | 'lost' } | null;
};

type Piece = { ledger: Ledger; cents: number; freed: Map<Charge, number> };
type Move = { on: string; credit: Credit; charge: Charge; cents: number };

const ranks = {
  oldest_first: ['rent', 'service', 'insurance', 'fee', 'deposit'],
  rent_first: ['rent', 'service', 'insurance', 'fee', 'deposit'],
  fees_first: ['fee', 'rent', 'service', 'insurance', 'deposit'],
};

const sum = <One>(all: Iterable<One>, of: (one: One) => number) =>
  [...all].reduce((total, one) => total + of(one), 0);

/** The nearest whole number to a share, a half upwards. */
const share = (cents: number, part: number, whole: number) =>
  Math.floor((2 * cents * part + whole) / (2 * whole));

/** What is agreed of a rental; `tenant` by its place. A transfer changes the unit and the rate. */
export type RentalTerms = {
  id: string;
  tenant: number;
  unitName: string;
  unitId: string;
  movedInOn: string;
  rate: number;
  isTaxed: boolean;
  isInsured: boolean;
};

/** A rental: what was charged and credited, and each move of a credit into or out of a charge. */
export class Ledger {
  readonly charges: Charge[] = [];
  readonly credits: Credit[] = [];
  readonly moves: Move[] = [];
  readonly entries: { on: string; cents: number }[] = [];
  readonly stays: { from: string; unitName: string }[];
  readonly bills: { dueOn: string; rate: number }[] = [];
  movedOutOn: string | null = null;
  billedThrough: string;
  /** The due dates that autopay has dealt with; null where it is off. */
  autopaid: Set<string> | null = null;
  readonly terms: RentalTerms;

  constructor(terms: RentalTerms) {
    this.terms = terms;
    this.stays = [{ from: terms.movedInOn, unitName: terms.unitName }];
    this.billedThrough = addDays(terms.movedInOn, -1);
  }

  /** Whether it has a unit on a day or later. */
  hasUnit(name: string, day: string): boolean {
    return this.stays.some(
      ({ unitName }, at) =>
        unitName === name && (this.stays[at + 1]?.from ?? this.movedOutOn ?? '9999') > day,
    );
  }

  balance(day = '9999'): number {
    return sum(
      this.entries.filter(({ on }) => on <= day),
      ({ cents }) => cents,
    );
  }

  owed(charge: Charge, day = '9999'): number {
    const moves = this.moves.filter((move) => move.charge === charge && move.on <= day);
    return charge.total - sum(moves, ({ cents }) => cents);
  }

  unused(credit: Credit): number {
    return credit.left - sum(this.#of(credit), ({ cents }) => cents);
  }

  /** What of a charge may still be waived. */
  waivable(charge: Charge): number {
    return charge.total - sum(this.#waiversOf(charge), ({ given }) => given);
  }

  isCurrent(day: string): boolean {
    return this.terms.movedInOn <= day && (this.movedOutOn === null || day < this.movedOutOn);
  }

  /** The due date of the oldest charge that is open at the end of a day; null for none. */
  owedSince(day: string): string | null {
    const open = this.charges.filter(
      (one) => one.on <= day && one.dueOn <= day && this.owed(one, day) > 0,
    );
    return open.map(({ dueOn }) => dueOn).toSorted()[0] ?? null;
  }

  /** The same today, but for what is open by our own acts only: that is due on the day given. */
  lateSince(): string | null {
    const open = this.charges.filter((one) => this.owed(one) > 0);
    const days = open.map((charge) => {
      const { dueOn, again, reopened } = charge;
      const isOurs = sum(reopened, ({ cents }) => cents) >= this.owed(charge);
      const given = [again?.owedOn ?? '', ...(isOurs ? reopened.map(({ on }) => on) : [])];
      return [dueOn, ...given].toSorted().at(-1)!;
    });
    return days.toSorted()[0] ?? null;
  }

  /** What of the balance a day given to the tenant keeps from being enforced. */
  notEnforced(day: string): number {
    return sum(this.charges, (charge) => {
      if (charge.again?.owedOn != null && charge.again.owedOn > day) return this.owed(charge);
      const later = charge.reopened.filter(({ on }) => on > day);
      return Math.min(
        this.owed(charge),
        sum(later, ({ cents }) => cents),
      );
    });
  }

  /** Every open credit into what is open, the oldest credit first. */
  settle(on: string, order: Terms['payment_order']): void {
    for (const credit of this.credits.toSorted((a, b) => a.order - b.order))
      for (const { charge, cents } of this.#open(order)) {
        const part = Math.min(this.unused(credit), cents);
        if (part > 0) this.moves.push({ on, credit, charge, cents: part });
      }
  }

  /** What settles nothing first, then what it settled last. Answers what is owed again. */
  takeBack(credit: Credit, cents: number, on: string, owedOn: string | null): Map<Charge, number> {
    let rest = cents - Math.min(cents, this.unused(credit));
    const freed = new Map<Charge, number>();
    for (const charge of [...new Set(this.#of(credit).map((move) => move.charge))].toReversed()) {
      const part = this.#release(credit, charge, rest, on, owedOn);
      rest -= part;
      if (part > 0) freed.set(charge, part);
    }
    credit.left -= cents;
    return freed;
  }

  /** What of the taxes a waiver of so much gives back: all of it in the end, never a cent more. */
  taxesOf(charge: Charge, cents: number): [number, number] {
    const before = this.#waiversOf(charge);
    const waived = charge.total - this.waivable(charge) + cents;
    const of = (which: 0 | 1) => {
      const given = sum(before, ({ taxes }) => taxes[which]);
      return Math.min(cents, Math.max(0, share(charge.taxes[which], waived, charge.total) - given));
    };
    return [of(0), of(1)];
  }

  /** What is owed of it is waived first; for the rest what settled it last comes free. */
  waive(waiver: Credit, on: string): void {
    const charge = waiver.of!;
    let missing = waiver.given - Math.min(waiver.given, this.owed(charge));
    for (const credit of [...new Set(this.#into(charge).map((move) => move.credit))].toReversed())
      if (credit.kind !== 'waiver') missing -= this.#release(credit, charge, missing, on, null);
    this.credits.push(waiver);
    this.moves.push({ on, credit: waiver, charge, cents: waiver.given });
  }

  /** The late fee of a rent, where with `cents` less of that the rest was paid before the fee. */
  causelessFee(rent: Charge, cents: number): Charge | null {
    const fee = this.charges.find(({ lateFor }) => lateFor === rent);
    if (fee === undefined || this.waivable(fee) <= 0) return null;
    const inTime = this.#into(rent).filter(
      ({ credit }) => credit.kind !== 'waiver' && credit.order < fee.order,
    );
    return this.waivable(rent) - cents <= sum(inTime, (move) => move.cents) ? fee : null;
  }

  #of(credit: Credit): Move[] {
    return this.moves.filter((move) => move.credit === credit);
  }

  #into(charge: Charge): Move[] {
    return this.moves.filter((move) => move.charge === charge);
  }

  #waiversOf(charge: Charge): Credit[] {
    return this.credits.filter(({ of, left }) => of === charge && left > 0);
  }

  #release(credit: Credit, charge: Charge, most: number, on: string, owedOn: string | null) {
    const settled = sum(
      this.#of(credit).filter((move) => move.charge === charge),
      ({ cents }) => cents,
    );
    const part = Math.min(most, settled);
    if (part === 0) return 0;
    const from = owedOn ?? on;
    if (this.owed(charge) === 0 && from > charge.lateFrom) charge.lateFrom = from;
    if (owedOn !== null) charge.reopened.push({ cents: part, on: owedOn });
    this.moves.push({ on, credit, charge, cents: -part });
    return part;
  }

  /** By the day on which it is due: what was reopened with days for the tenant counts by those. */
  #open(order: Terms['payment_order']): { charge: Charge; dueOn: string; cents: number }[] {
    const open = this.charges.flatMap((charge) => {
      const on = charge.reopened.reduce((last, one) => (one.on > last ? one.on : last), '');
      const owed = this.owed(charge);
      const again = sum(charge.reopened, ({ cents }) => cents);
      const later = on > charge.dueOn ? Math.min(owed, again) : 0;
      return [
        { charge, dueOn: charge.dueOn, cents: owed - later },
        { charge, dueOn: on, cents: later },
      ].filter(({ cents }) => cents > 0);
    });
    const key = ({ charge, dueOn }: (typeof open)[number]) => {
      const rank = ranks[order].indexOf(charge.category);
      return order === 'oldest_first' ? `${dueOn} ${rank}` : `${rank} ${dueOn}`;
    };
    return open.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  }
}

type Sums = Record<
  'charged' | 'net' | 'waived' | 'tax1' | 'tax2' | 'credited' | 'taken' | 'back',
  number
>;

/** A list of what happened at a facility, day by day, and what its reports must say of it. */
export class MonthBooks {
  today = '';
  closedThrough = '';
  readonly ledgers: Ledger[] = [];
  readonly captures: Capture[] = [];
  /** What happened, in order, and how often each kind of it. */
  readonly log: string[] = [];
  readonly done: Record<string, number> = {};
  readonly #lines: ({ on: string; kind: string } & Partial<Sums>)[] = [];
  readonly #money: { on: string; what: string; key: unknown; cents: number }[] = [];
  readonly #drawer: {
    on: string;
    type: string;
    key: unknown;
    what: 'taken' | 'back' | 'mistaken';
    cents: number;
  }[] = [];
  readonly #years: { on: string; tenant: number; cents: number }[] = [];
  #order = 0;

  readonly terms: Terms;

  constructor(terms: Terms) {
    this.terms = terms;
  }

  did(kind: string, text: string): void {
    this.done[kind] = (this.done[kind] ?? 0) + 1;
    this.log.push(`${this.today} ${kind}: ${text}`);
  }

  moveIn(ledger: Ledger): void {
    this.ledgers.push(ledger);
    const { deposit_cents: deposit } = this.terms;
    if (deposit > 0)
      this.#charge(ledger, { category: 'deposit', price: deposit, dueOn: ledger.terms.movedInOn });
    this.#bill(ledger);
  }

  /** To another unit today; another rent begins with the next bill. */
  transfer(ledger: Ledger, to: Pick<RentalTerms, 'unitName' | 'unitId' | 'rate'>): void {
    Object.assign(ledger.terms, to);
    ledger.stays.push({ from: this.today, unitName: to.unitName });
  }

  /** What the facility's own work posts in the morning; answers what autopay must have taken. */
  morning(): { ledger: Ledger; cents: number }[] {
    const { late_fee_cents: lateFee, late_fee_after_days: lateAfter } = this.terms;
    const current = this.ledgers.filter((ledger) => ledger.isCurrent(this.today));
    for (const ledger of current) {
      this.#bill(ledger);
      const late = ledger.charges.filter(
        (rent) =>
          rent.category === 'rent' &&
          ledger.owed(rent) > 0 &&
          addDays(rent.lateFrom, lateAfter) <= this.today &&
          !ledger.charges.some(({ lateFor }) => lateFor === rent),
      );
      for (const rent of lateFee > 0 ? late : []) {
        this.did('late fee', `on ${ledger.terms.unitName} for the rent due ${rent.dueOn}`);
        this.#charge(ledger, { category: 'fee', price: lateFee, lateFor: rent });
      }
      this.#settle(ledger);
    }
    return current.flatMap((ledger) => {
      const due = ledger.charges.findLast(({ category }) => category === 'rent')!.dueOn;
      if (ledger.autopaid === null || ledger.autopaid.has(due)) return [];
      ledger.autopaid.add(due);
      const cents = ledger.balance() - ledger.notEnforced(this.today);
      return cents > 0 ? [{ ledger, cents }] : [];
    });
  }

  addCharge(ledger: Ledger, category: string, price: number, isTaxed: boolean): void {
    this.#charge(ledger, { category, price, isTaxed });
    this.#settle(ledger);
  }

  /** Answers the late fee that goes with it, as cents. */
  waive(ledger: Ledger, charge: Charge, cents: number): { waiver: Credit; fee: number } {
    const fee = ledger.causelessFee(charge, cents);
    const feeCents = fee === null ? 0 : ledger.waivable(fee);
    const waiver = this.#waive(ledger, charge, cents);
    if (fee !== null) {
      this.did('late fee waived', `on ${ledger.terms.unitName}`);
      waiver.ofFee = this.#waive(ledger, fee, feeCents);
    }
    return { waiver, fee: feeCents };
  }

  pay(
    parts: [Ledger, number][],
    of: Pick<Capture, 'receipt' | 'reference' | 'type' | 'via'>,
  ): Capture {
    const isPending = of.type === 'ach';
    const rest = {
      on: this.today,
      entries: [],
      gone: [],
      whole: 0,
      refunded: 0,
      atGateway: 0,
      dispute: null,
    };
    const capture: Capture = { ...of, ...rest, isPending };
    this.captures.push(capture);
    for (const [ledger, cents] of parts) {
      this.#gain(capture, ledger, cents, 'payment');
      if (of.via === 'counter') this.#drawn(of.type, capture, 'taken', cents);
    }
    return capture;
  }

  goodwill(ledger: Ledger, cents: number): Credit {
    this.#lines.push({ on: this.today, kind: 'credit', credited: cents });
    return this.#credit(ledger, 'goodwill', cents);
  }

  /** Takes back what is left of a goodwill credit or of a waiver, with that of its late fee. */
  reverseCredit(credit: Credit): void {
    const { ledger, ofFee } = credit;
    for (const one of [credit, ...(ofFee === null || ofFee.left === 0 ? [] : [ofFee])]) {
      const { left, of, taxes } = one;
      const [kind, what] = of === null ? ['credit', 'credited'] : [of.category, 'waived'];
      this.#lines.push({ on: this.today, kind, [what]: -left, tax1: taxes[0], tax2: taxes[1] });
      ledger.entries.push({ on: this.today, cents: left });
      ledger.takeBack(one, left, this.today, addDays(this.today, 10));
    }
    this.#settle(ledger);
  }

  moveCredit(from: Ledger, to: Ledger, cents: number): void {
    let rest = cents;
    for (const credit of this.openCredits(from)) {
      const part = Math.min(rest, from.unused(credit));
      if (part === 0) break;
      rest -= part;
      from.takeBack(credit, part, this.today, null);
      from.entries.push({ on: this.today, cents: part });
      const capture = this.#captureOf(credit);
      capture?.gone.push({ credit, cents: part });
      this.#credit(to, 'moved', part, { isMoney: credit.isMoney });
    }
  }

  openCredits(ledger: Ledger): Credit[] {
    const open = ledger.credits.filter((credit) => ledger.unused(credit) > 0);
    return open.toSorted((a, b) => a.order - b.order);
  }

  isPending(credit: Credit): boolean {
    return this.#captureOf(credit)?.isPending ?? false;
  }

  refundable({ entries, whole, refunded }: Capture): number {
    const left = sum(entries, (entry) => entry.left);
    return Math.max(0, Math.min(left, whole - refunded));
  }

  refund(capture: Capture, cents: number, way: 'gateway' | 'cash' | 'check', only?: Credit): void {
    const type = way === 'gateway' ? capture.type : way;
    const owedOn = addDays(this.today, 10);
    const before = capture.entries.map((entry) => ({ entry, left: entry.left }));
    this.#takeBack(capture, cents, {
      reason: 'refund',
      type,
      key: {},
      owedOn,
      ...(only && { only }),
    });
    for (const { entry, left } of before.toReversed())
      if (left > entry.left) capture.gone.push({ credit: entry, cents: left - entry.left });
    capture.refunded += cents;
    if (way === 'cash') this.#drawn('cash', capture, 'back', cents);
  }

  /** The bank takes the whole amount, whatever was refunded or moved of it; so does a mistake. */
  takeWhole(capture: Capture, reason: 'nsf' | 'return' | 'mistake'): void {
    const { type, whole } = capture;
    const isMistake = reason === 'mistake';
    const owedOn = isMistake ? addDays(this.today, 10) : null;
    const fee = isMistake ? 0 : this.terms.return_fee_cents;
    this.#takeBack(capture, whole, { reason, type, key: capture, owedOn, fee });
    if (isMistake) this.#drawn(type, capture, 'mistaken', whole);
    capture.whole = 0;
    capture.isPending = false;
  }

  dispute(capture: Capture, cents: number): void {
    const order = this.#order;
    const taken = Math.min(cents, capture.whole);
    const of = { reason: 'chargeback', type: capture.type, key: capture, owedOn: null };
    const pieces = this.#takeBack(capture, taken, of);
    capture.whole -= taken;
    capture.dispute = { pieces, order, standing: 'opened' };
  }

  /** What was taken is given back where it was taken, with the late fees that it alone caused. */
  win(capture: Capture): void {
    const { pieces, order } = capture.dispute!;
    capture.dispute!.standing = 'won';
    for (const [ledger, own] of Map.groupBy(pieces, (piece) => piece.ledger)) {
      const freed = own.flatMap((piece) => [...piece.freed]);
      const rents = Map.groupBy(freed, ([charge]) => charge);
      const fees = [...rents].flatMap(([rent, parts]) => {
        const fee = ledger.causelessFee(
          rent,
          sum(parts, ([, cents]) => cents),
        );
        return fee === null || fee.order < order ? [] : [fee];
      });
      for (const fee of fees) {
        this.did('late fee waived', `on ${ledger.terms.unitName}`);
        this.#waive(ledger, fee, ledger.waivable(fee));
      }
      for (const { cents } of own) {
        this.#gain(capture, ledger, cents, 'won');
        capture.atGateway -= cents;
      }
    }
  }

  /** What the move-out today gives back; with `isRefunded` by the gateway what is open then. */
  moveOut(ledger: Ledger, isRefunded: boolean): void {
    const day = this.today;
    ledger.movedOutOn = day;
    ledger.autopaid = null;
    const back = ledger.charges.flatMap((charge) => {
      const { category, dueOn, periodEnd } = charge;
      const left = ledger.waivable(charge);
      if (category === 'deposit' || (periodEnd !== null && dueOn >= day))
        return [{ charge, cents: left }];
      if (periodEnd === null || periodEnd < day || !this.terms.move_out_proration) return [];
      const end = addDays(periodEnd, 1);
      return [{ charge, cents: share(left, daysBetween(day, end), daysBetween(dueOn, end)) }];
    });
    const settled = back.filter(({ cents }) => cents > 0);
    const fees = settled.flatMap(({ charge, cents }) => {
      const fee = ledger.causelessFee(charge, cents);
      return fee !== null && fee.dueOn >= day ? [{ charge: fee, cents: ledger.waivable(fee) }] : [];
    });
    for (const { charge, cents } of [...settled, ...fees]) this.#waive(ledger, charge, cents);
    for (const credit of isRefunded ? this.openCredits(ledger) : []) {
      const capture = this.#captureOf(credit);
      if (credit.kind === 'payment' && capture?.via === 'gateway')
        this.refund(capture, ledger.unused(credit), 'gateway', credit);
    }
  }

  inDrawer(day: string): Record<string, Record<'count' | 'taken' | 'back' | 'mistaken', number>> {
    const lines = this.#drawer.filter(({ on }) => on === day);
    return Object.fromEntries(
      [...Map.groupBy(lines, ({ type }) => type)].map(([type, own]) => {
        const of = (what: string, key?: unknown) =>
          sum(
            own.filter((one) => one.what === what && (key === undefined || one.key === key)),
            ({ cents }) => cents,
          );
        const keys = [...new Set(own.map(({ key }) => key))];
        const count = keys.filter((key) => of('taken', key) > of('mistaken', key)).length;
        return [type, { count, taken: of('taken'), back: of('back'), mistaken: of('mistaken') }];
      }),
    );
  }

  /** By way, and of what went back by way and reason: how many, and what they come to. */
  deposits(day: string): Record<string, { count: number; cents: number }> {
    const lines = this.#money.filter(({ on }) => on === day);
    return Object.fromEntries(
      [...Map.groupBy(lines, ({ what }) => what)].map(([what, own]) => [
        what,
        { count: new Set(own.map(({ key }) => key)).size, cents: sum(own, ({ cents }) => cents) },
      ]),
    );
  }

  /** What the gateway took on a day, and what of it went back the same way since. */
  atGateway(day: string): { taken: number; takenBack: number } {
    const own = this.captures.filter(({ via, on }) => via === 'gateway' && on === day);
    const given = ({ entries }: Capture) =>
      sum(
        entries.filter(({ kind }) => kind === 'payment'),
        (entry) => entry.given,
      );
    return { taken: sum(own, given), takenBack: sum(own, (one) => one.atGateway) };
  }

  rentRoll(day: string): Record<string, { unitName: string; rate: number; cents: number }> {
    const current = this.ledgers.filter((ledger) => ledger.isCurrent(day));
    return Object.fromEntries(
      current.map((one) => [
        one.terms.id,
        {
          unitName: one.stays.findLast(({ from }) => from <= day)!.unitName,
          rate: one.bills.findLast(({ dueOn }) => dueOn <= day)!.rate,
          cents: one.balance(day),
        },
      ]),
    );
  }

  aging(day: string): Record<string, { rentals: number; cents: number }> {
    const found: Record<string, { rentals: number; cents: number }> = {};
    for (const ledger of this.ledgers) {
      const [since, balance] = [ledger.owedSince(day), ledger.balance(day)];
      if (since === null || balance <= 0) continue;
      const days = daysBetween(since, day);
      const bucket = days <= 10 ? '0-10' : days <= 30 ? '11-30' : days <= 60 ? '31-60' : '60+';
      const all = (found[bucket] ??= { rentals: 0, cents: 0 });
      all.rentals += 1;
      all.cents += balance;
    }
    return found;
  }

  revenue(): Record<string, Sums> {
    const rows: Record<string, Sums> = {};
    for (const { on, kind, ...sums } of this.#lines) {
      const none = {
        charged: 0,
        net: 0,
        waived: 0,
        tax1: 0,
        tax2: 0,
        credited: 0,
        taken: 0,
        back: 0,
      };
      const row = (rows[`${on.slice(0, 7)} ${kind}`] ??= none);
      for (const [name, cents] of Object.entries(sums)) row[name as keyof Sums] += cents;
    }
    return rows;
  }

  /** “Payments in YEAR” of a tenant: what came and went, and what it settled by the year's end. */
  year(tenant: number, year: string): Record<string, number> {
    const own = this.#years.filter((line) => line.tenant === tenant);
    const ledgers = this.ledgers.filter((ledger) => ledger.terms.tenant === tenant);
    const until = (day: string) => {
      const used: Record<string, number> = {};
      const add = (what: string, cents: number) => (used[what] = (used[what] ?? 0) + cents);
      for (const { on, credit, charge, cents } of ledgers.flatMap(({ moves }) => moves))
        if (on <= day && credit.isMoney)
          add(charge.again === null ? charge.category : 'again', cents);
      for (const { on, again, total } of ledgers.flatMap(({ charges }) => charges))
        if (on <= day && again !== null) add('again', -total);
      const came = sum(
        own.filter(({ on }) => on <= day),
        ({ cents }) => cents,
      );
      return { used, unused: came - sum(Object.values(used), (cents) => cents) };
    };
    const [before, after] = [until(`${Number(year) - 1}-12-31`), until(`${year}-12-31`)];
    const lines = own.filter(({ on }) => on.startsWith(year));
    const paidFor = Object.fromEntries(
      Object.entries(after.used).map(([what, cents]) => [what, cents - (before.used[what] ?? 0)]),
    );
    return {
      ...paidFor,
      paid: sum(lines, ({ cents }) => Math.max(0, cents)),
      back: sum(lines, ({ cents }) => Math.min(0, cents)),
      unused: after.unused,
      unusedBefore: -before.unused,
    };
  }

  #bill(ledger: Ledger): void {
    const { unitName, movedInOn, rate, isTaxed, isInsured } = ledger.terms;
    for (let dueOn = addDays(ledger.billedThrough, 1); dueOn <= this.today;) {
      const day = Number(movedInOn.slice(8));
      const { next, days, of } = period(this.terms.billing_kind, day, dueOn);
      const periodEnd = (ledger.billedThrough = addDays(next, -1));
      const price = share(rate, days, of);
      ledger.bills.push({ dueOn, rate });
      this.did('rent', `${price} on ${unitName}, ${dueOn} to ${periodEnd}`);
      this.#charge(ledger, { category: 'rent', price, isTaxed, dueOn, periodEnd });
      const premium = { category: 'insurance', price: share(PREMIUM, days, of), isTaxed: true };
      if (isInsured) this.#charge(ledger, { ...premium, dueOn, periodEnd });
      dueOn = next;
    }
    this.#settle(ledger);
  }

  #charge(
    ledger: Ledger,
    of: { category: string; price: number; isTaxed?: boolean } & Partial<Charge>,
  ): void {
    const { category, price, isTaxed = false, ...rest } = of;
    const facility = this.terms;
    const [one, two] =
      category === 'insurance'
        ? [facility.insurance_tax1_basis_points, facility.insurance_tax2_basis_points]
        : [facility.rent_tax1_basis_points, facility.rent_tax2_basis_points];
    const tax = (rate: number) => (isTaxed ? share(price, rate, 10_000) : 0);
    const [tax1, tax2] = [tax(one), tax(two)];
    const total = price + tax1 + tax2;
    const none = { periodEnd: null, lateFor: null, again: null, reopened: [] };
    const on = this.today;
    const dated = { ...none, on, dueOn: on, lateFrom: on, ...rest };
    const taxes: [number, number] = [tax1, tax2];
    const charge = { ...dated, category, total, taxes, order: this.#order++ };
    ledger.charges.push(charge);
    ledger.entries.push({ on, cents: total });
    if (charge.again === null)
      this.#lines.push({ on, kind: category, charged: total, net: price, tax1, tax2 });
  }

  #credit(ledger: Ledger, kind: Credit['kind'], given: number, more: Partial<Credit> = {}): Credit {
    const none = {
      isMoney: false,
      of: null,
      taxes: [0, 0] as [number, number],
      id: null,
      ofFee: null,
    };
    const credit = { ...none, ledger, kind, given, left: given, ...more, order: this.#order++ };
    ledger.entries.push({ on: this.today, cents: -given });
    if (kind === 'waiver') ledger.waive(credit, this.today);
    else ledger.credits.push(credit);
    this.#settle(ledger);
    return credit;
  }

  #waive(ledger: Ledger, charge: Charge, cents: number): Credit {
    const taxes = ledger.taxesOf(charge, cents);
    const [tax1, tax2] = [-taxes[0], -taxes[1]];
    this.#lines.push({ on: this.today, kind: charge.category, waived: cents, tax1, tax2 });
    return this.#credit(ledger, 'waiver', cents, { of: charge, taxes });
  }

  /** Money of a capture that comes, or by a won dispute comes again. */
  #gain(capture: Capture, ledger: Ledger, cents: number, kind: 'payment' | 'won'): void {
    const on = this.today;
    capture.entries.push(this.#credit(ledger, kind, cents, { isMoney: true }));
    capture.whole += cents;
    this.#lines.push({ on, kind: 'payment', taken: cents });
    const what = `${capture.type} by ${kind === 'won' ? 'dispute' : capture.via}`;
    this.#money.push({ on, what, key: capture, cents });
    this.#years.push({ on, tenant: ledger.terms.tenant, cents });
  }

  /** What is left, the last first; then what had left before is charged, the last first. */
  #takeBack(
    capture: Capture,
    cents: number,
    of: {
      reason: string;
      type: string;
      key: unknown;
      owedOn: string | null;
      fee?: number;
      only?: Credit;
    },
  ): Piece[] {
    const { reason, type, key, owedOn, fee = 0, only } = of;
    const on = this.today;
    const pieces: Piece[] = [];
    const entries = capture.entries
      .toReversed()
      .filter((one) => only === undefined || one === only);
    let rest = cents;
    for (const credit of entries) {
      const part = Math.min(rest, credit.left);
      if (part === 0) continue;
      rest -= part;
      credit.ledger.entries.push({ on, cents: part });
      const freed = credit.ledger.takeBack(credit, part, on, owedOn);
      pieces.push({ ledger: credit.ledger, cents: part, freed });
      if (type === capture.type) capture.atGateway += part;
    }
    for (const { credit, cents: gone } of capture.gone.toReversed()) {
      const part = Math.min(rest, gone);
      if (part === 0) continue;
      rest -= part;
      this.did('owed again', `${part} on ${credit.ledger.terms.unitName}`);
      this.#charge(credit.ledger, { category: 'fee', price: part, again: { owedOn } });
      pieces.push({ ledger: credit.ledger, cents: part, freed: new Map() });
      capture.atGateway += part;
    }
    for (const { ledger, cents: back } of pieces) {
      this.#lines.push({ on, kind: 'payment', back });
      this.#money.push({ on, what: `${type} back: ${reason}`, key, cents: back });
      this.#years.push({ on, tenant: ledger.terms.tenant, cents: -back });
    }
    const first = capture.entries.find((one) => pieces.some(({ ledger }) => ledger === one.ledger));
    if (fee > 0) this.#charge(first!.ledger, { category: 'fee', price: fee });
    for (const { ledger } of pieces) this.#settle(ledger);
    return pieces;
  }

  #drawn(type: string, key: unknown, what: 'taken' | 'back' | 'mistaken', cents: number): void {
    const on = this.closedThrough >= this.today ? addDays(this.closedThrough, 1) : this.today;
    this.#drawer.push({ on, type, key, what, cents });
  }

  #captureOf(credit: Credit): Capture | undefined {
    return this.captures.find(({ entries }) => entries.includes(credit));
  }

  #settle(ledger: Ledger): void {
    ledger.settle(this.today, this.terms.payment_order);
  }
}

/** The first day of the next period, and which part of a whole one its days are. */
function period(kind: Terms['billing_kind'], billingDay: number, dueOn: string) {
  const start = Temporal.PlainDate.from(dueOn);
  const first = start.with({ day: 1 });
  const month = first.add({ months: 1 });
  const next = {
    first_of_month: month,
    anniversary: month.with({ day: billingDay }),
    twenty_eight_days: start.add({ days: 28 }),
  }[kind];
  const days = start.until(next).days;
  return { next: next.toString(), days, of: kind === 'first_of_month' ? first.daysInMonth : days };
}
