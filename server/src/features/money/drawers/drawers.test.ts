import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import type { getDepositDay, getDeposits } from '@gatehouse/contract/office/reports';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLedger, postCharges } from '#seeds/builders.ts';
import { storePayouts } from '#features/money/reconciliation/payouts.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { card } from '#test/card.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { testClock } from '#test/test-day.ts';
import { addRows, getRow } from '#test/rows.ts';

const NOON = new Date('2026-11-25T18:00:00Z');

let now = NOON;
let ana: string;
let ben: string;
let marcus: string;
let dana: SignedIn;
let facilityId: string;
let count = 0;
const api = useTestApp('demo_template', { clock: { now: () => now } });
beforeAll(async () => {
  const facility = await getRow(api.owner, 'facilities', ['id', 'corporation_id'], {
    location_code: 'TXDFW03',
  });
  facilityId = facility.id;
  const { id } = await api.owner
    .insertInto('staff_members')
    .values({
      corporation_id: facility.corporation_id,
      email: 'ben@anchor-axle.example',
      name: 'Ben Cole',
      role: 'clerk',
      password_hash: 'none',
      created_at: NOON,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addRows(api.owner, 'staff_facilities', { staff_id: id, facility_id: facilityId });
  await setNow(NOON);
});
afterAll(() => expectSoundBooks(api.owner));

/** Each test has a day of its own, with an empty drawer. */
async function nextDay(): Promise<string> {
  await setNow(new Date(now.getTime() + 86_400_000));
  return calendarDateIn('America/Chicago', now);
}

/** Sessions of an earlier time have ended. */
async function setNow(instant: Date): Promise<void> {
  now = instant;
  ana = await signInStaff(api, 'clerk');
  ben = await signInStaff(api, { email: 'ben@anchor-axle.example' });
  marcus = await signInStaff(api, 'manager');
  dana = await signIn(api, 'dana@example.com');
}

/** A rental of Dana's that owes 1,000 dollars. */
async function makeRental() {
  count += 1;
  const rental = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: dana.tenantIds[0]!,
    unit: { facility_id: facilityId, name: `R${count}` },
    moved_in_on: '2026-11-14',
  });
  await postCharges(api.owner, rental.ledgerId, [
    { category: 'fee', description: 'Fee', dueOn: '2026-11-19', priceCents: 100_000 },
  ]);
  return rental;
}

function verb(name: string, body: object, as = ana) {
  const caller = { key: randomUUID(), isPreview: false, why: 'At the counter' };
  return doVerb(api, as, name, { ...caller, ...body });
}

async function take(amount: number, type: object = { type: 'cash' }, as = ana): Promise<string> {
  const { ledgerId } = await makeRental();
  const { body } = await verb('payments/record', { ledgerIds: [ledgerId], amount, ...type }, as);
  return body.receiptNumber as string;
}

const none = { cash: 0, check: 0, moneyOrder: 0 };

function close(on: string, counted: object, as = ana) {
  return verb('drawers/close', { on, ...none, ...counted, locationCode: 'TXDFW03' }, as);
}

async function drawerOf(on: string, as = ana) {
  const query = { on, locationCode: 'TXDFW03' };
  const { body } = await callOffice(api, 'GET', '/office/deposits/day', { as, query });
  return (body as Reply<typeof getDepositDay>).drawers[0]!;
}

const sentence = ({ status, body }: { status: number; body: { message?: string } }) => [
  status,
  body.message,
];

describe('the drawer of a day', () => {
  test('holds what was taken, less what went back in cash or was a mistake', async () => {
    const on = await nextDay();
    const cash = await take(120);
    await take(50.25, { type: 'cash' }, marcus);
    await take(80, { type: 'check', number: '1042' });
    const bounced = await take(60, { type: 'check', number: '1043' });
    const mistake = await take(30, { type: 'moneyOrder', number: '77' });
    await verb('payments/refund', { receiptNumber: cash, amount: 20, way: 'cash' }, marcus);
    await verb('payments/reverse', { receiptNumber: bounced, reason: 'nsf' }, marcus);
    await verb('payments/reverse', { receiptNumber: mistake, reason: 'mistake' }, marcus);
    const { lines, takers } = await drawerOf(on);
    expect(lines).toMatchObject([
      { type: 'cash', count: 2, taken: 170.25, back: 20, mistaken: 0, expected: 150.25 },
      { type: 'check', count: 2, taken: 140, back: 0, mistaken: 0, expected: 140 },
      { type: 'moneyOrder', count: 0, taken: 30, back: 0, mistaken: 30, expected: 0 },
    ]);
    expect(takers).toEqual([
      { by: 'Ana Flores', count: 4, amount: 290 },
      { by: 'Marcus Webb', count: 1, amount: 50.25 },
    ]);
    const closed = await close(on, { cash: 150.25, check: 140 }, ben);
    expect(closed.body.lines[0]).toEqual({
      type: 'cash',
      count: 2,
      taken: 170.25,
      back: 20,
      mistaken: 0,
      expected: 150.25,
      counted: 150.25,
      difference: 0,
    });
    expect((await drawerOf(on)).lines).toEqual(closed.body.lines);
  });

  test('has a check that pays two rentals as one payment of its whole sum, and so has the day', async () => {
    const on = await nextDay();
    const [first, second] = [await makeRental(), await makeRental()];
    const paid = await verb('payments/record', {
      ledgerIds: [first.ledgerId, second.ledgerId],
      amount: 1600.5,
      type: 'check',
      number: '2001',
    });
    expect(paid.body.payments).toHaveLength(2);
    const { receiptNumber } = paid.body;
    const query = { on, locationCode: 'TXDFW03' };
    const day = async () => {
      const { body } = await callOffice(api, 'GET', '/office/deposits', { as: ana, query });
      return (body as Reply<typeof getDeposits>).facilities[0]!;
    };
    const { lines, takers } = await drawerOf(on);
    expect(lines).toMatchObject([{ type: 'check', count: 1, taken: 1600.5, expected: 1600.5 }]);
    expect(takers).toEqual([{ by: 'Ana Flores', count: 1, amount: 1600.5 }]);
    expect((await day()).takings).toMatchObject([{ type: 'check', count: 1, amount: 1600.5 }]);
    // Of both rentals at once, and then of one.
    for (const amount of [1200, 100])
      await verb('payments/refund', { receiptNumber, amount, way: 'cash' }, marcus);
    expect((await day()).takenBack).toEqual([
      { type: 'cash', reason: 'refund', count: 2, amount: 1300 },
    ]);
    expect((await drawerOf(on)).lines).toMatchObject([
      { type: 'cash', count: 0, taken: 0, back: 1300, expected: -1300 },
      { type: 'check', count: 1, taken: 1600.5, back: 0, expected: 1600.5 },
    ]);
    expect((await close(on, { check: 1600.5 }, ben)).body.lines[0]).toMatchObject({
      type: 'cash',
      back: 1300,
      expected: -1300,
      counted: 0,
      difference: 1300,
    });
  });

  test('is closed by a member who took no cash of it, with what is over or short', async () => {
    const on = await nextDay();
    await take(120);
    await take(80, { type: 'check', number: '1044' }, ben);
    const refused = 'You took cash on this day: somebody who did not closes it, such as Ben Cole.';
    expect(sentence(await close(on, { cash: 120, check: 80 }))).toEqual([403, refused]);
    expect((await drawerOf(on)).refusal).toBe(refused);
    expect((await drawerOf(on, ben)).refusal).toBeNull();
    const closed = await close(on, { cash: 118.5, check: 80 }, ben);
    expect(closed.body).toMatchObject({
      locationCode: 'TXDFW03',
      lines: [
        { type: 'cash', count: 1, expected: 120, counted: 118.5, difference: -1.5 },
        { type: 'check', expected: 80, counted: 80, difference: 0 },
        { type: 'moneyOrder', count: 0, expected: 0, counted: 0, difference: 0 },
      ],
      difference: -1.5,
    });
    expect((await drawerOf(on)).closing).toMatchObject({ by: 'Ben Cole', why: 'At the counter' });
    expect(sentence(await close(on, {}, marcus))).toEqual([409, 'Ben Cole has closed this day.']);
    const event = await api.owner
      .selectFrom('audit_events')
      .select(['details', 'facility_id'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({
      facility_id: facilityId,
      details: { verb: 'drawers.close', by: 'Ben Cole', on, difference: '-1.5' },
    });
  });

  test('is closed by the one who took its cash only where no other person could, and by a manager', async () => {
    const on = await nextDay();
    await take(10, { type: 'cash' }, marcus);
    expect((await close(on, { cash: 10 }, marcus)).status).toBe(200);
    const alone = await nextDay();
    await take(10);
    await sql`UPDATE staff_members SET disabled_at = ${testClock.now()} WHERE name <> 'Ana Flores'`.execute(
      api.owner,
    );
    expect((await close(alone, { cash: 10 })).status).toBe(200);
    await sql`UPDATE staff_members SET disabled_at = NULL`.execute(api.owner);
  });

  test('never changes once it is closed: what comes later belongs to the next day', async () => {
    const on = await nextDay();
    const next = addDays(on, 1);
    const receiptNumber = await take(100);
    await close(on, { cash: 100 }, ben);
    await take(40);
    await verb('payments/refund', { receiptNumber, amount: 25, way: 'cash' }, marcus);
    expect((await drawerOf(on)).lines[0]).toMatchObject({ expected: 100, counted: 100 });
    expect((await drawerOf(next)).lines).toMatchObject([
      { type: 'cash', count: 1, taken: 40, back: 25, expected: 15 },
    ]);
    const refused = /is never changed|is closed until/;
    for (const change of [
      sql`UPDATE drawer_counts SET counted_cents = 1 WHERE on_day = ${on}`,
      sql`DELETE FROM drawer_counts WHERE on_day = ${on}`,
      sql`UPDATE drawer_closings SET by_name = 'x' WHERE on_day = ${on}`,
      sql`UPDATE drawer_entries SET deposit_on = ${on} WHERE deposit_on = ${next}`,
      sql`DELETE FROM drawer_entries WHERE deposit_on = ${on}`,
      sql`INSERT INTO drawer_closings SELECT facility_id, on_day - 1, staff_id, by_name, why, closed_at
        FROM drawer_closings WHERE on_day = ${on}`,
    ])
      await expect(change.execute(api.owner)).rejects.toThrow(refused);
    await expect(
      sql`DELETE FROM drawer_entries WHERE deposit_on = ${on}`.execute(api.ctx.db),
    ).rejects.toThrow(/permission denied/);
    await nextDay();
    await close(next, { cash: 15 }, ben);
  });

  test('closes after those before it, once it has come, at the own facilities only', async () => {
    const on = await nextDay();
    await take(10);
    const next = await nextDay();
    await take(20);
    const usDate = (day: string) => day.replace(/(\d+)-0?(\d+)-0?(\d+)/, '$2/$3/$1');
    expect(sentence(await close(next, { cash: 20 }, ben))).toEqual([
      409,
      `Close ${usDate(on)} first.`,
    ]);
    expect(sentence(await close(addDays(next, 1), {}, ben))).toEqual([
      422,
      'This day is still to come.',
    ]);
    expect((await close(on, { cash: 10 }, ben)).status).toBe(200);
    expect((await close(next, { cash: 20 }, ben)).status).toBe(200);
    expect(sentence(await close(addDays(on, -30), {}, ben))).toEqual([
      409,
      `The days until ${usDate(next)} are closed.`,
    ]);
    const elsewhere = { on: next, ...none, locationCode: 'AZPHX01' };
    expect((await verb('drawers/close', elsewhere, ben)).status).toBe(404);
    expect(sentence(await verb('drawers/close', { on: next, ...none }, marcus))[0]).toBe(422);
    for (const cash of [-1, 1.005, '12', null])
      expect((await close(next, { cash }, ben)).status).toBe(422);
  });
});

describe('at once', () => {
  test('two who close: one does, and the other reads who', async () => {
    const on = await nextDay();
    await take(100);
    const answers = await Promise.all([
      close(on, { cash: 100 }, ben),
      close(on, { cash: 99 }, marcus),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { closing } = await drawerOf(on);
    expect(sentence(answers.find(({ status }) => status === 409)!)).toEqual([
      409,
      `${closing!.by} has closed this day.`,
    ]);
  });

  test('a close and payments: each payment is in the closed day as it was counted, or in the next', async () => {
    const on = await nextDay();
    await take(1);
    const [closed] = await Promise.all([
      close(on, { cash: 1 }, ben),
      ...Array.from({ length: 8 }, () => take(5)),
    ]);
    expect(closed.status).toBe(200);
    const sums = await api.owner
      .selectFrom('drawer_entries')
      .select(['deposit_on', sql<number>`sum(cents)::int`.as('cents')])
      .where('deposit_on', '>=', on)
      .groupBy('deposit_on')
      .execute();
    const centsOn = (day: string) => sums.find(({ deposit_on }) => deposit_on === day)?.cents ?? 0;
    expect(centsOn(on)).toBe(closed.body.lines[0].expected * 100);
    expect(centsOn(on) + centsOn(addDays(on, 1))).toBe(4100);
  });
});

async function read(day: string) {
  const query = { on: day, locationCode: 'TXDFW03' };
  const answer = await callOffice(api, 'GET', '/office/deposits/day', { as: ana, query });
  return answer.body as Reply<typeof getDepositDay>;
}

/** Dana pays 70 dollars by card. Answers the receipt's number. */
async function payByCard(): Promise<string> {
  const rental = await makeRental();
  const paid = await api.call('POST', `${dana.prefix}/tenants/${dana.tenantIds[0]}/payments`, {
    token: dana.token,
    body: { payments: [{ ...rental, amount: 70 }], creditCard: card },
  });
  expect(paid.status).toBe(200);
  return paid.body.receiptNumber as string;
}

test('card payments are shown against the payouts that hold them', async () => {
  const taken = testClock.now();
  const on = calendarDateIn('America/Chicago', taken);
  await setNow(taken);
  const { gateway } = await read(on);
  await payByCard();
  expect((await read(on)).gateway).toEqual({
    ...gateway,
    taken: gateway.taken + 70,
    waiting: gateway.waiting + 70,
  });
  await setNow(new Date(taken.getTime() + 3 * 86_400_000));
  await storePayouts(api.ctx, { from: new Date(taken.getTime() - 86_400_000), to: now });
  const arrived = addDays(taken.toISOString().slice(0, 10), 2);
  expect((await read(on)).gateway).toMatchObject({ taken: gateway.taken + 70, waiting: 0 });
  const { rows } = await sql<{ count: number; amount: number }>`
    SELECT count(*)::int AS count, sum(g.amount_cents)::float / 100 AS amount FROM sandbox_gateway.charges g
    JOIN payment_intents i ON i.id = g.reference JOIN tenants t ON t.id = i.tenant_id
    WHERE t.facility_id = ${facilityId} AND g.reference IN (SELECT intent_id FROM payout_payments
      WHERE payout_id = ${`sandbox_po_${arrived}`})`.execute(api.owner);
  expect(rows[0]!.amount).toBeGreaterThanOrEqual(70);
  expect((await read(arrived)).payouts).toEqual([
    { payoutId: `sandbox_po_${arrived}`, standing: 'paid', ...rows[0] },
  ]);
});

test('what is refunded of a card payment in cash or by check is still the gateway’s to pay out', async () => {
  const on = await nextDay();
  const receiptNumber = await payByCard();
  for (const rest of [
    { way: 'cash', amount: 20 },
    { way: 'check', number: '7', amount: 5 },
    { amount: 30 },
  ]) {
    const { status } = await verb('payments/refund', { receiptNumber, ...rest }, marcus);
    expect(status).toBe(200);
  }
  expect((await read(on)).gateway).toEqual({ taken: 70, paidOut: 0, takenBack: 30, waiting: 40 });
});
