import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import { resolveOpenRefunds } from '@gatehouse/server/src/features/money/payments/refunds.ts';
import type { StaffCall } from '@gatehouse/server/src/features/base/staff-actions/staff-actions.ts';
import { Refusal } from '@gatehouse/server/src/errors/refusal.ts';
import { isConnectionLost, type BreakablePort } from '../breakable-port.ts';
import type { Charged, FakeGateway } from '../../harness/simulator/fake-gateway.ts';
import type { ModelTerms } from '../model-bill.ts';
import type { ModelCharge, ModelCredit, ModelLedger, Why } from '../model-ledger.ts';
import type { Random } from '../../harness/random.ts';
import type { Session } from '../session.ts';
import type { MovableClock, Rental, Renter, World } from '../world.ts';

/** One ledger in the sequence, with the model's state of it. */
export type Account = Rental & {
  model: ModelLedger;
  terms: ModelTerms;
  /** Whether the facility's taxes on rent fall on it. */
  isTaxed: boolean;
  /** `isOfTransfer` where it came with the transfer that is planned. */
  scheduled: { cents: number; on: string; isNoticed: boolean; isOfTransfer: boolean } | null;
  /** Changes of the rate that were billed. */
  applied: { cents: number; on: string }[];
  movedInOn: string;
  /** The first day in the unit that it is in. */
  since: string;
  /** A transfer that is planned. */
  transfer: (Unit & { on: string }) | null;
  /** The units of before; `until` is the first day in the next one. */
  past: { unitName: string; from: string; until: string }[];
  /** Locked by hand. */
  isOverlocked: boolean;
  movedOutOn: string | null;
  /** A move-out that is planned or settled, and what becomes of a credit then. */
  moveOut: { credit: 'refund' | 'keep'; isSettled: boolean } | null;
};

export type Unit = Pick<Rental, 'unitId' | 'unitName'>;

/** What the facility of a sequence has set, in cents and basis points. */
export type Settings = {
  order: string;
  returnFeeCents: number;
  insuranceTax1: number;
  insuranceTax2: number;
  /** Whether rent of the days after a move-out is given back. */
  prorates: boolean;
  /** How many days before today a payment over the counter may have come. */
  daysBack: number;
  depositCents: number;
  billingKind: string;
  tax1: number;
  tax2: number;
};

export type Sequence = {
  ctx: Context;
  session: Session;
  port: BreakablePort;
  clock: MovableClock;
  gateway: FakeGateway;
  renter: Renter;
  world: World;
  settings: Settings;
  accounts: Account[];
  /** The renter's address on file. */
  email: string;
  /** The facility's alarms as the books have them, and those of them that a step has closed. */
  alarms: { id: string; isClosed: boolean }[];
  closedAlarms: Set<string>;
  /** What refunds in the dashboard and disputes have taken back, by the gateway's id. */
  disputes: Map<string, TakenOutside>;
  /** Chargebacks that staff have posted by hand and no dispute has claimed yet, by capture. */
  byHand: Map<string, { account: Account; cents: number }[]>;
  /**
   * The entries that the model knows are at or before this place, and have this digest in each
   * ledger (I3).
   */
  mark: number;
  known: Map<string, string | null>;
  /** Payments that were recorded in a later year than they came. */
  recordedLater: Set<string>;
  /** The facility's day on which each entry was posted, by its id. */
  postedOn: Map<string, string>;
  /** What the papers of the years have to say, day by day. */
  yearly: Yearly[];
  /** Verdicts of the gateway on the next charges, before any that it draws. */
  verdicts: ('approve' | 'soft')[];
};

/**
 * A payment or what came back of one (`line`), or what of it is for charges of a category, in
 * cents.
 */
export type Yearly = { day: string; what: string; cents: number };

/**
 * A refund in the dashboard or a dispute as the books have it: what was taken back once they knew
 * of it.
 */
export type TakenOutside = {
  taken: { account: Account; cents: number }[] | null;
  standing: string | null;
};

/** An entry that a step should have added. In which order, the rules do not say. */
export type Expected = {
  account: Account;
  kind: 'charge' | 'payment' | 'credit' | 'reversal';
  cents: number;
  /** Of a reversal the payment or credit that it takes back, of a waiver its charge. */
  of?: string;
  /** Enters it in the model. */
  enter: (entry: Entered) => void;
};

/** What the books have of a new entry: `receipt` is the number of a payment's. */
export type Entered = { id: string; position: number; receipt: string | null; day: string };

/** What a step does to the product, and what the rules say of it. */
export type Plan = {
  /**
   * Why the rules refuse it: then the product must too, and nothing may change. Null where they do
   * not.
   */
  refused: string | null;
  run: () => Promise<unknown>;
  /**
   * The entries that must be new afterwards; asked after the step was run, and not if it was
   * refused.
   */
  expected: (reply: unknown) => Expected[];
  /** Which of the step's situations this is one of. */
  situations?: (string | false)[];
};

/** One kind of thing that can happen to a ledger. */
export type Step = {
  name: string;
  /** Its relative frequency. */
  weight: number;
  /** What must have been so now and then: each is counted. */
  situations?: readonly string[];
  /**
   * Chooses what to do as the books of the model are now; null where it cannot be meant, such as
   * with nothing to refund.
   */
  plan(sequence: Sequence, random: Random): Plan | null;
};

/** What an account has when its rental begins. */
export function newRental(movedInOn: string) {
  return {
    movedInOn,
    since: movedInOn,
    transfer: null,
    past: [],
    isOverlocked: false,
    scheduled: null,
    applied: [],
    movedOutOn: null,
    moveOut: null,
  };
}

/** The facility's day. */
export function dayOf({ world, clock }: Pick<Sequence, 'world' | 'clock'>): string {
  return calendarDateIn(world.timeZone, clock.now());
}

/** Lets time pass until a day of the facility has begun. */
export function advanceTo(sequence: Sequence, day: string): void {
  while (dayOf(sequence) < day) sequence.clock.at += 3_600_000;
}

/** Whether an account is a rental on the facility's day. */
export function isCurrent(sequence: Sequence, { movedOutOn }: Account): boolean {
  return movedOutOn === null || movedOutOn > dayOf(sequence);
}

/** A sum within `cents`: all of it or a part. */
export function somePart(random: Random, cents: number): number {
  return random.chance(0.5) ? cents : random.between(1, cents);
}

/** A sum within `cents`, or now and then more than that. */
export function aboutAsMuchAs(random: Random, cents: number): number {
  return cents === 0 || random.chance(0.06)
    ? cents + random.between(1, 500)
    : somePart(random, cents);
}

/** One of the things, null where there is none. */
export function someOf<T>(random: Random, things: T[]): T | null {
  return things.length === 0 ? null : random.pick(things);
}

type ChargeTerms = Pick<ModelCharge, 'category' | 'dueOn' | 'total'> & Partial<ModelCharge>;

export function chargeOf(account: Account, charge: ChargeTerms): Expected {
  return {
    account,
    kind: 'charge',
    cents: charge.total,
    enter: ({ id }) => account.model.charge({ ...charge, id }),
  };
}

export function creditOf(
  account: Account,
  cents: number,
  of: { capture: string | null; isMoney: boolean } = { capture: null, isMoney: false },
): Expected {
  const enter = ({ id, position }: Entered) =>
    account.model.credit({ id, position, kind: 'credit', given: cents, ...of });
  return { account, kind: 'credit', cents: -cents, enter };
}

/** A part of a capture: what one payment has paid over several ledgers. */
export function paymentOf(
  account: Account,
  cents: number,
  of: Pick<ModelCredit, 'capture' | 'method'> & { first?: string[] },
): Expected {
  const enter = (entry: Entered) =>
    account.model.credit({ ...entry, kind: 'payment', given: cents, isMoney: true, ...of });
  return { account, kind: 'payment', cents: -cents, enter };
}

/** By when a tenant pays what an act of the operator's opens again on a day. */
export function againFrom(day: string): string {
  return addDays(day, 10);
}

export function reversalOf(account: Account, creditId: string, cents: number, why: Why): Expected {
  const enter = ({ position, day }: Entered) => {
    const owedOn = why === 'undone' ? undefined : againFrom(day);
    account.model.takeBack(creditId, cents, owedOn);
    account.model.creditOf(creditId).backs.push({ cents, why, position, isAgain: false });
  };
  return { account, kind: 'reversal', cents, of: creditId, enter };
}

/** What went back of a payment that had less left is owed where it was paid. */
function againOf(sequence: Sequence, { account, credit }: Part, cents: number, why: Why): Expected {
  const terms = { category: 'fee', dueOn: dayOf(sequence), total: cents, isAgain: true };
  const charge = chargeOf(account, terms);
  const enter = (entry: Entered) => {
    charge.enter(entry);
    credit.backs.push({ cents, why, position: entry.position, isAgain: true });
  };
  return { ...charge, enter };
}

/** What a bank takes of a capture's parts: all that it has not taken before. */
export function wholeOf(parts: Part[]): number {
  const isUndone = (why: Why) => why === 'undone' || why === 'mistake';
  return parts.reduce(
    (sum, { credit, left }) =>
      credit.backs.reduce(
        (cents, back) =>
          cents + (back.isAgain ? 0 : back.cents) - (isUndone(back.why) ? back.cents : 0),
        sum + left,
      ),
    0,
  );
}

/** What can be refunded of some parts of a capture: never more in all than was paid. */
export function refundableOf(sequence: Sequence, capture: string, parts: Part[]): number {
  const all = leftOfCapture(sequence, capture);
  const refunds = all.flatMap(({ credit }) => credit.backs.filter(({ why }) => why === 'refund'));
  const refunded = refunds.reduce((sum, { cents }) => sum + cents, 0);
  return Math.max(0, Math.min(sumOf(parts), wholeOf(all) - refunded));
}

export function waiverOf(
  account: Account,
  chargeId: string,
  cents: number,
  isWriteOff = false,
): Expected {
  const enter = ({ id }: Entered) => account.model.waive(id, chargeId, cents, isWriteOff);
  return { account, kind: 'credit', cents: -cents, of: chargeId, enter };
}

/**
 * What is left of a capture, what was posted last first; with what won disputes gave back of it
 * unless `entryId` names a part.
 */
export function leftOfCapture(
  sequence: Sequence,
  capture: string,
  entryId: string | null = null,
): Part[] {
  return everyCredit(sequence)
    .filter(
      ({ credit }) => credit.capture === capture && (entryId === null || credit.id === entryId),
    )
    .map(({ account, credit }) => ({ account, credit, left: account.model.left(credit.id) }))
    .sort((a, b) => b.credit.position - a.credit.position);
}

export const AFTER_REFUND = 'after a refund';

/** Whether some of a capture was refunded before, by staff or in the dashboard. */
export function wasRefunded(sequence: Sequence, capture: string | null): boolean {
  return everyCredit(sequence).some(
    ({ credit }) =>
      capture !== null &&
      credit.capture === capture &&
      credit.backs.some(({ why }) => why === 'refund'),
  );
}

/** One of the captures, mostly only of those that were refunded in part. */
export function ratherRefunded(
  sequence: Sequence,
  random: Random,
  captures: Charged[],
): Charged | null {
  const refunded = captures.filter(({ reference }) => wasRefunded(sequence, reference));
  return (random.chance(0.8) ? someOf(random, refunded) : null) ?? someOf(random, captures);
}

export type Part = { account: Account; credit: ModelCredit; left: number };

/** Whether a credit is a bank debit that has not settled. */
export function isPending({ gateway }: Sequence, { capture }: ModelCredit): boolean {
  return gateway.charged.get(capture ?? '')?.standing.outcome === 'pending';
}

/**
 * What takes this many cents out of parts, the first part first: what is left by reversals, and
 * what had left it before by charges, what left it last first.
 */
export function takenFrom(sequence: Sequence, parts: Part[], cents: number, why: Why): Expected[] {
  let rest = cents;
  const reversals = parts.flatMap(({ account, credit, left }) => {
    const taken = Math.min(rest, left);
    rest -= taken;
    return taken === 0 ? [] : [reversalOf(account, credit.id, taken, why)];
  });
  const charges = parts
    .flatMap((part) => part.credit.backs.map((back) => ({ part, ...back })))
    .filter((back) => !back.isAgain && back.why !== 'mistake')
    .sort((a, b) => b.position - a.position)
    .flatMap(({ part, cents: gone }) => {
      const again = Math.min(rest, gone);
      rest -= again;
      return again === 0 ? [] : [againOf(sequence, part, again, why)];
    });
  return [...reversals, ...charges];
}

export function sumOf(parts: { left: number }[]): number {
  return parts.reduce((sum, { left }) => sum + left, 0);
}

/** All charges, or all credits, of all accounts. */
export function everyCharge({ accounts }: Sequence): { account: Account; charge: ModelCharge }[] {
  return accounts.flatMap((account) =>
    account.model.charges.map((charge) => ({ account, charge })),
  );
}

export function everyCredit({ accounts }: Sequence): { account: Account; credit: ModelCredit }[] {
  return accounts.flatMap((account) =>
    account.model.credits.map((credit) => ({ account, credit })),
  );
}

/** Longer than a sweep waits for the answer that a refund had. */
const SWEPT_AFTER = 600_000;

type StaffWork = (ctx: Context, call: StaffCall, body: unknown) => Promise<object>;
type StaffVerbCall = {
  refused: string | null;
  work: StaffWork;
  body: object;
  expected: Plan['expected'];
  /** Of the caller, null for one of all facilities; either unless it is named. */
  facilityId?: string | null;
  situations?: Plan['situations'];
};

/**
 * A verb of staff, run in one of the ways in which staff and their connections do: plainly, after
 * its preview, twice under one key, again after the connection broke, or with a key that was used
 * for something else.
 */
export function staffPlan(sequence: Sequence, random: Random, action: StaffVerbCall): Plan {
  const {
    work,
    body,
    refused,
    expected,
    facilityId = random.pick([null, sequence.world.facilityId]),
    situations = [],
  } = action;
  const key = randomUUID();
  const { ctx, port, clock } = sequence;
  const facilityIds = facilityId === null ? null : [facilityId];
  const call = { key, by: 'Ana', why: 'a sequence', facilityIds, isPreview: false };
  const way = random.weighted({ plain: 55, previewed: 15, twice: 8, broken: 20, misused: 2 });
  const breaksAfter = random.between(0, 9);
  const side = random.pick(['before', 'after'] as const);
  const again = () => work(ctx, call, body);
  const ways: Record<typeof way, () => Promise<object>> = {
    plain: again,
    async previewed() {
      const isBehind = unheardOf(sequence).length > 0;
      const said = await work(ctx, { ...call, key: randomUUID(), isPreview: true }, body);
      const done = await again();
      // A refund that the preview counts on is refused where the gateway has less than the books.
      if (isBehind) return done;
      // A ledger that the verb makes has another id in its preview.
      const balances = (reply: object) =>
        Object.values(balancesIn(reply)).toSorted((a, b) => a - b);
      same('the preview says other balances than the action', balances(said), balances(done));
      return done;
    },
    async twice() {
      const [first, second] = [await again(), await again()];
      same('the answer changed when asked again under its key', first, second);
      return second;
    },
    async broken() {
      port.breakIn(breaksAfter, side);
      try {
        return await again();
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        const done = await again();
        // A refund whose answer was lost is asked for again by the sweep.
        clock.at += SWEPT_AFTER;
        await resolveOpenRefunds(ctx);
        return done;
      } finally {
        port.breakIn(null);
      }
    },
    async misused() {
      const done = await again();
      const other = { ...body, amount: ((body as { amount?: number }).amount ?? 0) + 1 };
      const refusal = await work(ctx, call, other).then(
        () => null,
        (error: unknown) => error,
      );
      if ('amount' in body && !(refusal instanceof Refusal))
        throw new Error('a key was good for something else');
      return done;
    },
  };
  return { refused, run: ways[way], expected, situations };
}

/** The refunds and disputes of the gateway that the books have not heard of as they are now. */
export function unheardOf({ gateway, disputes }: Sequence): string[] {
  return [...gateway.outside.keys(), ...gateway.disputes.keys()].filter(
    (id) => disputes.get(id)?.standing !== (gateway.disputes.get(id)?.standing ?? 'refunded'),
  );
}

/** Throws where two things differ. */
export function same(what: string, one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other))
    throw new Error(`${what}: ${JSON.stringify(one)}, ${JSON.stringify(other)}`);
}

/** The balances that a verb's reply has, in dollars by ledger. */
export function balancesIn(reply: unknown): Record<string, number> {
  const { ledgers = [] } = reply as { ledgers?: { ledgerId: string; balance: number }[] };
  return Object.fromEntries(ledgers.map(({ ledgerId, balance }) => [ledgerId, balance]));
}
