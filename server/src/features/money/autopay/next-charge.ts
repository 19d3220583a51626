import { addDays } from '@gatehouse/contract/dates';
import type { NotEnforced } from '#features/base/ledgers/owed-since.ts';
import { t } from '@gatehouse/language/t';

/** The state of autopay on a ledger, on `today` of its facility; sums in cents. */
export type Standing = {
  today: string;
  /** Whether the facility's run of today is over. */
  hasRunToday: boolean;
  balanceCents: number;
  /** What of the balance is not charged yet, since an act of the operator opened it. */
  notEnforcedCents: number;
  /** The later days on which more of it is, the first first. */
  enforcedLater: NotEnforced[];
  /** The due date of the newest billed period, and whether the run has taken it up. */
  newestDueOn: string | null;
  isTakenUp: boolean;
  /** The attempt that comes next of what the run has taken up, and what it takes. */
  waiting: { tryOn: string; cents: number } | null;
  /** The bill to come; null where there is none. */
  nextBill: { dueOn: string; cents: number } | null;
};

/** A day of the facility and a sum in cents. */
export type Charge = { date: string; cents: number };

/**
 * What autopay takes next, and when: what is owed, at the next run or on the day of the next
 * attempt, or the next bill with whatever is owed or to the tenant's credit by then. Null where
 * nothing is to come.
 */
export function nextChargeOf(standing: Standing): Charge | null {
  const { today, hasRunToday, nextBill } = standing;
  const run = hasRunToday ? addDays(today, 1) : today;
  const billedOn = nextBill && later(nextBill.dueOn, run);
  const bill = nextBill && {
    date: billedOn!,
    cents: Math.max(0, enforcedOn(standing, billedOn!) + nextBill.cents),
  };
  const owed = enforcedOn(standing, run) > 0 ? chargeOfOwed(standing, run) : null;
  // A bill that comes first takes what is owed with it.
  return owed !== null && (bill === null || owed.date < bill.date) ? owed : bill;
}

/** What of the balance may be charged on a day, in cents. */
function enforcedOn(standing: Standing, day: string): number {
  const { balanceCents, notEnforcedCents, enforcedLater } = standing;
  const then = enforcedLater.findLast(({ from }) => from <= day);
  return balanceCents - (then?.cents ?? notEnforcedCents);
}

function chargeOfOwed(standing: Standing, run: string): Charge | null {
  const { newestDueOn, isTakenUp, waiting } = standing;
  if (newestDueOn !== null && !isTakenUp) return { date: run, cents: enforcedOn(standing, run) };
  if (waiting === null || waiting.cents === 0) return null;
  return { date: later(waiting.tryOn, run), cents: waiting.cents };
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** What may keep autopay from charging; `expiresOn` is `YYYY-MM` of a card. */
export type Obstacles = {
  hasMandate: boolean;
  isRefused: boolean;
  isOnHold: boolean;
  expiresOn: string | null;
};

/** Whether the run leaves the ledger alone. */
export function isKeptFromCharging({ hasMandate, isRefused, isOnHold }: Obstacles): boolean {
  return !hasMandate || isRefused || isOnHold;
}

/** What keeps autopay from charging, or will, in a sentence for the tenant; null for nothing. */
export function problemOf(
  obstacles: Obstacles,
  charge: Charge | null,
  today: string,
): string | null {
  const { hasMandate, isRefused, isOnHold, expiresOn } = obstacles;
  if (isRefused)
    return t('Your bank refused this payment method. Please set up autopay with another one.');
  if (!hasMandate)
    return t(
      'Autopay does not charge, because we have no authorization on file. Please set it up again.',
    );
  if (isOnHold)
    return t('Autopay does not charge this unit at the moment. Please call your facility.');
  if (expiresOn === null) return null;
  if (expiresOn < today.slice(0, 7))
    return t('Your card has expired. Please set up autopay with another one.');
  if (charge !== null && expiresOn < charge.date.slice(0, 7))
    return t('Your card expires before the next charge. Please set up autopay with another one.');
  return null;
}
