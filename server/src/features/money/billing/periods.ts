import { addDays, daysBetween, lastDayOf } from '@gatehouse/contract/dates';
import type { BillingKind } from '#db/tables.ts';

/**
 * One period of rent: `dueOn` is its first day and its due date, `periodEnd` its last. It covers
 * `days` of the `ofDays` that a whole period there has: fewer where it begins between two billing
 * days, and then as much less is billed.
 */
export type Period = { dueOn: string; periodEnd: string; days: number; ofDays: number };

/**
 * The period that begins on `start`, whatever day that is: it ends before the facility's next
 * billing day. `billingDay` is the anniversary's day of the month, which falls back to the end of a
 * shorter month and comes back after it.
 */
export function nextPeriod(kind: BillingKind, billingDay: number, start: string): Period {
  if (kind === 'twenty_eight_days') return between(start, start, addDays(start, 28));
  const day = kind === 'first_of_month' ? 1 : billingDay;
  const month = start.slice(0, 7);
  const here = dayOfMonth(month, day);
  return here <= start
    ? between(start, here, dayOfMonth(monthAfter(month, 1), day))
    : between(start, dayOfMonth(monthAfter(month, -1), day), here);
}

/** From `start` on, of the whole period from one billing day to the day before the next. */
function between(start: string, billingDay: string, nextBillingDay: string): Period {
  return {
    dueOn: start,
    periodEnd: addDays(nextBillingDay, -1),
    days: daysBetween(start, nextBillingDay),
    ofDays: daysBetween(billingDay, nextBillingDay),
  };
}

/** The day of a month `YYYY-MM`, or its last one where it has no such day. */
function dayOfMonth(month: string, day: number): string {
  const last = lastDayOf(month);
  const date = `${month}-${String(day).padStart(2, '0')}`;
  return date < last ? date : last;
}

function monthAfter(month: string, months: number): string {
  const [year = NaN, number = NaN] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}
