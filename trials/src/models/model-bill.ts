import { addDays } from '@gatehouse/contract/dates';

/** The billing terms of a ledger: cents for a whole period, taxes and discount in basis points. */
export type ModelTerms = {
  kind: string;
  billingDay: number;
  rateCents: number;
  discountBasisPoints: number;
  tax1: number;
  tax2: number;
};

export type ModelPeriod = {
  dueOn: string;
  periodEnd: string;
  rentCents: number;
  tax1: number;
  tax2: number;
};

/** The period that begins on a day, and its rent, computed by walking the calendar day by day. */
export function modelPeriod(terms: ModelTerms, dueOn: string): ModelPeriod {
  let next = addDays(dueOn, 1);
  while (!beginsPeriod(terms, next, dueOn)) next = addDays(next, 1);
  let begun = dueOn;
  while (terms.kind !== 'twenty_eight_days' && !beginsPeriod(terms, begun, dueOn))
    begun = addDays(begun, -1);
  const price = halfUp(terms.rateCents * walk(dueOn, next), walk(begun, next));
  const rent = price - halfUp(price * terms.discountBasisPoints, 10_000);
  const [tax1, tax2] = [halfUp(rent * terms.tax1, 10_000), halfUp(rent * terms.tax2, 10_000)];
  return { dueOn, periodEnd: addDays(next, -1), rentCents: rent + tax1 + tax2, tax1, tax2 };
}

function beginsPeriod({ kind, billingDay }: ModelTerms, day: string, start: string): boolean {
  if (kind === 'twenty_eight_days') return walk(start, day) === 28;
  const dayOfMonth = Number(day.slice(8));
  if (kind === 'first_of_month') return dayOfMonth === 1;
  const isLastOfMonth = addDays(day, 1).endsWith('-01');
  return dayOfMonth === billingDay || (isLastOfMonth && dayOfMonth < billingDay);
}

function walk(from: string, to: string): number {
  let days = 0;
  for (let day = from; day < to; day = addDays(day, 1)) days += 1;
  return days;
}

/** The nearest whole number, a half upwards; with integers of any size. */
export function halfUp(dividend: number, divisor: number): number {
  const doubled = BigInt(2 * dividend + divisor);
  return Number(doubled / BigInt(2 * divisor));
}
