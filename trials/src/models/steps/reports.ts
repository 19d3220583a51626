import { isDeepStrictEqual } from 'node:util';
import { daysBetween } from '@gatehouse/contract/dates';
import {
  readAging,
  readRentRoll,
  readRevenue,
} from '@gatehouse/server/src/features/desk/office/reports.ts';
import { modelPeriod } from '../model-bill.ts';
import { dayOf, everyCharge, everyCredit, isCurrent, type Account, type Sequence } from './step.ts';

/**
 * Compares the reports of today with the model: rents and balances of each rental, what is owed by
 * its age, and all that was posted by kind. Answers the first sentence that does not hold.
 */
export async function compareReports(sequence: Sequence): Promise<string | null> {
  return (
    (await compareRentRoll(sequence)) ??
    (await compareAging(sequence)) ??
    (await compareRevenue(sequence))
  );
}

async function compareRentRoll(sequence: Sequence): Promise<string | null> {
  const { rows } = await readRentRoll(sequence.ctx, { limit: '200' }, placesOf(sequence));
  const today = dayOf(sequence);
  const current = sequence.accounts.filter(
    (account) => isCurrent(sequence, account) && account.movedInOn <= today,
  );
  const expected = current.map((account) => [
    account.ledgerId,
    unitOn(account, today),
    isBilledAsKnown(account) ? account.terms.rateCents : null,
    account.model.balance,
  ]);
  const found = rows.map(({ id, unitName, rate, balance }) => {
    const account = current.find((one) => one.ledgerId === id);
    const isKnown = account === undefined || isBilledAsKnown(account);
    return [id, unitName, isKnown ? cents(rate) : null, cents(balance)];
  });
  return isOf('the rent roll', expected.toSorted(byId), found.toSorted(byId));
}

/** By the plan, also where the daily work that carries a transfer out has not run. */
function unitOn({ transfer, unitName }: Account, day: string): string {
  return transfer !== null && transfer.on <= day ? transfer.unitName : unitName;
}

/** Whether the last rent was billed by the rate of the rental: that of an import may be another. */
function isBilledAsKnown({ model, terms }: Account): boolean {
  const last = model.charges.filter(({ category }) => category === 'rent').at(-1);
  return last === undefined || last.total === modelPeriod(terms, last.dueOn).rentCents;
}

const byId = ([one]: unknown[], [other]: unknown[]) => String(one).localeCompare(String(other));

/** Up to how many days each bucket goes. */
const buckets: [days: number, bucket: string][] = [
  [10, '0-10'],
  [30, '11-30'],
  [60, '31-60'],
  [Infinity, '60+'],
];

async function compareAging(sequence: Sequence): Promise<string | null> {
  const today = dayOf(sequence);
  const expected: Record<string, { rentals: number; owed: number }> = {};
  for (const { model } of sequence.accounts) {
    const due = model.charges
      .filter(({ id, dueOn }) => dueOn <= today && model.open[id] !== undefined)
      .map(({ dueOn }) => dueOn)
      .toSorted();
    if (due.length === 0 || model.balance <= 0) continue;
    const days = daysBetween(due[0]!, today);
    const [, bucket] = buckets.find(([most]) => days <= most)!;
    const sum = (expected[bucket] ??= { rentals: 0, owed: 0 });
    sum.rentals += 1;
    sum.owed += model.balance;
  }
  const { rows, owed } = await readAging(sequence.ctx, {}, placesOf(sequence));
  const found = Object.fromEntries(
    rows.map(({ bucket, rentals, owed: sum }) => [bucket, { rentals, owed: cents(sum) }]),
  );
  const all = Object.values(expected).reduce((sum, one) => sum + one.owed, 0);
  return isOf('the aging report', expected, found) ?? isOf('what is owed in all', all, cents(owed));
}

/** From before the first rental to after the last day of any sequence. */
const ALWAYS = { from: '2020-01-01', to: '2099-12-31' };

async function compareRevenue(sequence: Sequence): Promise<string | null> {
  const { rows } = await readRevenue(sequence.ctx, ALWAYS, placesOf(sequence));
  const credits = everyCredit(sequence).map(({ account, credit }) => ({ account, ...credit }));
  const expected: Record<string, { charged: number; taxes: number }> = {};
  const ofKind = (kind: string) => (expected[kind] ??= { charged: 0, taxes: 0 });
  const again = everyCharge(sequence).filter(({ charge }) => charge.isAgain);
  for (const { charge } of everyCharge(sequence)) {
    if (charge.isAgain) continue;
    const kind = ofKind(charge.category);
    kind.charged += charge.total;
    kind.taxes += charge.tax1 + charge.tax2;
  }
  for (const { account, waives, takenBack, backs, tax1, tax2 } of credits) {
    // What was moved of a waiver, or paid out, has still been waived.
    const isLess = takenBack > sumOf(backs.map((one) => (one.why === 'mistake' ? 0 : one.cents)));
    if (waives === null || isLess) continue;
    ofKind(account.model.chargeOf(waives).category).taxes -= tax1 + tax2;
  }
  const found: Record<string, { charged: number; taxes: number }> = {};
  for (const { kind, charged, tax1, tax2 } of rows) {
    const sum = (found[kind] ??= { charged: 0, taxes: 0 });
    sum.charged += cents(charged);
    sum.taxes += cents(tax1) + cents(tax2);
  }
  const isSomething = ([, { charged, taxes }]: [string, { charged: number; taxes: number }]) =>
    charged !== 0 || taxes !== 0;
  const charges = (all: typeof found) => Object.entries(all).filter(isSomething).toSorted(byId);
  // A won dispute is a payment that came again.
  const isPayment = ({ kind, capture }: (typeof credits)[number]) =>
    kind === 'payment' || capture !== null;
  const taken = sumOf(credits.filter(isPayment).map(({ given }) => given));
  const given = sumOf(credits.filter((one) => !isPayment(one)).map((one) => one.given));
  const back =
    sumOf(credits.map(({ takenBack }) => takenBack)) +
    sumOf(again.map(({ charge }) => charge.total));
  const total = (of: (row: (typeof rows)[number]) => number) =>
    sumOf(rows.map((row) => cents(of(row))));
  return (
    isOf('what was charged by kind, with its taxes', charges(expected), charges(found)) ??
    isOf(
      'what was taken',
      taken,
      total((row) => row.taken),
    ) ??
    isOf(
      'what was waived and credited, less what was taken back',
      given - back,
      total((row) => row.waived + row.credited - row.back),
    )
  );
}

function placesOf({ world }: Sequence): string[] {
  return [world.facilityId];
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function cents(dollars: number): number {
  return Math.round(dollars * 100);
}

function isOf(what: string, wanted: unknown, is: unknown): string | null {
  return isDeepStrictEqual(wanted, is)
    ? null
    : `${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(is)}`;
}
