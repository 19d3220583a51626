import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn, daysBetween } from '@gatehouse/contract/dates';
import { moveInOf, quoteMoveInOf } from '@gatehouse/server/src/features/rentals/rentals/move-in.ts';
import {
  moveOutOf,
  settleMoveOuts,
} from '@gatehouse/server/src/features/rentals/rentals/move-out.ts';
import {
  overlockUnitOf,
  releaseUnitOf,
} from '@gatehouse/server/src/features/rentals/rentals/overlock.ts';
import { changeRateOf } from '@gatehouse/server/src/features/rentals/rentals/rate.ts';
import {
  makeTransfers,
  transferUnitOf,
} from '@gatehouse/server/src/features/rentals/rentals/transfer.ts';
import { hasMoney } from '../../harness/simulator/fake-gateway.ts';
import { halfUp, modelPeriod } from '../model-bill.ts';
import { ModelLedger, type ModelCharge } from '../model-ledger.ts';
import type { Random } from '../../harness/random.ts';
import { NOTICE_DAYS } from '../world.ts';
import { billed } from './billing.ts';
import {
  chargeOf,
  dayOf,
  everyCharge,
  isCurrent,
  isPending,
  newRental,
  reversalOf,
  someOf,
  staffPlan,
  waiverOf,
  type Account,
  type Expected,
  type Plan,
  type Sequence,
  type Step,
  type Unit,
} from './step.ts';

/** What staff charge by hand. */
const byHand = ['service', 'insurance', 'fee'];
const afterCharge = (category: string) => `of days with a charge by hand, ${category}`;
const AHEAD = 'after months that are paid ahead';

/** How rentals begin and end, and what they cost. */
export const rentalSteps: Step[] = [
  {
    name: 'move-out ahead',
    weight: 6,
    plan: (sequence, random) =>
      moveOut(sequence, random, addDays(dayOf(sequence), random.between(1, 40))),
  },
  {
    name: 'move-out at once',
    weight: 22,
    situations: byHand.map(afterCharge),
    plan(sequence, random) {
      const charged = everyCharge(sequence).filter(
        ({ account, charge: { category, periodEnd, dueOn } }) =>
          byHand.includes(category) &&
          periodEnd === null &&
          dueOn <= dayOf(sequence) &&
          whyNot(sequence, account, dueOn) === null,
      );
      const category = random.pick(byHand);
      const ofOne = charged.filter(({ charge }) => charge.category === category);
      const found = random.chance(0.9) ? (someOf(random, ofOne) ?? someOf(random, charged)) : null;
      if (found !== null) return moveOut(sequence, random, found.charge.dueOn, found.account);
      const daysAgo = random.pick([0, 0, 1, 7, 40]);
      return moveOut(sequence, random, addDays(dayOf(sequence), -daysAgo));
    },
  },
  {
    name: 'move-out cancelled',
    weight: 15,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      const isPlanned = isCurrent(sequence, account) && account.movedOutOn !== null;
      if (!isPlanned && random.chance(0.9)) return null;
      const expected = () => {
        [account.movedOutOn, account.moveOut] = [null, null];
        return [];
      };
      const isTaken = overlaps(sequence.accounts, { ...account, movedOutOn: null });
      const refused = !isPlanned
        ? 'no move-out is planned'
        : isTaken
          ? 'the unit is rented again'
          : null;
      const body = { ledgerId: account.ledgerId, cancel: true };
      return staffPlan(sequence, random, { work: moveOutOf, body, refused, expected });
    },
  },
  {
    name: 'move-out settled on its day',
    weight: 8,
    plan(sequence, random) {
      const planned = sequence.accounts.filter(
        ({ moveOut: one }) => one !== null && !one.isSettled,
      );
      const account = someOf(random, planned);
      if (account === null) return null;
      const { ctx, clock, world, accounts } = sequence;
      const run = async () => {
        clock.at += Math.max(0, daysBetween(dayOf(sequence), account.movedOutOn!)) * 86_400_000;
        await settleMoveOuts(ctx, { facilityId: world.facilityId, date: dayOf(sequence) });
      };
      const before = gatewayLefts(sequence);
      const expected = () =>
        accounts.flatMap((one) =>
          one.moveOut !== null &&
          !one.moveOut.isSettled &&
          !isCurrent(sequence, one) &&
          isBilledUntil(one, one.movedOutOn!) &&
          !hasPendingDebit(sequence, one)
            ? settled(sequence, one, before)
            : [],
        );
      return { refused: null, run, expected };
    },
  },
  {
    name: 'rentals move-in',
    weight: 5,
    plan(sequence, random) {
      const { world, renter, settings, accounts } = sequence;
      if (accounts.length >= MOST_RENTALS) return null;
      const today = dayOf(sequence);
      const on = addDays(today, random.pick([0, 0, 12, -3, -40, -70]));
      const { unitId, unitName: unit } = random.pick(unitsOf(sequence));
      const rateCents = random.between(2000, 90_000);
      const isTaxed = random.chance(0.5);
      const isDiscounted = random.chance(0.3);
      const body = {
        tenantId: renter.tenantId,
        unit,
        on,
        rate: rateCents / 100,
        taxes: isTaxed ? 'charged' : 'none',
        ...(isDiscounted && { discountPlanId: world.discount.id }),
      };
      const refused =
        daysBetween(on, today) > 60
          ? 'the day is too far back'
          : isRented(accounts, { unitName: unit, from: on, until: null })
            ? 'the unit is rented then'
            : null;
      if (refused !== null && random.chance(0.8)) return null;
      const expected = (reply: unknown) => {
        const { ledgerId } = (reply as { ledgers: [{ ledgerId: string }] }).ledgers[0];
        const model = new ModelLedger(addDays(on, -1), settings.order);
        const terms = {
          kind: settings.billingKind,
          billingDay: Number(on.slice(8)),
          rateCents,
          discountBasisPoints: isDiscounted ? world.discount.basisPoints : 0,
          tax1: isTaxed ? settings.tax1 : 0,
          tax2: isTaxed ? settings.tax2 : 0,
        };
        const account = {
          ledgerId,
          unitId,
          unitName: unit,
          model,
          terms,
          isTaxed,
          ...newRental(on),
        };
        accounts.push(account);
        const { depositCents: total } = settings;
        const deposit =
          total === 0 ? [] : [chargeOf(account, { category: 'deposit', dueOn: on, total })];
        return [...deposit, ...billed(account, on > today ? on : today)];
      };
      return staffPlan(sequence, random, { work: moveInOf, body, refused, expected });
    },
  },
  {
    name: 'rentals quote',
    weight: 2,
    plan(sequence, random) {
      const { ctx, world, renter } = sequence;
      const call = {
        key: randomUUID(),
        by: 'Ana',
        why: '',
        facilityIds: [world.facilityId],
        isPreview: false,
      };
      const on = dayOf(sequence);
      const unit = world.vacant[0]!.unitName;
      if (isRented(sequence.accounts, { unitName: unit, from: on, until: null })) return null;
      const body = { tenantId: renter.tenantId, unit, on, rate: random.between(1, 500) };
      return { refused: null, run: () => quoteMoveInOf(ctx, call, body), expected: () => [] };
    },
  },
  {
    name: 'rentals rate',
    weight: 28,
    situations: [AHEAD],
    plan(sequence, random) {
      const prepaid = sequence.accounts.filter((one) => lastPaidAhead(one) !== null);
      const found = random.chance(0.9) ? someOf(random, prepaid) : null;
      const account = found ?? random.pick(sequence.accounts);
      const { ledgerId, terms, movedOutOn } = account;
      const today = dayOf(sequence);
      const cents = random.between(found === null ? 2000 : terms.rateCents, 90_000);
      const asked = addDays(
        today,
        found === null
          ? random.pick([random.between(-2, NOTICE_DAYS), random.between(NOTICE_DAYS, 75)])
          : random.between(NOTICE_DAYS, NOTICE_DAYS + 10),
      );
      const isRise = cents > terms.rateCents;
      const on = beginOf(account, cents, asked, today);
      const refused =
        on < today
          ? 'the day is in the past'
          : movedOutOn !== null && movedOutOn <= on
            ? 'the rental has ended by then'
            : cents === terms.rateCents
              ? 'it is the rent already'
              : isRise && on < addDays(today, NOTICE_DAYS)
                ? 'the notice would come too late'
                : null;
      if (refused !== null && random.chance(0.6)) return null;
      const body = { ledgerId, amount: cents / 100, on: asked };
      const verb = staffPlan(sequence, random, {
        work: changeRateOf,
        body,
        refused,
        expected: () => [],
        situations: [refused === null && on > asked && AHEAD],
      });
      const change = { cents, on, isOfTransfer: false };
      return { ...verb, run: () => withNotice(sequence, random, account, change, verb.run) };
    },
  },
  {
    name: 'rate cancelled',
    weight: 8,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      if (account.scheduled === null && random.chance(0.9)) return null;
      const refused = account.scheduled === null ? 'none is scheduled' : null;
      const expected = () => {
        account.scheduled = null;
        return [];
      };
      const body = { ledgerId: account.ledgerId, cancel: true };
      return staffPlan(sequence, random, { work: changeRateOf, body, refused, expected });
    },
  },
  {
    name: 'rentals transfer',
    weight: 12,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      const today = dayOf(sequence);
      const unit = random.pick(unitsOf(sequence));
      const on = addDays(today, random.pick([0, 0, 1, random.between(2, 30), NOTICE_DAYS, -2]));
      const cents = random.chance(0.3) ? random.between(2000, 90_000) : null;
      const rateOn = cents === null ? on : beginOf(account, cents, on, today);
      const refused =
        on < today
          ? 'the day is in the past'
          : on < account.movedInOn
            ? 'the rental begins later'
            : account.movedOutOn !== null && account.movedOutOn <= rateOn
              ? 'the rental has ended by then'
              : unit.unitName === account.unitName
                ? 'it is in the unit already'
                : overlaps(sequence.accounts, { ...account, transfer: { ...unit, on } })
                  ? 'a unit is rented then'
                  : cents === account.terms.rateCents
                    ? 'it is the rent already'
                    : cents !== null &&
                        cents > account.terms.rateCents &&
                        rateOn < addDays(today, NOTICE_DAYS)
                      ? 'the notice would come too late'
                      : null;
      if (refused !== null && random.chance(0.7)) return null;
      const body = {
        ledgerId: account.ledgerId,
        unit: unit.unitName,
        on,
        ...(cents !== null && { rate: cents / 100 }),
      };
      const expected = () => {
        if (cents === null) cancelRateOfTransfer(account);
        account.transfer = { ...unit, on };
        if (on === today) makeTransfer(account);
        return [];
      };
      const verb = staffPlan(sequence, random, { work: transferUnitOf, body, refused, expected });
      if (cents === null) return verb;
      const change = { cents, on: rateOn, isOfTransfer: true };
      return { ...verb, run: () => withNotice(sequence, random, account, change, verb.run) };
    },
  },
  {
    name: 'transfer cancelled',
    weight: 24,
    plan(sequence, random) {
      const account = random.pick(sequence.accounts);
      if (account.transfer === null && random.chance(0.9)) return null;
      const isTaken = overlaps(sequence.accounts, { ...account, transfer: null });
      const refused =
        account.transfer === null ? 'none is planned' : isTaken ? 'the unit is rented again' : null;
      const expected = () => {
        cancelRateOfTransfer(account);
        account.transfer = null;
        return [];
      };
      const body = { ledgerId: account.ledgerId, cancel: true };
      return staffPlan(sequence, random, { work: transferUnitOf, body, refused, expected });
    },
  },
  {
    name: 'transfer made on its day',
    weight: 8,
    plan(sequence, random) {
      const { ctx, clock, world, accounts } = sequence;
      const account = someOf(
        random,
        accounts.filter(({ transfer }) => transfer !== null),
      );
      if (account === null) return null;
      const run = async () => {
        clock.at += Math.max(0, daysBetween(dayOf(sequence), account.transfer!.on)) * DAY;
        await makeTransfers(ctx, { facilityId: world.facilityId, date: dayOf(sequence) });
      };
      const expected = () => {
        for (const one of accounts)
          if (
            one.transfer !== null &&
            one.transfer.on <= dayOf(sequence) &&
            isCurrent(sequence, one)
          )
            makeTransfer(one);
        return [];
      };
      return { refused: null, run, expected };
    },
  },
  { name: 'rentals overlock', weight: 3, plan: (sequence, random) => lock(sequence, random, true) },
  {
    name: 'rentals release',
    weight: 12,
    plan: (sequence, random) => lock(sequence, random, false),
  },
];

const DAY = 86_400_000;
/** Enough for a sequence; each ledger is read after each step. */
const MOST_RENTALS = 4;

/** All units of the facility. */
function unitsOf({ world, renter }: Sequence): Unit[] {
  return [...world.vacant, ...renter.rentals].map(({ unitId, unitName }) => ({ unitId, unitName }));
}

type Days = { unitName: string; from: string; until: string | null };

/**
 * The days of units that an account rents, as far as is known: in its unit, and after a transfer
 * that is planned.
 */
function daysAhead({ unitName, since, transfer, movedOutOn }: Account): Days[] {
  const end = transfer === null ? movedOutOn : earlier(transfer.on, movedOutOn);
  const after =
    transfer === null
      ? []
      : [{ unitName: transfer.unitName, from: transfer.on, until: movedOutOn }];
  return [{ unitName, from: since, until: end }, ...after];
}

/** Whether another account rents the unit on some of the days. */
function isRented(accounts: Account[], days: Days, besides?: Account): boolean {
  const others = accounts.filter(({ ledgerId }) => ledgerId !== besides?.ledgerId);
  const isOverlap = (a: Days, b: Days) =>
    later(a.from, b.from) < (earlier(a.until, b.until) ?? '9999') && !isEmpty(a) && !isEmpty(b);
  return others
    .flatMap((one) => [...daysAhead(one), ...one.past])
    .some((one) => one.unitName === days.unitName && isOverlap(one, days));
}

/** Whether days that an account would rent are another's. */
function overlaps(accounts: Account[], account: Account): boolean {
  return daysAhead(account).some((days) => isRented(accounts, days, account));
}

function isEmpty({ from, until }: Days): boolean {
  return until !== null && until <= from;
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

/** The last bill to come, of a year, that the credit pays at the rent as it is. */
function lastPaidAhead({ model, terms, movedOutOn }: Account) {
  let [left, last, dueOn] = [
    -model.balance,
    null as { dueOn: string; periodEnd: string } | null,
    addDays(model.billedThrough, 1),
  ];
  const until = addDays(model.billedThrough, 366);
  while (dueOn <= until && (movedOutOn === null || dueOn < movedOutOn)) {
    const { periodEnd, rentCents } = modelPeriod(terms, dueOn);
    left -= rentCents;
    if (left < 0) break;
    last = { dueOn, periodEnd };
    dueOn = addDays(periodEnd, 1);
  }
  return last;
}

/** A rise begins after the months that are paid ahead. */
function beginOf(account: Account, cents: number, asked: string, today: string): string {
  const ahead = cents > account.terms.rateCents && asked >= today ? lastPaidAhead(account) : null;
  return ahead !== null && asked <= ahead.dueOn ? addDays(ahead.periodEnd, 1) : asked;
}

/** The planned unit becomes the account's own. */
function makeTransfer(account: Account): void {
  const { unitId, unitName, on } = account.transfer!;
  account.past.push({ unitName: account.unitName, from: account.since, until: on });
  Object.assign(account, { unitId, unitName, since: on, transfer: null });
  if (account.scheduled !== null) account.scheduled.isOfTransfer = false;
}

/** The rent that came with a transfer is taken back with it. */
function cancelRateOfTransfer(account: Account): void {
  if (account.scheduled?.isOfTransfer === true) account.scheduled = null;
}

/** Runs a verb that schedules a rent. Its mail goes out at once, late, or never. */
async function withNotice(
  { ctx, session, world }: Sequence,
  random: Random,
  account: Account,
  { cents, on, isOfTransfer }: { cents: number; on: string; isOfTransfer: boolean },
  run: Plan['run'],
): Promise<unknown> {
  const sentAfterDays = random.pick([0, 0, 20, null]);
  const reply = await run();
  const sentAt =
    sentAfterDays === null ? null : new Date(ctx.clock.now().getTime() + sentAfterDays * DAY);
  if (sentAt !== null)
    await session.run(
      `UPDATE mails SET sent_at = $1 WHERE sent_at IS NULL AND id IN (SELECT mail_id FROM rate_notices
        WHERE ledger_id = $2 AND effective_on = $3 AND to_cents = $4)`,
      [sentAt, account.ledgerId, on, cents],
    );
  // Its own day by the facility's calendar: twenty days after an evening before summer time it is
  // past midnight.
  const isNoticed =
    sentAt !== null && calendarDateIn(world.timeZone, sentAt) <= addDays(on, -NOTICE_DAYS);
  account.scheduled = { cents, on, isNoticed, isOfTransfer };
  return reply;
}

function moveOut(
  sequence: Sequence,
  random: Random,
  day: string,
  account = random.pick(sequence.accounts),
): Plan | null {
  const on = random.chance(0.03) ? addDays(account.movedInOn, -1) : day;
  const refused = whyNot(sequence, account, on);
  if (refused !== null && random.chance(0.7)) return null;
  const credit = random.pick(['refund', 'keep'] as const);
  const isNow = on <= dayOf(sequence);
  const before = gatewayLefts(sequence);
  const expected = () => {
    account.movedOutOn = on;
    account.moveOut = { credit, isSettled: false };
    return isNow && !hasPendingDebit(sequence, account) ? settled(sequence, account, before) : [];
  };
  const body = { ledgerId: account.ledgerId, on, credit };
  const isSettled = refused === null && isNow && !hasPendingDebit(sequence, account);
  const isCharged = (category: string) =>
    account.model.charges.some(
      (one) => one.category === category && one.periodEnd === null && one.dueOn >= on,
    );
  const situations = byHand.map((one) => isSettled && isCharged(one) && afterCharge(one));
  return staffPlan(sequence, random, { work: moveOutOf, body, refused, expected, situations });
}

function whyNot(sequence: Sequence, account: Account, on: string): string | null {
  if (!isCurrent(sequence, account)) return 'the rental has ended';
  if (on < account.movedInOn) return 'the day is before the move-in';
  if (daysBetween(on, dayOf(sequence)) > 60) return 'the day is too far back';
  if (overlaps(sequence.accounts, { ...account, movedOutOn: on }))
    return 'the unit is rented again by then';
  return on <= dayOf(sequence) && !isBilledUntil(account, on)
    ? 'it is not billed up to the day'
    : null;
}

/** Whether the days before a move-out are billed: it is not settled before that. */
function isBilledUntil({ model }: Account, movedOutOn: string): boolean {
  return model.billedThrough >= addDays(movedOutOn, -1);
}

/**
 * Whether a bank debit that paid the rental has not settled: the rental is not settled before that.
 */
function hasPendingDebit(sequence: Sequence, { model }: Account): boolean {
  return model.credits.some((credit) => isPending(sequence, credit));
}

/** A lock by hand, put on or taken off. */
function lock(sequence: Sequence, random: Random, isOverlocked: boolean): Plan | null {
  const account = random.pick(sequence.accounts);
  const isEnded = isOverlocked && !isCurrent(sequence, account);
  const isSo = account.isOverlocked === isOverlocked;
  const refused = isEnded ? 'the rental has ended' : isSo ? 'it is so already' : null;
  if (refused !== null && random.chance(0.8)) return null;
  const expected = () => {
    account.isOverlocked = isOverlocked;
    return [];
  };
  const work = isOverlocked ? overlockUnitOf : releaseUnitOf;
  return staffPlan(sequence, random, {
    work,
    body: { ledgerId: account.ledgerId },
    refused,
    expected,
  });
}

/** What the gateway has left of each capture, in cents: it gives back no more. */
function gatewayLefts({ gateway }: Sequence): Map<string, number> {
  const there = [...gateway.charged.values()].filter(hasMoney);
  return new Map(
    there.map(({ reference, cents, refundedCents }) => [reference, cents - refundedCents]),
  );
}

/**
 * What a move-out gives back: deposits, what was billed for periods from its day on, and where the
 * facility prorates the unused days of the period that the day is in, but nothing that staff
 * charged; all of it of what waivers have left of a charge. What is left of a payment then goes
 * back through the gateway, if the credit is to be refunded.
 */
function settled(
  { settings }: Sequence,
  account: Account,
  gatewayLeft: Map<string, number>,
): Expected[] {
  const { model, moveOut: planned } = account;
  planned!.isSettled = true;
  const after = model.copy();
  const waivers = model.charges.flatMap((charge) => {
    const cents = givenBack(charge, model.waivable(charge), account.movedOutOn!, settings.prorates);
    if (cents > 0) after.waive(`waiver of ${charge.id}`, charge.id, cents);
    return cents > 0 ? [waiverOf(account, charge.id, cents)] : [];
  });
  if (planned!.credit === 'keep') return waivers;
  const refunds = after.credits.flatMap((credit) => {
    const cents = after.unused(credit);
    const isLeft =
      credit.kind === 'payment' && cents > 0 && cents <= (gatewayLeft.get(credit.capture!) ?? 0);
    return isLeft ? [reversalOf(account, credit.id, cents, 'refund')] : [];
  });
  return [...waivers, ...refunds];
}

/** `left` is what the tenant was charged in the end. */
function givenBack(
  { category, dueOn, periodEnd }: ModelCharge,
  left: number,
  day: string,
  prorates: boolean,
): number {
  if (category === 'deposit') return left;
  if (periodEnd === null || periodEnd < day) return 0;
  if (dueOn >= day) return left;
  if (!prorates) return 0;
  const unused = daysBetween(day, periodEnd) + 1;
  return halfUp(left * unused, daysBetween(dueOn, periodEnd) + 1);
}
