import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { JournalRow } from '@gatehouse/contract/office/journal';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestApp, type Answer } from '#test/app.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { makeOwingRental, type OwingRental } from '#test/owing-rental.ts';
import { changeRows, getRow } from '#test/rows.ts';

const api = useTestApp('demo_template');
let clerk: string;
let manager: string;
let today: string;
let rental: OwingRental;

beforeAll(async () => {
  clerk = await signInStaff(api, 'clerk');
  manager = await signInStaff(api, 'manager');
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
  const { id } = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' });
  rental = await makeOwingRental(api, id);
  await changeRows(api.owner, 'facilities', { insurance_tax1_basis_points: 825 }, { id });
});

const get = (query: Record<string, string>, as = manager) =>
  callOffice(api, 'GET', '/office/journal', { as, query });
const act = async (verb: string, body: object): Promise<Answer['body']> => {
  const all = { ...body, key: randomUUID(), why: 'The test', isPreview: false };
  const { status, body: reply } = await callOffice(api, 'POST', `/office/verbs/${verb}`, {
    as: manager,
    body: all,
  });
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

  test('has cash in the drawer, and income on the cash basis when it settles a charge', async () => {
    const { ledgerId } = rental;
    const pay = () => act('payments/record', { ledgerIds: [ledgerId], type: 'cash', amount: 150 });
    expect(await added('accrual', pay)).toEqual({ drawer: 15_000, receivable: -15_000 });
    expect(await added('cash', pay)).toMatchObject({ drawer: 15_000 });
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
