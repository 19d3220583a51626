import { addDays } from '@gatehouse/contract/dates';
import type { BillingKind } from '#db/tables.ts';
import { nextPeriod, type Period } from '#features/money/billing/periods.ts';

/** What a sheet says of a rental's money; sums in cents, days `YYYY-MM-DD`. */
type Said = {
  id: string;
  facility: { billingKind: BillingKind; today: string };
  rate: number;
  balance: number;
  deposit: number;
  billingDay: string;
  movedIn: string;
  paidThrough: string | null;
  nextBill: string | null;
};

type Cells = Record<string, string>;

/**
 * The entries that open a rental's books with its balance. What is owed is the rent of the periods
 * that have begun since rent was paid through, the oldest first, and the rest a charge brought
 * forward; where less is owed than their rent, the difference was paid before. What is to the
 * credit is a credit. A deposit is charged and paid on the day of the move-in, so that it is given
 * back at the move-out.
 */
export function openingOf(said: Said): {
  paidThrough: string;
  charges: Cells[];
  payments: Cells[];
} {
  const { id, facility, balance, deposit, movedIn } = said;
  const paidThrough = said.paidThrough ?? addDays(said.nextBill!, -1);
  const charges: Cells[] = [];
  const payments: Cells[] = [];
  const charge = (what: string, cells: Cells) =>
    charges.push({ charge_id: `${id}: ${what}`, description: what, ...cells });
  const credit = (what: string, cents: number, on: string) =>
    payments.push({
      payment_id: `${id}: ${what}`,
      kind: 'credit',
      paid_on: on,
      amount: dollars(cents),
      description: what,
    });
  let open = balance;
  for (const period of balance > 0 ? begunPeriods(said, paidThrough) : []) {
    if (open <= 0) break;
    const price = Math.round((said.rate * period.days) / period.ofDays);
    const cells = { category: 'rent', due_on: period.dueOn, period_end: period.periodEnd };
    charge(`Rent from ${period.dueOn}`, { ...cells, price: dollars(price) });
    if (price > open) credit('Paid before the import', price - open, period.dueOn);
    open -= price;
  }
  const on = movedIn > facility.today ? movedIn : facility.today;
  if (open > 0)
    charge('Balance brought forward', {
      category: 'fee',
      due_on: on,
      posted_on: facility.today,
      price: dollars(open),
    });
  if (balance < 0) credit('Credit brought forward', -balance, facility.today);
  if (deposit > 0 && movedIn <= facility.today) {
    charge('Deposit', { category: 'deposit', due_on: movedIn, price: dollars(deposit) });
    payments.push({
      payment_id: `${id}: Deposit`,
      kind: 'payment',
      method: 'check',
      paid_on: movedIn,
      amount: dollars(deposit),
      description: 'Deposit held before the import',
    });
  }
  return { paidThrough, charges, payments };
}

/** The periods after a day that have begun by today, and before the day of the next bill. */
function begunPeriods(
  { facility, rate, billingDay, nextBill, paidThrough: said }: Said,
  paidThrough: string,
): Period[] {
  const until = said === null || nextBill === null ? addDays(facility.today, 1) : nextBill;
  const first = addDays(paidThrough, 1);
  const day = Number(billingDay) || Number(first.slice(8));
  const periods: Period[] = [];
  let start = first;
  while (rate > 0 && start < until && start <= facility.today && periods.length < 60) {
    const period = nextPeriod(facility.billingKind, day, start);
    periods.push(period);
    start = addDays(period.periodEnd, 1);
  }
  return periods;
}

const dollars = (cents: number) => (cents / 100).toFixed(2);
