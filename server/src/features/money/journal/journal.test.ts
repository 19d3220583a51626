import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { JournalRow } from '@gatehouse/contract/office/journal';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { postCharges } from '#seeds/builders.ts';
import { useTestApp, type Answer } from '#test/app.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { makeOwingRental, type OwingRental } from '#test/owing-rental.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const api = useTestApp('demo_template');
let clerk: string;
let manager: string;
let owner: string;
let facilityId: string;
let today: string;
let rental: OwingRental;

beforeAll(async () => {
  clerk = await signInStaff(api, 'clerk');
  manager = await signInStaff(api, 'manager');
  owner = await signInStaff(api, 'owner');
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
  const { id } = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' });
  facilityId = id;
  rental = await makeOwingRental(api, id);
  await changeRows(api.owner, 'facilities', { insurance_tax1_basis_points: 825 }, { id });
});

const get = (query: Record<string, string>, as = manager) =>
  callOffice(api, 'GET', '/office/journal', { as, query });
const act = async (verb: string, body: object): Promise<Answer['body']> => {
  const all = { ...body, key: randomUUID(), why: 'The test', isPreview: false };
  const { status, body: reply } = await doVerb(api, manager, verb, all);
  expect([verb, status, reply.message]).toEqual([verb, 200, undefined]);
  return reply;
};

/** The sums of today, in cents: debits above 0. */
async function sumsOf(basis: 'accrual' | 'cash', day = today): Promise<Record<string, number>> {
  const { status, body } = await get({ from: day, to: day, basis, locationCode: 'TXDFW03' });
  expect(status).toBe(200);
  return Object.fromEntries(
    (body.rows as JournalRow[]).map(({ account, debit, credit }) => [
      account,
      Math.round(debit * 100) - Math.round(credit * 100),
    ]),
  );
}

/** What an act adds to the journal of today, account by account, in cents. */
async function added(basis: 'accrual' | 'cash', work: () => Promise<unknown>) {
  const before = await sumsOf(basis);
  await work();
  const after = await sumsOf(basis);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, cents]) => cents !== 0));
}

describe('the journal', () => {
  test('has debits and credits that are even on every day of every facility', async () => {
    for (const basis of ['accrual', 'cash']) {
      const { body } = await get({ from: addDays(today, -360), to: today, basis });
      const days = Map.groupBy(
        body.rows as JournalRow[],
        ({ day, locationCode }) => `${day} ${locationCode}`,
      );
      expect(days.size).toBeGreaterThan(30);
      for (const [day, rows] of days) {
        const cents = rows.reduce(
          (sum, { debit, credit }) => sum + Math.round(debit * 100) - Math.round(credit * 100),
          0,
        );
        expect([day, cents]).toEqual([day, 0]);
      }
      expect(body.debit).toBe(body.credit);
    }
  });

  test('has a taxed charge as income and tax, and nothing of it on the cash basis', async () => {
    const { ledgerId } = rental;
    const body = { ledgerId, category: 'insurance', description: 'Cover', amount: 100 };
    expect(await added('accrual', () => act('charges/add', { ...body, isTaxed: true }))).toEqual({
      receivable: 10_825,
      insurance: -10_000,
      insuranceTax1: -825,
    });
    expect(await added('cash', () => act('charges/add', body))).toEqual({});
  });

  test('holds a deposit with the tax that an import gave it', async () => {
    const deposit = { category: 'deposit' as const, description: 'Deposit', dueOn: today };
    const posted = { ...deposit, priceCents: 10_000, tax1Cents: 825 };
    const other = await makeOwingRental(api, facilityId);
    expect(await added('accrual', () => postCharges(api.owner, other.ledgerId, [posted]))).toEqual({
      receivable: 10_825,
      deposits: -10_825,
    });
  });

  test('has cash in the drawer, and income on the cash basis when it settles a charge', async () => {
    const { ledgerId } = rental;
    const pay = () => act('payments/record', { ledgerIds: [ledgerId], type: 'cash', amount: 150 });
    expect(await added('accrual', pay)).toEqual({ drawer: 15_000, receivable: -15_000 });
    expect(await added('cash', pay)).toMatchObject({ drawer: 15_000 });
  });

  test('has a write-off as bad debt with its tax, and a waiver as a waiver without', async () => {
    const { ledgerId } = rental;
    const fee = {
      ledgerId,
      category: 'insurance',
      description: 'Cover',
      amount: 40,
      isTaxed: true,
    };
    const { chargeId } = await act('charges/add', fee);
    expect(await added('accrual', () => act('charges/waive', { chargeId }))).toMatchObject({
      receivable: -4330,
      waived: 4000,
      insuranceTax1: 330,
    });
    const before = await act('charges/add', fee);
    const owed = Math.round(before.ledgers[0].balance * 100);
    const writeOff = () => act('charges/write-off', { ledgerId });
    expect(await added('accrual', writeOff)).toEqual({ receivable: -owed, badDebt: owed });
    expect(await added('cash', () => act('charges/add', fee))).toEqual({});
    expect(await added('cash', writeOff)).toEqual({});
  });

  test.each([
    [{ from: '2026-11-02', to: '2026-11-01', basis: 'cash' }, 422],
    [{ from: '2024-11-02', to: '2026-11-01', basis: 'cash' }, 422],
    [{ from: '2026-11-01', to: '2026-11-02', basis: 'both' }, 422],
    [{ from: '2026-11-01', to: '2026-11-02', basis: 'cash', locationCode: 'NOWHERE' }, 404],
  ])('refuses %j with %i', async (query, status) => {
    expect((await get(query as Record<string, string>)).status).toBe(status);
  });

  test('is not for a clerk, nor for who is not signed in', async () => {
    const query = { from: today, to: today, basis: 'accrual' };
    expect((await get(query, clerk)).status).toBe(403);
    expect((await callOffice(api, 'GET', '/office/journal', { query })).status).toBe(401);
  });
});

describe('a write-off', () => {
  const writeOff = (body: object, as = manager) =>
    doVerb(api, as, 'charges/write-off', { why: 'Moved away', ...body });

  test('takes the oldest charges first, mails nothing, and is owed again when it is taken back', async () => {
    const { ledgerId } = await makeOwingRental(api, facilityId);
    await act('charges/add', { ledgerId, category: 'fee', description: 'Lock cut', amount: 25 });
    const mails = await findRows(api.owner, 'mails', 'id');
    const preview = await writeOff({ ledgerId, amount: 210, isPreview: true });
    const { status, body } = await writeOff({ ledgerId, amount: 210 });
    expect([status, body.ledgers[0].balance]).toEqual([200, 15]);
    expect(preview.body.ledgers).toEqual(body.ledgers);
    expect(body.charges.map((one: { amount: number }) => one.amount)).toEqual([200, 10]);
    expect(await findRows(api.owner, 'mails', 'id')).toHaveLength(mails.length);
    const back = () => act('credits/reverse', { creditId: body.charges[0].creditId });
    expect(await added('accrual', back)).toEqual({ receivable: 20_000, badDebt: -20_000 });
    const { body: revenue } = await callOffice(api, 'GET', '/office/reports/revenue', {
      as: manager,
      query: { from: today, to: today, locationCode: 'TXDFW03' },
    });
    expect(revenue.totals.writtenOff).toBeGreaterThanOrEqual(10);
  });

  test('is refused of more than is owed, of nothing, without a reason, and to a clerk', async () => {
    const { ledgerId } = await makeOwingRental(api, facilityId);
    const refused = async (body: object, as?: string) => {
      const answer = await writeOff({ ledgerId, ...body }, as);
      return [answer.status, answer.body.message as unknown];
    };
    expect((await refused({ amount: 200.01 }))[1]).toMatch(/owes \$200\.00 only/);
    expect(await refused({ why: ' ' })).toEqual([422, 'Give the reason (why).']);
    expect((await refused({}, clerk))[0]).toBe(403);
    await writeOff({ ledgerId });
    expect((await refused({}))[1]).toMatch(/owes nothing to write off/);
  });
});

describe('a closed month', () => {
  const close = (body: object, as = manager) =>
    doVerb(api, as, 'journal/close', { why: 'Done', locationCode: 'TXDFW03', ...body });
  const month = () => addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);

  test('never changes again: what comes later for its days is on the first open day', async () => {
    const first = `${today.slice(0, 7)}-01`;
    const last = addDays(first, -1);
    const { ledgerId } = await makeOwingRental(api, facilityId);
    const range = { from: `${month()}-01`, to: last, locationCode: 'TXDFW03' };
    const closed = async (basis: string) =>
      (await get({ ...range, basis })).body.rows as JournalRow[];
    const before = [await closed('accrual'), await closed('cash')];
    const preview = await close({ month: month(), isPreview: true });
    const { status, body } = await close({ month: month() });
    expect([status, body]).toEqual([200, preview.body]);
    expect(body.lastDay).toBe(last);
    expect(await closed('accrual')).toEqual(before[0]);

    const open = await sumsOf('accrual', first);
    const rent = { category: 'fee' as const, description: 'Late', priceCents: 1234 };
    await postCharges(api.owner, ledgerId, [{ ...rent, dueOn: last }]);
    await api.owner
      .updateTable('entries')
      .set({ posted_on: last })
      .where('ledger_id', '=', ledgerId)
      .where('amount_cents', '=', 1234)
      .execute();
    expect([await closed('accrual'), await closed('cash')]).toEqual(before);
    const after = await sumsOf('accrual', first);
    expect((after['receivable'] ?? 0) - (open['receivable'] ?? 0)).toBe(1234);
    expect((after['fees'] ?? 0) - (open['fees'] ?? 0)).toBe(-1234);
  });

  test('is closed once, when it is over, with a reason, of one facility, and by no clerk', async () => {
    const refused = async (body: object, as?: string) => {
      const answer = await close(body, as);
      return [answer.status, answer.body.message as unknown];
    };
    expect((await refused({ month: month() }))[0]).toBe(409);
    expect((await refused({ month: '2020-01' }))[0]).toBe(409);
    expect((await refused({ month: today.slice(0, 7) }))[0]).toBe(422);
    expect((await refused({ month: '2026-13' }))[1]).toBe('The month must be like 2026-11.');
    expect((await refused({ month: month(), why: '' }))[0]).toBe(422);
    expect(await refused({ month: month(), locationCode: undefined }, owner)).toEqual([
      422,
      'Name one facility.',
    ]);
    expect((await refused({ month: month() }, clerk))[0]).toBe(403);
    await expect(api.sql`UPDATE closed_months SET entries_through = 0`).rejects.toThrow(
      'closed_months is never changed',
    );
  });
});

describe('a close of a month', () => {
  const close = () =>
    doVerb(api, owner, 'journal/close', {
      ...{ why: 'Done', isPreview: true, locationCode: 'AZPHX01' },
      month: addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7),
    });

  test('waits for a payment at the counter, which waits for nothing of it', async () => {
    const { id } = await getRow(api.owner, 'facilities', 'id', { location_code: 'AZPHX01' });
    const { ledgerId } = await makeOwingRental(api, id);
    const closing = await api.ctx.db.transaction().execute(async (trx) => {
      await sql`SELECT FROM ledgers WHERE id = ${ledgerId} FOR NO KEY UPDATE`.execute(trx);
      const waiting = close();
      await untilLockWait(api.owner);
      await sql`SELECT FROM facilities WHERE id = ${id} FOR SHARE NOWAIT`.execute(trx);
      return { waiting };
    });
    expect((await closing.waiting).status).toBe(200);
  });

  test('waits for an import, whose rentals it does not see', async () => {
    const closing = await api.ctx.db.transaction().execute(async (trx) => {
      await sql`SELECT pg_advisory_xact_lock(hashtext('gatehouse import'))`.execute(trx);
      const waiting = close();
      await untilLockWait(api.owner);
      return { waiting };
    });
    expect((await closing.waiting).status).toBe(200);
  });
});

describe('an account of the journal', () => {
  test('has the number and name that an owner gives it', async () => {
    const name = (as: string) =>
      doVerb(api, as, 'journal/account', {
        ...{ account: 'rent', number: '40100', name: 'Storage rent' },
      });
    expect((await name(manager)).status).toBe(403);
    expect((await name(owner)).status).toBe(200);
    const { body } = await get({ from: addDays(today, -40), to: today, basis: 'accrual' });
    const rents = (body.rows as JournalRow[]).filter(({ account }) => account === 'rent');
    expect(new Set(rents.map((row) => `${row.number} ${row.name}`))).toEqual(
      new Set(['40100 Storage rent']),
    );
  });
});
