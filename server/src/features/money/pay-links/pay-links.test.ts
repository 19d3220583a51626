import { randomUUID } from 'node:crypto';
import { payLinkChanged, payLinkDead, PAY_LINK_DAYS } from '@gatehouse/contract/pay-links';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { limits } from '#config/limits.ts';
import { makeLedger, postCharges } from '#seeds/builders.ts';
import { notifyOfPayments } from '#features/money/payments/notify.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { card } from '#test/card.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { fromNow } from '#test/test-day.ts';
import { MOST_DECLINES } from './links.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const ach = {
  accountType: 'Consumer Checking',
  accountNumber: '000123456789',
  routingNumber: '110000000',
};
const declined = { creditCard: { ...card, cardNumber: sandboxNumbers.declined } };

let clerk: string;
let dana: SignedIn;
let tenantId: string;
let facilityId: string;
let units = 0;
const api = useTestApp('demo_template');
beforeAll(async () => {
  clerk = await signInStaff(api, 'clerk');
  dana = await signIn(api, 'dana@example.com');
  tenantId = dana.tenantIds[0]!;
  const row = await getRow(api.owner, 'tenants', 'facility_id', { id: tenantId });
  facilityId = row.facility_id;
});
afterAll(() => expectSoundBooks(api.owner));

type Rental = { ledgerId: string; unitId: string };

/** A new rental of Dana's that owes this many cents. */
async function rentalThatOwes(priceCents: number): Promise<Rental> {
  units += 1;
  const rental = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name: `L${units}`, type_name: 'Covered RV' },
    moved_in_on: '2026-11-14',
  });
  await charge(rental, priceCents);
  return rental;
}

function charge({ ledgerId }: Rental, priceCents: number) {
  const due = { dueOn: '2026-11-19', priceCents };
  return postCharges(api.owner, ledgerId, [{ category: 'fee', description: 'Fee', ...due }]);
}

type Verb = { as?: string; key?: string; isPreview?: boolean };

function verb(
  name: string,
  body: object,
  { as = clerk, key = randomUUID(), isPreview = false }: Verb = {},
) {
  const caller = { key, isPreview, why: 'Asked for on the phone' };
  return doVerb(api, as, name, { ...body, ...caller });
}

/** The token of a new link. */
async function linkFor({ ledgerId }: Rental, body: object = {}): Promise<string> {
  const answer = await verb('pay-links/create', { ledgerId, ...body });
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return tokenOf(answer.body.url);
}

const tokenOf = (url: string) => /^http:\/\/[^/]+\/pay\/(rpt_[\w-]+)$/.exec(url)![1]!;
const show = (token: string) => api.call('GET', `/pay-links/${token}`);

type Payment = { key?: string; amount?: number; method?: object };

function pay(
  token: string,
  { key = randomUUID(), amount = 100, method = { creditCard: card } }: Payment = {},
) {
  return api.call('POST', `/pay-links/${token}/payments`, {
    body: { amount, ...method },
    headers: { 'idempotency-key': key },
  });
}

async function balanceOf({ ledgerId }: Rental): Promise<number> {
  const row = await getRow(api.owner, 'ledgers', 'balance_cents', { id: ledgerId });
  return row.balance_cents;
}

async function charges(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM sandbox_gateway.charges`.execute(api.owner);
  return rows[0]!.count;
}

async function linksOf() {
  const file = await callOffice(api, 'GET', `/office/tenants/${tenantId}`, { as: clerk });
  return file.body.payLinks as { payLinkId: string; state: string; left: number; by: string }[];
}

/** What is done on a later day. */
function inDays(days: number): void {
  const now = fromNow(days * 86_400_000);
  const clock = vi.spyOn(api.ctx.clock, 'now').mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
}

const DEAD = [404, { message: payLinkDead() }];

describe('a pay link', () => {
  // spec 7.81
  test('shows operator, kind of unit, the tenant’s initial and the sum, and nothing else', async () => {
    const token = await linkFor(await rentalThatOwes(10_000));
    const { status, body, headers, text } = await show(token);
    expect([status, body]).toEqual([
      200,
      {
        operatorName: 'Anchor & Axle RV & Boat Storage',
        unitKind: 'Covered RV',
        tenantInitial: 'D',
        amount: 100,
        hostedFields: null,
      },
    ]);
    expect(text).not.toMatch(/Dana|Reyes|L\d|TXDFW03|@/);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
  });

  test.each([
    ['a card', { creditCard: card }, 'succeeded'],
    ['a bank account', { ach }, 'pending'],
  ])('is paid by %s, once, and is dead then', async (_, method, status) => {
    const rental = await rentalThatOwes(10_000);
    const token = await linkFor(rental);
    const key = randomUUID();
    const paid = await pay(token, { key, method });
    expect([paid.status, paid.body]).toEqual([
      200,
      { status, receiptNumber: expect.stringMatching(/^\d+$/), amount: 100 },
    ]);
    expect(await balanceOf(rental)).toBe(0);
    const before = await charges();
    // A lost answer: the same key gets the receipt again; another one finds nothing to pay.
    expect((await pay(token, { key, method })).body).toEqual(paid.body);
    for (const { status: code, body } of [await pay(token, { method }), await show(token)])
      expect([code, body]).toEqual(DEAD);
    expect(await charges()).toBe(before);
    expect((await linksOf())[0]).toMatchObject({ state: 'paid', left: 0, by: 'Ana Flores' });
    const [intent] = (
      await sql<{ initiator: string; method: string | null }>`
        SELECT i.initiator, i.payment_method_id AS method FROM payment_intents i
        WHERE i.receipt_number = ${paid.body.receiptNumber}`.execute(api.owner)
    ).rows;
    expect(intent).toEqual({ initiator: 'tenant', method: null });
  });

  test('mails the receipt to the tenant, saves no method and sets no autopay', async () => {
    const count = async () =>
      (
        await sql<{ methods: number; autopays: number; mandates: number }>`
          SELECT (SELECT count(*)::int FROM payment_methods) AS methods,
            (SELECT count(*)::int FROM autopays) AS autopays, (SELECT count(*)::int FROM mandates) AS mandates`.execute(
          api.owner,
        )
      ).rows[0];
    const before = await count();
    const token = await linkFor(await rentalThatOwes(10_000));
    const { body } = await pay(token);
    await notifyOfPayments(api.ctx);
    expect(await count()).toEqual(before);
    const mails = await findRows(api.owner, 'mails', 'subject', {
      to_address: 'dana@example.com',
      kind: 'receipt',
    });
    expect(mails.map(({ subject }) => subject).join()).toContain(body.receiptNumber);
  });

  test('is mailed to the tenant where staff ask for it, and its token is stored nowhere', async () => {
    const rental = await rentalThatOwes(10_000);
    const key = randomUUID();
    const made = await verb('pay-links/create', { ...named(rental), isMailed: true }, { key });
    expect(made.body).toMatchObject({ amount: 100, mailedTo: 'dana@example.com' });
    const token = tokenOf(made.body.url);
    // A lost answer: the same link again, and no second mail.
    const again = await verb('pay-links/create', { ...named(rental), isMailed: true }, { key });
    expect(again.body).toEqual(made.body);
    const mails = await findRows(api.owner, 'mails', 'subject', { kind: 'pay_link' });
    expect(mails).toEqual([{ subject: `Pay $100.00 for L${units}` }]);
    const { rows } = await sql<{ found: string }>`
      SELECT table_name AS found FROM information_schema.tables t
      WHERE table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'
        AND query_to_xml(format('SELECT * FROM %I.%I', table_schema, table_name), true, true, '')::text ~ ${token}`.execute(
      api.owner,
    );
    expect(rows).toEqual([]);
  });

  test('is for a part of the debt, and never for more than is left of it', async () => {
    const rental = await rentalThatOwes(10_000);
    const part = await linkFor(rental, { amount: 30 });
    const whole = await linkFor(rental);
    expect((await show(part)).body.amount).toBe(30);
    expect((await pay(part, { amount: 30 })).status).toBe(200);
    expect((await show(whole)).body.amount).toBe(70);
    // What is charged later is not of this debt.
    await charge(rental, 5_000);
    expect((await show(whole)).body.amount).toBe(70);
    for (const amount of [100, 120, 69.99])
      expect([(await pay(whole, { amount })).status, (await pay(whole, { amount })).body]).toEqual([
        422,
        { message: payLinkChanged() },
      ]);
    expect((await pay(whole, { amount: 70 })).status).toBe(200);
    expect(await balanceOf(rental)).toBe(5_000);
    expect([(await show(whole)).status, (await show(part)).status]).toEqual([404, 404]);
  });

  test('is made for what is owed: not for nothing, for more, or for what is being paid', async () => {
    const rental = await rentalThatOwes(10_000);
    const sentence = async (body: object) => {
      const answer = await verb('pay-links/create', { ...named(rental), ...body });
      return [answer.status, answer.body.message as string];
    };
    expect(await sentence({ amount: 100.01 })).toEqual([422, `$100.00 is owed on L${units}.`]);
    expect((await pay(await linkFor(rental))).status).toBe(200);
    expect(await sentence({})).toEqual([422, `Nothing is owed on L${units}.`]);
  });

  test('of an ended rental takes what is still owed on it', async () => {
    const rental = await rentalThatOwes(10_000);
    await changeRows(api.owner, 'ledgers', { moved_out_on: '2026-11-20' }, { id: rental.ledgerId });
    expect((await pay(await linkFor(rental))).status).toBe(200);
    expect(await balanceOf(rental)).toBe(0);
  });

  test('names no saved method, and needs a key and one new method', async () => {
    const token = await linkFor(await rentalThatOwes(10_000));
    const saved = await getRow(api.owner, 'payment_methods', 'id', { tenant_id: tenantId });
    for (const method of [
      { creditCard: { paymentMethodId: saved.id } },
      {},
      { creditCard: card, ach },
    ])
      expect((await pay(token, { method })).status).toBe(422);
    const path = `/pay-links/${token}/payments`;
    const answer = await api.call('POST', path, { body: { amount: 100, creditCard: card } });
    expect([answer.status, answer.body.message]).toEqual([422, 'Idempotency-Key is required.']);
  });
});

const named = ({ ledgerId }: Rental) => ({ ledgerId });

describe('a caller that stole or guesses a pay link', () => {
  // spec 7.81
  test('gets one answer for every link that cannot be paid by', async () => {
    const rental = await rentalThatOwes(10_000);
    const token = await linkFor(rental);
    const other = await linkFor(await rentalThatOwes(20_000));
    const revoked = await linkFor(rental);
    const { payLinkId } = (await linksOf())[0]!;
    expect((await verb('pay-links/revoke', { payLinkId })).status).toBe(200);
    const twice = await verb('pay-links/revoke', { payLinkId });
    expect([twice.status, twice.body.message]).toEqual([
      409,
      'Ana Flores has revoked this pay link before.',
    ]);
    const forged = [
      'rpt_',
      'x',
      `rpt_${'A'.repeat(70)}`,
      token.replace('rpt_', 'rqo_'),
      `${token.slice(0, -2)}AA`,
      // The seal of another link.
      token.slice(0, 20) + other.slice(20),
      `${token}=`,
      revoked,
    ];
    for (const one of forged)
      for (const { status, body } of [await show(one), await pay(one)])
        expect([one, status, body]).toEqual([one, ...DEAD]);
    expect(await balanceOf(rental)).toBe(10_000);
    expect((await show(token)).status).toBe(200);
  });

  test('finds it dead after 14 days, and after the tenant paid in the portal', async () => {
    const rental = await rentalThatOwes(10_000);
    const token = await linkFor(rental);
    const paid = await api.call('POST', `${dana.prefix}/tenants/${tenantId}/payments`, {
      token: dana.token,
      body: { payments: [{ ...rental, amount: 100 }], creditCard: card },
    });
    expect(paid.status).toBe(200);
    expect((await show(token)).status).toBe(404);
    const late = await linkFor(await rentalThatOwes(10_000));
    inDays(PAY_LINK_DAYS);
    expect([(await show(late)).status, (await pay(late)).status]).toEqual([404, 404]);
  });

  test('does not bring it to life again by a payment that comes back', async () => {
    const rental = await rentalThatOwes(10_000);
    const token = await linkFor(rental);
    const check = { ledgerIds: [rental.ledgerId], type: 'check', number: '1042', amount: 100 };
    const { body } = await verb('payments/record', check);
    const manager = await signInStaff(api, 'manager');
    const bounced = { receiptNumber: body.receiptNumber, reason: 'nsf' };
    expect((await verb('payments/reverse', bounced, { as: manager })).status).toBe(200);
    expect(await balanceOf(rental)).toBeGreaterThanOrEqual(10_000);
    expect((await show(token)).status).toBe(404);
  });

  test('tests five cards by it at most where sixty come at once', async () => {
    const { config } = api.ctx;
    api.ctx.config = { ...config, limits };
    onTestFinished(() => {
      api.ctx.config = config;
    });
    await sql`DELETE FROM limit_counts`.execute(api.owner);
    const token = await linkFor(await rentalThatOwes(10_000));
    const before = await charges();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => pay(token, { method: declined })),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => ![402, 409, 429].includes(status))).toEqual([]);
    expect((await charges()) - before).toBeLessThanOrEqual(5);
    await sql`DELETE FROM limit_counts`.execute(api.owner);
  });

  test('tests few cards by it: five an hour, ten in all', async () => {
    api.ctx.config = { ...api.ctx.config, limits };
    const rental = await rentalThatOwes(10_000);
    const token = await linkFor(rental);
    const forgetCounts = () => sql`DELETE FROM limit_counts`.execute(api.owner);
    const before = await charges();
    const statuses: number[] = [];
    for (let tried = 0; tried < 7; tried += 1)
      statuses.push((await pay(token, { method: declined })).status);
    expect(statuses).toEqual([402, 402, 402, 402, 402, 429, 429]);
    // Hours later.
    await forgetCounts();
    for (let tried = 0; tried < 5; tried += 1)
      expect((await pay(token, { method: declined })).status).toBe(402);
    await forgetCounts();
    expect(await charges()).toBe(before + MOST_DECLINES);
    for (const { status, body } of [await pay(token), await show(token)])
      expect([status, body]).toEqual(DEAD);
    expect((await linksOf())[0]).toMatchObject({ state: 'declined' });
    await forgetCounts();
    const calls = await Promise.all(Array.from({ length: 40 }, () => show('rpt_guessed')));
    expect(calls.filter(({ status }) => status === 429)).toHaveLength(10);
    await forgetCounts();
  });
});

describe('two who pay at once', () => {
  test('by one link, with one key or several, are one payment', async () => {
    for (const keys of [
      ['one', 'one', 'one'],
      ['one', 'two', 'three'],
    ]) {
      const rental = await rentalThatOwes(10_000);
      const token = await linkFor(rental);
      const answers = await Promise.all(keys.map((key) => pay(token, { key })));
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toContain(200);
      for (const status of statuses) expect([200, 404, 409]).toContain(status);
      if (new Set(keys).size > 1)
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(await balanceOf(rental)).toBe(0);
    }
  });

  test('staff at the counter and the holder of the link: one of them does', async () => {
    for (let round = 0; round < 5; round += 1) {
      const rental = await rentalThatOwes(10_000);
      const token = await linkFor(rental);
      const cash = { ledgerIds: [rental.ledgerId], type: 'cash', amount: 100 };
      const [link, counter] = await Promise.all([pay(token), verb('payments/record', cash)]);
      expect([link.status, counter.status].filter((status) => status === 200)).toHaveLength(1);
      expect(await balanceOf(rental)).toBe(0);
    }
  });

  test('the tenant in the portal and the holder of the link: one of them does', async () => {
    for (let round = 0; round < 5; round += 1) {
      const rental = await rentalThatOwes(10_000);
      const token = await linkFor(rental);
      const [link, portal] = await Promise.all([
        pay(token),
        api.call('POST', `${dana.prefix}/tenants/${tenantId}/payments`, {
          token: dana.token,
          body: { payments: [{ ...rental, amount: 100 }], creditCard: card },
          headers: { 'idempotency-key': randomUUID() },
        }),
      ]);
      expect([link.status, portal.status].filter((status) => status === 200)).toHaveLength(1);
      expect(await balanceOf(rental)).toBe(0);
    }
  });
});

test('a clerk makes and revokes links at the own facilities only, and both are in the audit trail', async () => {
  const rental = await rentalThatOwes(10_000);
  await linkFor(rental);
  const { payLinkId } = (await linksOf())[0]!;
  const foreign = await signInStaff(api, 'owner');
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE f.location_code = 'AZPHX01' AND l.balance_cents > 0 LIMIT 1`.execute(api.owner);
  expect((await verb('pay-links/create', { ledgerId: rows[0]!.id })).status).toBe(404);
  const theirs = await verb('pay-links/create', { ledgerId: rows[0]!.id }, { as: foreign });
  const there = { payLinkId: theirs.body.payLinkId };
  expect((await verb('pay-links/revoke', there)).status).toBe(404);
  expect((await verb('pay-links/revoke', { payLinkId })).status).toBe(200);
  const events = await api.owner
    .selectFrom('audit_events')
    .select('details')
    .where('kind', '=', 'staff_action')
    .where('ledger_id', '=', rental.ledgerId)
    .orderBy('id')
    .execute();
  expect(events.map(({ details }) => details)).toMatchObject([
    { verb: 'payLinks.create', by: 'Ana Flores', payLink: payLinkId, amount: '100' },
    { verb: 'payLinks.revoke', by: 'Ana Flores', payLink: payLinkId },
  ]);
});

test('a preview makes no link', async () => {
  const rental = await rentalThatOwes(10_000);
  const { body } = await verb('pay-links/create', named(rental), { isPreview: true });
  expect(body).toMatchObject({ payLinkId: null, url: null, amount: 100 });
  const links = await findRows(api.owner, 'pay_links', 'id', { ledger_id: rental.ledgerId });
  expect(links).toEqual([]);
});
