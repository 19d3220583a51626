import { randomUUID } from 'node:crypto';
import { addDays, daysBetween } from '@gatehouse/contract/dates';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { sendMails } from '#features/desk/mail-sending/send.ts';
import { lookUpPendingPayments } from '#features/money/payments/resolve.ts';
import { runFacilityDay } from '#jobs/facility-day.ts';
import { makeCorporation, makeFacility, makeStaffMember, makeTenant } from '#seeds/builders.ts';
import { openTestApp, type Answer, type TestApp } from './app.ts';
import { expectSoundBooks } from './books.ts';
import { card } from './card.ts';
import { callOffice, signInStaff } from './office.ts';
import { findRows } from './rows.ts';

/**
 * A month of one facility, day by day through the office's calls. What each staff action and each
 * day's own work must come to is written into a journal next to it, in dollars computed by hand
 * from the facility's terms, and the reports of every day must agree with that journal to the cent.
 */
const CODE = 'TXDFW03';
const FIRST = '2026-11-01';
const LAST = '2026-12-02';
const UNITS = ['M1', 'M2', 'M3', 'M4', 'M5', 'M6', 'M7'];

let today = FIRST;
let hour = 11;
let api: TestApp;
let facilityId: string;
let clerk: string;
let manager: string;

beforeAll(async () => {
  const now = () => new Date(`${today}T${String(hour).padStart(2, '0')}:00:00Z`);
  api = await openTestApp('empty_template', { clock: { now } });
  const corporation_id = await makeCorporation(api.owner);
  facilityId = await makeFacility(api.owner, {
    corporation_id,
    location_code: CODE,
    least_payment_cents: 1,
    deposit_cents: 5_000,
    rent_tax1_basis_points: 825,
    rent_tax2_basis_points: 100,
    late_fee_cents: 2_000,
    late_fee_after_days: 5,
    return_fee_cents: 3_500,
    rate_notice_days: 10,
    move_out_proration: true,
  });
  for (const role of ['clerk', 'manager'] as const)
    await makeStaffMember(api.owner, {
      corporationId: corporation_id,
      facilityIds: [facilityId],
      role,
      email: `${role}@example.com`,
      name: role,
      password: 'anchor-axle-26',
      createdAt: now(),
    });
  for (const name of UNITS)
    await api.owner
      .insertInto('units')
      .values({ facility_id: facilityId, name, width_feet: 12, length_feet: 40, type_name: 'RV' })
      .execute();
  for (const who of ['Ames', 'Bell', 'Cole', 'Diaz', 'Ekes'] as const)
    tenants[who] = await makeTenant(api.owner, {
      facility_id: facilityId,
      last_name: who,
      email: `${who.toLowerCase()}@example.com`,
    });
});
afterAll(() => api.close());

const tenants: Record<string, string> = {};

/** A rental of the month: its ledger, and the unit, rent and last day that the journal has. */
type Rental = {
  ledgerId: string;
  units: [from: string, unit: string][];
  rents: [from: string, dollars: number][];
  endedOn: string | null;
};
const rentals: Rental[] = [];

/**
 * A line of the journal: what is added to a balance, in cents; `tax` is the part of it that is tax,
 * `by` how money came or went.
 */
type Line = {
  on: string;
  rental: Rental;
  what: 'charged' | 'waived' | 'credited' | 'taken' | 'back';
  kind: string;
  cents: number;
  tax: number;
  dueOn: string;
  by?: string;
};
const journal: Line[] = [];

function note(
  what: Line['what'],
  rental: Rental,
  kind: string,
  dollars: number,
  { tax = 0, by }: { tax?: number; by?: string } = {},
): void {
  const cents = Math.round(dollars * 100);
  const line = { on: today, rental, what, kind, cents, tax: Math.round(tax * 100), dueOn: today };
  journal.push(by === undefined ? line : { ...line, by });
}

const owes = ({ what, cents }: Line) => (what === 'charged' || what === 'back' ? cents : -cents);
const sumOf = (lines: Line[], part: (line: Line) => number) =>
  lines.reduce((all, line) => all + part(line), 0);
const until = (day: string, rental: Rental) =>
  journal.filter((line) => line.on <= day && line.rental === rental);
const on = <Value>(day: string, values: [from: string, value: Value][]) =>
  values.findLast(([from]) => from <= day)![1];

/** What a clerk may do; the rest is a manager's. */
const OF_CLERKS = [
  ...['payments/record', 'pay-links/create', 'charges/add'],
  ...['rentals/transfer', 'rentals/move-out'],
];
/** A rate of one's own choice is a manager's, also in a verb that clerks do. */
const isOfClerks = (verb: string, body: object) => OF_CLERKS.includes(verb) && !('rate' in body);

/** Previews and does what staff do, by a member with the least role that may. */
async function act(verb: string, body: object): Promise<Answer['body']> {
  const send = (isPreview: boolean) =>
    callOffice(api, 'POST', `/office/verbs/${verb}`, {
      as: isOfClerks(verb, body) ? clerk : manager,
      body: { ...body, key: randomUUID(), why: 'The month', isPreview },
    });
  for (const isPreview of [true, false]) {
    const { status, body: reply } = await send(isPreview);
    expect([today, verb, status, reply.message]).toEqual([today, verb, 200, undefined]);
    if (!isPreview) return reply;
  }
}

async function moveIn(who: string, unit: string, rate: number, tax = 0): Promise<Rental> {
  const { ledgers } = await act('rentals/move-in', {
    tenantId: tenants[who],
    unit,
    on: today,
    rate,
    taxes: tax > 0 ? 'charged' : 'none',
  });
  const rental: Rental = {
    ledgerId: ledgers[0].ledgerId,
    units: [[today, unit]],
    rents: [[today, rate]],
    endedOn: null,
  };
  rentals.push(rental);
  note('charged', rental, 'deposit', 50);
  note('charged', rental, 'rent', rate + tax, { tax });
  return rental;
}

/** What is taken at the counter; answers the receipt's number. */
async function take(
  rental: Rental,
  type: 'cash' | 'check' | 'moneyOrder',
  amount: number,
): Promise<string> {
  const number = type === 'cash' ? {} : { number: '1041' };
  const body = { ledgerIds: [rental.ledgerId], type, amount, ...number };
  const { receiptNumber } = await act('payments/record', body);
  note('taken', rental, 'payment', amount, { by: type });
  return receiptNumber as string;
}

/** What is paid by a pay link; answers the receipt's number. */
async function payByLink(
  rental: Rental,
  amount: number,
  method: { creditCard: object } | { ach: object },
): Promise<string> {
  const { url } = await act('pay-links/create', { ledgerId: rental.ledgerId });
  const path = `/pay-links/${url.split('/pay/')[1]}/payments`;
  const { status, body } = await api.call('POST', path, {
    body: { amount, ...method },
    headers: { 'idempotency-key': randomUUID() },
  });
  expect([today, status, body.message]).toEqual([today, 200, undefined]);
  note('taken', rental, 'payment', amount, { by: Object.keys(method)[0]! });
  return body.receiptNumber as string;
}

const bankAccount = (accountNumber: string) => ({
  ach: { accountType: 'Consumer Checking', accountNumber, routingNumber: '110000000' },
});

/** What each day brings: first what the facility's own work must post, then what staff do. */
async function live(): Promise<void> {
  let ames!: Rental, bell!: Rental, cole!: Rental, diaz!: Rental, ekes!: Rental, other!: Rental;
  let cash = '';
  let check = '';
  let charge = '';
  const days: Record<string, { posted?: () => void; done?: () => Promise<void> }> = {
    '2026-11-01': {
      done: async () => {
        // 8.25 % and 1 % of the rent of $200.
        ames = await moveIn('Ames', 'M1', 200, 18.5);
        cash = await take(ames, 'cash', 268.5);
      },
    },
    '2026-11-02': {
      done: async () => {
        bell = await moveIn('Bell', 'M2', 150);
        check = await take(bell, 'check', 200);
      },
    },
    '2026-11-03': {
      done: async () => {
        cole = await moveIn('Cole', 'M3', 300);
        charge = await payByLink(cole, 350, { creditCard: card });
      },
    },
    '2026-11-04': {
      done: async () => {
        diaz = await moveIn('Diaz', 'M4', 100, 9.25);
        await take(diaz, 'cash', 159.25);
        ekes = await moveIn('Ekes', 'M5', 80);
        await payByLink(ekes, 130, bankAccount(sandboxNumbers.returnedAccount));
        // What the payment settled last is owed again: the deposit, for which no late fee is due.
        await act('payments/refund', { receiptNumber: cash, amount: 30, way: 'cash' });
        note('back', ames, 'payment', 30, { by: 'cash' });
      },
    },
    '2026-11-05': {
      done: async () => {
        await act('payments/reverse', { receiptNumber: check, reason: 'nsf' });
        note('back', bell, 'payment', 200, { by: 'check' });
        note('charged', bell, 'fee', 35);
      },
    },
    '2026-11-07': {
      posted: () => {
        // The bank returns a debit two days after it was begun.
        note('back', ekes, 'payment', 130, { by: 'ach' });
        note('charged', ekes, 'fee', 35);
      },
    },
    '2026-11-10': {
      // A late fee comes five days after the rent is owed, or is owed again.
      posted: () => note('charged', bell, 'fee', 20),
      done: async () => {
        await act('payments/refund', { receiptNumber: charge, amount: 100 });
        // The deposit and as much of the rent.
        note('back', cole, 'payment', 100, { by: 'creditCard' });
        const { chargeId } = await act('charges/add', {
          ledgerId: cole.ledgerId,
          category: 'service',
          description: 'Battery',
          amount: 15,
        });
        note('charged', cole, 'service', 15);
        await act('charges/waive', { chargeId, amount: 5 });
        note('waived', cole, 'service', 5);
        const { creditId } = await act('credits/add', {
          ledgerId: cole.ledgerId,
          amount: 12,
          description: 'Goodwill',
        });
        note('credited', cole, 'credit', 12);
        await act('credits/reverse', { creditId });
        note('credited', cole, 'credit', -12);
      },
    },
    '2026-11-12': {
      posted: () => note('charged', ekes, 'fee', 20),
      done: async () => void (await take(bell, 'moneyOrder', 255)),
    },
    '2026-11-13': {
      done: async () => void (await payByLink(ekes, 185, bankAccount('000123456789'))),
    },
    '2026-11-15': {
      done: async () => {
        const rate = { ledgerId: ames.ledgerId, amount: 220, on: '2026-12-01' };
        await act('rentals/rate', rate);
        ames.rents.push(['2026-12-01', 220]);
        await act('rentals/rate', { ledgerId: bell.ledgerId, amount: 140, on: '2026-12-02' });
        bell.rents.push(['2026-12-02', 140]);
      },
    },
    '2026-11-16': { done: async () => void (await take(ames, 'moneyOrder', 30)) },
    '2026-11-18': {
      done: async () => {
        await take(cole, 'cash', 25);
        const receiptNumber = await take(cole, 'cash', 20);
        await act('payments/reverse', { receiptNumber, reason: 'mistake' });
        note('back', cole, 'payment', 20, { by: 'cash' });
      },
    },
    '2026-11-20': {
      done: async () => {
        await act('rentals/move-out', { ledgerId: diaz.ledgerId, on: today, credit: 'keep' });
        diaz.endedOn = today;
        // 14 of the 30 days from November 4 on are left, of $100 with $8.25 and $1 of tax.
        note('waived', diaz, 'rent', 50.98, { tax: 3.85 + 0.47 });
        note('waived', diaz, 'deposit', 50);
      },
    },
    '2026-11-21': {
      done: async () => {
        other = await moveIn('Diaz', 'M7', 60);
        await act('credits/move', {
          fromLedgerId: diaz.ledgerId,
          toLedgerId: other.ledgerId,
          amount: 100.98,
        });
        note('credited', diaz, 'credit', -100.98);
        note('credited', other, 'credit', 100.98);
      },
    },
    '2026-11-24': {
      done: async () => {
        await act('rentals/transfer', { ledgerId: cole.ledgerId, unit: 'M6', on: today });
        cole.units.push([today, 'M6']);
      },
    },
    // Five days after the tenth since the operator gave a part of the rent back.
    '2026-11-25': { posted: () => note('charged', cole, 'fee', 20) },
    // 8.25 % and 1 % of the new rent of $220.
    '2026-12-01': { posted: () => note('charged', ames, 'rent', 240.35, { tax: 18.15 + 2.2 }) },
    '2026-12-02': { posted: () => note('charged', bell, 'rent', 140) },
  };
  for (; today <= LAST; today = addDays(today, 1)) {
    // Five in the morning of the facility, and noon.
    hour = 11;
    await lookUpPendingPayments(api.ctx);
    await runFacilityDay(api.ctx, { facilityId, date: today });
    days[today]?.posted?.();
    hour = 18;
    clerk = await signInStaff(api, { email: 'clerk@example.com' });
    manager = await signInStaff(api, { email: 'manager@example.com' });
    await days[today]?.done?.();
    await sendQueued();
    await expectReportsOf(today);
    await closeDrawer();
  }
  today = LAST;
}

/** The mails of the day, as its jobs send them: a rise is billed only if its notice was mailed. */
async function sendQueued(): Promise<void> {
  const mails = await findRows(api.owner, 'mails', 'id', { sent_at: null });
  for (const { id } of mails) await sendMails(api.ctx, [id]);
}

test('the reports of every day of a month agree with the journal to the cent, on the day and in the end', async () => {
  await live();
  for (let day = FIRST; day < LAST; day = addDays(day, 1)) await expectReportsOf(day);
  await expectRevenue();
  await expectSoundBooks(api.owner);
});

async function get(path: string, query: Record<string, string>): Promise<Answer['body']> {
  const { status, body } = await callOffice(api, 'GET', path, { as: manager, query });
  expect([path, status, body.message]).toEqual([path, 200, undefined]);
  return body;
}

const cents = (dollars: number) => Math.round(dollars * 100);

/** The rent roll, occupancy, aging and deposits as of a day. */
async function expectReportsOf(day: string): Promise<void> {
  const rented = rentals
    .filter(({ units, endedOn }) => units[0]![0] <= day && (endedOn === null || day < endedOn))
    .map((rental) => ({
      unitName: on(day, rental.units),
      rate: on(day, rental.rents),
      cents: sumOf(until(day, rental), owes),
    }))
    .toSorted((a, b) => a.unitName.localeCompare(b.unitName));
  const roll = await get('/office/reports/rent-roll', { asOf: day, limit: '50' });
  const lines = (roll.rows as { unitName: string; rate: number; balance: number }[]).map(
    ({ unitName, rate, balance }) => ({ unitName, rate, cents: cents(balance) }),
  );
  expect([day, lines]).toEqual([day, rented]);

  const rent = rented.reduce((all, { rate }) => all + rate, 0);
  expect([day, await get('/office/reports/occupancy', { asOf: day })]).toMatchObject([
    day,
    { units: UNITS.length, occupied: rented.length, rent },
  ]);

  const aging = await get('/office/reports/aging', { asOf: day });
  const buckets = (aging.rows as { bucket: string; rentals: number; owed: number }[]).map(
    ({ bucket, rentals: count, owed }) => [bucket, { count, cents: cents(owed) }],
  );
  expect([day, Object.fromEntries(buckets)]).toEqual([day, agingOf(day)]);

  const { facilities, taken, back } = await get('/office/deposits', { on: day });
  const [place] = facilities as Record<'takings' | 'takenBack', Sum[]>[];
  expect([day, byType(place?.takings), cents(taken)]).toEqual([day, ...ofJournal(day, 'taken')]);
  expect([day, byType(place?.takenBack), cents(back)]).toEqual([day, ...ofJournal(day, 'back')]);
}

type Sum = { type: string; amount: number };

function byType(sums: Sum[] = []): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { type, amount } of sums) found[type] = (found[type] ?? 0) + cents(amount);
  return found;
}

function ofJournal(day: string, what: Line['what']): [Record<string, number>, number] {
  const lines = journal.filter((line) => line.on === day && line.what === what);
  const found: Record<string, number> = {};
  for (const line of lines) found[line.by!] = (found[line.by!] ?? 0) + line.cents;
  return [found, sumOf(lines, (line) => line.cents)];
}

/** What is owed by the age of the oldest charge that what was given does not cover. */
function agingOf(day: string): Record<string, { count: number; cents: number }> {
  const found: Record<string, { count: number; cents: number }> = {};
  for (const rental of rentals) {
    const lines = until(day, rental);
    const balance = sumOf(lines, owes);
    if (balance <= 0) continue;
    const charges = lines.filter(({ what }) => what === 'charged');
    let given = sumOf(charges, owes) - balance;
    const oldest = charges.find((line) => (given -= line.cents) < 0)!;
    const days = daysBetween(oldest.dueOn, day);
    const bucket = days <= 10 ? '0-10' : days <= 30 ? '11-30' : '31-60';
    const sum = (found[bucket] ??= { count: 0, cents: 0 });
    sum.count += 1;
    sum.cents += balance;
  }
  return found;
}

/** Counts what the journal says is in the drawer, and closes the day without a difference. */
async function closeDrawer(): Promise<void> {
  const inDrawer = (type: string) => {
    const lines = journal.filter((line) => line.on === today && line.by === type);
    // A check that bounced came out of an earlier day's drawer, at the bank.
    const isOut = ({ what }: Line) => what === 'back' && type === 'cash';
    const out = sumOf(lines.filter(isOut), (line) => line.cents);
    return (sumOf(lines, ({ what, cents: sum }) => (what === 'taken' ? sum : 0)) - out) / 100;
  };
  const [cash, check, moneyOrder] = ['cash', 'check', 'moneyOrder'].map(inDrawer);
  const body = { on: today, cash, check, moneyOrder, locationCode: CODE };
  const { difference } = await act('drawers/close', body);
  expect([today, difference]).toEqual([today, 0]);
}

async function expectRevenue(): Promise<void> {
  const parts = ['charged', 'waived', 'credited', 'taken', 'back'] as const;
  const { rows } = await get('/office/reports/revenue', { from: FIRST, to: LAST });
  const found = (rows as Record<string, string | number>[]).map((row) => [
    `${row['month']} ${row['kind']}`,
    cents((row['tax1'] as number) + (row['tax2'] as number)),
    ...parts.map((part) => cents(row[part] as number)),
  ]);
  const byKind = Map.groupBy(journal, (line) => `${line.on.slice(0, 7)} ${line.kind}`);
  const expected = [...byKind].map(([name, lines]) => [
    name,
    sumOf(lines, ({ what, tax }) => (what === 'waived' ? -tax : tax)),
    ...parts.map((part) => sumOf(lines, (line) => (line.what === part ? line.cents : 0))),
  ]);
  const byName = ([a]: (string | number)[], [b]: (string | number)[]) =>
    String(a).localeCompare(String(b));
  expect(found.toSorted(byName)).toEqual(expected.toSorted(byName));
}
