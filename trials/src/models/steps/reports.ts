import { isDeepStrictEqual } from 'node:util';
import { daysBetween } from '@gatehouse/contract/dates';
import {
  readAging,
  readRentRoll,
  readRevenue,
} from '@gatehouse/server/src/features/desk/office/reports.ts';
import { readLines } from '@gatehouse/server/src/features/money/journal/journal.ts';
import { modelPeriod } from '../model-bill.ts';
import type { Back } from '../model-ledger.ts';
import { dayOf, everyCharge, everyCredit, isCurrent, type Account, type Sequence } from './step.ts';

/**
 * Compares the reports of today with the model: rents and balances of each rental, what is owed by
 * its age, all that was posted by kind, and the journal. Answers the first sentence that does not
 * hold.
 */
export async function compareReports(sequence: Sequence): Promise<string | null> {
  return (
    (await compareRentRoll(sequence)) ??
    (await compareAging(sequence)) ??
    (await compareRevenue(sequence)) ??
    (await compareJournal(sequence))
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
  for (const { account, waives, isWriteOff, takenBack, backs, tax1, tax2 } of credits) {
    if (waives === null || isWriteOff === true || isTakenBack({ takenBack, backs })) continue;
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
      total((row) => row.waived + row.writtenOff + row.credited - row.back),
    )
  );
}

/**
 * The journal until today comes to 0 on every day, and its accounts to what the model has: of the
 * accrual basis what is owed, open, held and in taxes, of the cash basis what payments settled.
 */
async function compareJournal(sequence: Sequence): Promise<string | null> {
  const { ctx, session, accounts } = sequence;
  const sums: Record<'accrual' | 'cash', Record<string, number>> = { accrual: {}, cash: {} };
  for (const basis of ['accrual', 'cash'] as const) {
    const lines = await readLines(ctx.db, ALWAYS, basis, placesOf(sequence));
    const days: Record<string, number> = {};
    const owed: Record<string, number> = {};
    for (const { day, account, cents: part } of lines) {
      days[day] = (days[day] ?? 0) + part;
      if (account === 'receivable' || account === 'prepaid') owed[day] = (owed[day] ?? 0) + part;
      if (day <= dayOf(sequence)) sums[basis][account] = (sums[basis][account] ?? 0) + part;
    }
    const uneven = Object.entries(days).filter(([, sum]) => sum !== 0);
    if (uneven.length > 0) return `the ${basis} journal does not come to 0: ${String(uneven)}`;
    if (basis === 'cash') continue;
    const { rows } = await session.run(
      `SELECT posted_on AS day, sum(amount_cents)::bigint AS cents FROM entries
       WHERE facility_id = $1 GROUP BY 1`,
      placesOf(sequence),
    );
    const posted = (rows as { day: string; cents: number }[]).map((row) => [row.day, row.cents]);
    const some = (all: [string, number][]) => Object.fromEntries(all.filter(([, sum]) => sum));
    const fault = isOf(
      'what the journal adds to the balances on each day',
      some(posted as [string, number][]),
      some(Object.entries(owed)),
    );
    if (fault !== null) return fault;
  }
  const charges = everyCharge(sequence);
  const credits = everyCredit(sequence).map(({ account, credit }) => ({ account, ...credit }));
  const isHeld = (category: string) => category === 'deposit';
  const lasting = credits.filter((one) => one.waives !== null && !isTakenBack(one));
  const waived = lasting.map((one) => ({
    ...one,
    charge: one.account.model.chargeOf(one.waives!),
  }));
  const isCapture = (one: (typeof credits)[number]) =>
    one.kind === 'payment' || one.capture !== null;
  const goneOf = (one: (typeof credits)[number], why: Back['why']) =>
    sumOf(one.backs.filter((back) => !back.isAgain && back.why === why).map((back) => back.cents));
  const moneyOf = (one: (typeof credits)[number]) =>
    isCapture(one) ? one.given - one.takenBack + goneOf(one, 'moved') : 0 - goneOf(one, 'refund');
  const isMoney = new Set(credits.filter((one) => one.isMoney).map(({ id }) => id));
  const byMoney = (is: (charge: (typeof charges)[number]['charge']) => boolean) =>
    sumOf(
      charges
        .filter(({ charge }) => is(charge))
        .flatMap(({ charge }) => charge.parts)
        .filter(({ creditId }) => isMoney.has(creditId))
        .map((part) => part.cents),
    );
  const moneyIn = sumOf(credits.map(moneyOf));
  const open = accounts.flatMap(({ model }) => Object.values(model.open));
  const unused = accounts.flatMap(({ model }) => Object.entries(model.openCredits));
  const taxes = ['rentTax1', 'rentTax2', 'insuranceTax1', 'insuranceTax2'];
  const money = ['bank', 'drawer', 'gateway', 'before'];
  const of = (basis: 'accrual' | 'cash', names: string[]) =>
    sumOf(names.map((name) => sums[basis][name] ?? 0));
  const again = charges.filter(({ charge }) => charge.isAgain);
  const incomes = ['rent', 'insurance', 'service', 'lateFees', 'cardFees', 'fees'];
  return (
    isOf('receivables', sumOf(open), of('accrual', ['receivable'])) ??
    isOf(
      'payments in advance',
      0 - sumOf(unused.map(([, sum]) => sum)),
      of('accrual', ['prepaid']),
    ) ??
    isOf(
      'deposits held',
      sumOf(waived.filter(({ charge }) => isHeld(charge.category)).map((one) => one.given)) -
        sumOf(charges.map(({ charge }) => (isHeld(charge.category) ? charge.total : 0))),
      of('accrual', ['deposits']),
    ) ??
    isOf(
      'sales taxes',
      sumOf(
        waived
          .filter(({ charge }) => !isHeld(charge.category))
          .map((one) => (one.isWriteOff === true ? 0 : one.tax1 + one.tax2)),
      ) -
        sumOf(
          charges.map(({ charge }) => (isHeld(charge.category) ? 0 : charge.tax1 + charge.tax2)),
        ),
      of('accrual', taxes),
    ) ??
    isOf(
      'bad debt',
      sumOf(
        waived
          .filter(({ charge }) => !isHeld(charge.category))
          .map((one) => (one.isWriteOff === true ? one.given : 0)),
      ),
      of('accrual', ['badDebt']),
    ) ??
    isOf('money', moneyIn - sumOf(again.map(({ charge }) => charge.total)), of('accrual', money)) ??
    isOf('money on the cash basis', of('accrual', money), of('cash', money)) ??
    isOf(
      'payments in advance on the cash basis',
      0 - sumOf(unused.map(([id, sum]) => (isMoney.has(id) ? sum : 0))),
      of('cash', ['prepaid']),
    ) ??
    isOf(
      'deposits that were paid',
      0 - byMoney(({ category }) => isHeld(category)),
      of('cash', ['deposits']),
    ) ??
    isOf(
      'what payments settled',
      0 - byMoney(({ category, isAgain }) => !isHeld(category) && !isAgain),
      of('cash', [...incomes, ...taxes]),
    )
  );
}

/** What was moved of a waiver, or paid out, has still been waived. */
function isTakenBack({ takenBack, backs }: { takenBack: number; backs: Back[] }): boolean {
  return takenBack > sumOf(backs.map((one) => (one.why === 'mistake' ? 0 : one.cents)));
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
