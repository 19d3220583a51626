import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSandboxDashboard } from '#adapters/payments/sandbox-dashboard.fixture.ts';
import type { Dashboard } from '#adapters/payments/gateway.contract.ts';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import type { Context } from '#context/context.ts';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { alarmKinds } from '@gatehouse/contract/alarm-kinds';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import type { Payment } from '@gatehouse/contract/payments';
import { getReceiptOfEntry } from '#features/base/papers/receipts.ts';
import { receiptPaper } from '#papers/receipt.ts';
import { queueReceiptMails } from './receipt-mails.ts';
import { waiveChargeOf } from '#features/money/counter/charges.ts';
import { reverseCreditOf } from '#features/money/counter/credits.ts';
import { assignRentalOf } from '#features/rentals/rentals/assign.ts';
import { refundPaymentOf } from '#features/money/payments/refund-payment.ts';
import { reversePaymentOf } from '#features/money/counter/reverse-payment.ts';
import { reconcileToday } from '#features/money/reconciliation/reconciliation.ts';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  makeUser,
  postCharges,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { card } from '#test/card.ts';
import { expectSoundBooks } from '#test/books.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import { applyDispute } from './disputes.ts';
import { applyRefund } from './gateway-refunds.ts';
import { refundPayment } from './refunds.fixture.ts';
import { resolveOpenRefunds } from './refunds.ts';
import { settleReturn } from './returns.ts';
import { notifyOfPayments } from './notify.ts';
import { addRows, changeRows, findRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

let api: TestApp;
let dana: SignedIn;
let tenantId: string;
let facilityId: string;
let dashboard: Dashboard;
let aheadMs = 0;
// Parts are in the order of the units' names: all of three digits.
let unitCount = 100;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeAll(async () => {
  const clock = { now: () => fromNow(aheadMs) };
  api = await openTestApp('empty_template', { clock });
  dashboard = openSandboxDashboard(api.owner, () => clock.now());
  facilityId = await makeFacility(api.owner, {});
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  const user = { email: 'dana@example.com', password: DEMO_PASSWORD, tenantIds: [tenantId] };
  await makeUser(api.owner, { ...user });
  dana = await signIn(api, 'dana@example.com');
});
afterEach(async () => {
  aheadMs = 0;
  await notifyOfPayments(api.ctx);
  await api.owner.deleteFrom('mails').execute();
  await api.owner.deleteFrom('alarms').execute();
  await api.owner.deleteFrom('differences').execute();
  await api.owner.deleteFrom('reconciliations').execute();
  await expectSoundBooks(api.owner);
});
afterAll(() => api.close());

type Unit = { ledgerId: string; unitId: string };

async function unitThatOwes(cents: number): Promise<Unit> {
  const unit = { facility_id: facilityId, name: `U${++unitCount}` };
  const rental = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit,
    moved_in_on: '2026-11-14',
  });
  await postCharges(api.owner, rental.ledgerId, [
    {
      category: 'rent',
      description: 'Rent',
      dueOn: '2026-11-14',
      periodEnd: '2026-12-13',
      priceCents: cents,
    },
  ]);
  return rental;
}

const account = {
  ach: {
    accountType: 'Consumer Checking',
    accountNumber: '000123456789',
    routingNumber: '110000000',
  },
};

/** Pays and answers the intent. */
async function pay(
  lines: [Unit, number][],
  method: object = { creditCard: card },
): Promise<string> {
  const payments = lines.map(([{ ledgerId, unitId }, cents]) => ({
    ledgerId,
    unitId,
    amount: cents / 100,
  }));
  const { status } = await api.call('POST', `${dana.prefix}/tenants/${tenantId}/payments`, {
    token: dana.token,
    body: { payments, ...method },
    headers: { 'idempotency-key': randomUUID() },
  });
  expect([200, 402, 409]).toContain(status);
  const { intent_id } = await api.owner
    .selectFrom('payment_intent_ledgers')
    .innerJoin('payment_intents', 'id', 'intent_id')
    .select('intent_id')
    .where('ledger_id', '=', lines[0]![0].ledgerId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  await notifyOfPayments(api.ctx);
  await api.owner.deleteFrom('mails').execute();
  return intent_id;
}

/** Two units that owed $200 and $100 and were paid by one capture. */
async function paidTwo() {
  const [first, last] = [await unitThatOwes(20_000), await unitThatOwes(10_000)];
  const intentId = await pay([
    [first, 20_000],
    [last, 10_000],
  ]);
  return { first, last, intentId };
}

/** What `payments reverse --chargeback` posts of the whole payment. */
async function chargeBackByHand(intentId: string): Promise<void> {
  const { receipt_number } = await getRow(api.owner, 'payment_intents', 'receipt_number', {
    id: intentId,
  });
  const call = staffCall();
  await reversePaymentOf(api.ctx, call, { receiptNumber: receipt_number, reason: 'chargeback' });
}

const balance = async ({ ledgerId }: Unit) =>
  (await getRow(api.owner, 'ledgers', 'balance_cents', { id: ledgerId })).balance_cents;
const entriesOf = async ({ ledgerId }: Unit) => {
  const { rows } = await sql<{ line: string }>`
    SELECT coalesce(rev.reason, c.description) || ' ' || e.amount_cents AS line FROM entries e
    LEFT JOIN reversals rev ON rev.entry_id = e.id LEFT JOIN credits c ON c.entry_id = e.id
    WHERE e.ledger_id = ${ledgerId} AND e.kind IN ('reversal', 'credit') ORDER BY e.position`.execute(
    api.owner,
  );
  return rows.map(({ line }) => line);
};
const alarms = async () => {
  const rows = await api.owner
    .selectFrom('alarms')
    .select(['kind', 'sentence', 'facts'])
    .orderBy('raised_at')
    .execute();
  return rows.map((row) => ({ ...row, facts: row.facts as Record<string, unknown> }));
};
const kinds = async () => (await alarms()).map(({ kind }) => kind);
const mails = () => mailsTo(api, 'dana@example.com');
const subjects = async () => (await mails()).map(({ subject }) => subject);
const texts = async () => (await mails()).map(({ text }) => text);
const audited = async () =>
  (await findRows(api.owner, 'audit_events', 'kind', { tenant_id: tenantId })).map(
    ({ kind }) => kind,
  );

const where = { customer: null, since: new Date(0) };
/** What a webhook's event leads to. */
async function hear(ctx: Context, intentId: string): Promise<void> {
  const which = { chargeReference: intentId, where };
  for await (const refund of ctx.gateway.listRefunds(which)) await applyRefund(ctx, refund);
  for await (const dispute of ctx.gateway.listDisputes(which)) await applyDispute(ctx, dispute);
}
/** The comparison, once payments of this minute are no longer under way. */
async function compare() {
  aheadMs += 20 * MINUTE;
  return reconcileToday(api.ctx);
}

describe('a refund in the gateway’s dashboard', () => {
  test('is posted from the last part to the first, with an alarm, a mail and its place in the audit trail', async () => {
    const { first, last, intentId } = await paidTwo();
    await dashboard.refund(intentId, 12_500);
    await hear(api.ctx, intentId);
    expect([await balance(first), await balance(last)]).toEqual([2500, 10_000]);
    expect(await entriesOf(last)).toEqual(['refund 10000']);
    expect(await entriesOf(first)).toEqual(['refund 2500']);
    expect(await kinds()).toEqual(['outside_refund']);
    const [mail] = await texts();
    expect(mail).toMatch(/has refunded \$125\.00 to your Visa ending in \d{4}/);
    expect(mail).toMatch(/Refund: \d{7}/);
    expect(await audited()).toContain('payment_refunded');
  });

  test('is posted once, no matter who hears of it how often, also at once', async () => {
    const { first, last, intentId } = await paidTwo();
    for (let made = 0; made < 3; made++) await dashboard.refund(intentId, 1000);
    await Promise.all(Array.from({ length: 6 }, () => hear(api.ctx, intentId)));
    await compare();
    expect([await balance(first), await balance(last)]).toEqual([0, 3000]);
    expect(await subjects()).toEqual(['Refund of $10.00', 'Refund of $10.00', 'Refund of $10.00']);
  });

  test('is found by the daily comparison without its event, posted and listed once', async () => {
    const { first, last, intentId } = await paidTwo();
    const id = await dashboard.refund(intentId, 30_000);
    const run = await compare();
    expect(run.found).toMatchObject({ refund: 1, dispute: 0 });
    expect([await balance(first), await balance(last)]).toEqual([20_000, 10_000]);
    const rows = await findRows(api.owner, 'differences', ['class', 'reference', 'theirs']);
    expect(rows).toMatchObject([
      { class: 'refund', reference: id, theirs: { amountCents: 30_000 } },
    ]);
    expect((await kinds()).toSorted()).toEqual(['outside_refund', 'reconciliation_difference']);
    expect((await compare()).found).toMatchObject({ refund: 0 });
  });

  test('of a payment that was returned before is owed as well, and a person is called', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]], account);
    await settleReturn(api.ctx, intentId, 'R01');
    await dashboard.refund(intentId, 5000);
    await hear(api.ctx, intentId);
    expect(await entriesOf(unit)).toEqual(['return 20000']);
    expect(await balance(unit)).toBe(25_000);
    expect((await kinds()).toSorted()).toEqual(['outside_refund', 'returned_after_refund']);
  });

  test('of more than was paid posts that, and the alarm has the rest', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    await dashboard.refund(intentId, 25_000);
    await hear(api.ctx, intentId);
    expect(await entriesOf(unit)).toEqual(['refund 20000']);
    expect(await alarms()).toContainEqual({
      kind: 'outside_refund_exceeds',
      sentence: expect.stringContaining('the rest is not posted') as string,
      facts: expect.objectContaining({ cents: 25_000, notTakenBackCents: 5000 }) as object,
    });
  });

  test('of a charge that the books call declined has an alarm that asks nothing of the tenant, and a mail', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]], {
      creditCard: { ...card, cardNumber: sandboxNumbers.declined },
    });
    await dashboard.refund(intentId, 20_000);
    for (let round = 0; round < 2; round++) await hear(api.ctx, intentId);
    expect([await balance(unit), await entriesOf(unit)]).toEqual([20_000, []]);
    const [alarm, ...others] = await alarms();
    expect([alarm!.kind, others]).toEqual(['outside_refund_unposted', []]);
    expect(alarmKinds.outside_refund_unposted.advice).toMatch(/^Charge the tenant nothing/);
    expect(await subjects()).toEqual(['Refund of $200.00']);
  });

  test('that was never paid out moves nothing; one that fails after it was posted has an alarm', async () => {
    const { last, intentId } = await paidTwo();
    await dashboard.failRefund(await dashboard.refund(intentId, 1000));
    await hear(api.ctx, intentId);
    expect(await entriesOf(last)).toEqual([]);
    const id = await dashboard.refund(intentId, 2000);
    await hear(api.ctx, intentId);
    await dashboard.failRefund(id);
    await compare();
    expect(await entriesOf(last)).toEqual(['refund 2000']);
    expect(await kinds()).toContain('refund_failed');
    const failed = api.owner
      .selectFrom('alarms')
      .select('facility_id')
      .where('kind', '=', 'refund_failed');
    expect(await failed.execute()).toEqual([{ facility_id: facilityId }]);
  });

  test('of a payment that is still being confirmed waits for it', async () => {
    const unit = await unitThatOwes(20_000);
    const noAnswer = { creditCard: { ...card, cardNumber: sandboxNumbers.noAnswer } };
    const intentId = await pay([[unit, 20_000]], noAnswer);
    await dashboard.refund(intentId, 5000);
    await hear(api.ctx, intentId);
    expect(await balance(unit)).toBe(5000);
    expect(await entriesOf(unit)).toEqual(['refund 5000']);
  });

  test('of a charge that is not ours is listed and posts nothing', async () => {
    const reference = randomUUID();
    const at = testClock.now();
    const row = { amount_cents: 100, created_at: at };
    await addRows(api.owner, 'sandbox_gateway.charges', {
      ...row,
      reference,
      type: 'creditCard',
      last_four: '4242',
      outcome: 'captured',
    });
    await dashboard.refund(reference, 100);
    expect((await compare()).found).toMatchObject({ gateway_only: 1, refund: 1 });
    expect(await kinds()).not.toContain('outside_refund');
    await api.owner
      .deleteFrom('sandbox_gateway.refunds')
      .where('charge_reference', '=', reference)
      .execute();
    await api.owner
      .deleteFrom('sandbox_gateway.charges')
      .where('reference', '=', reference)
      .execute();
  });
});

describe('a refund of ours', () => {
  /** Loses the gateway's answer, after it has given back. */
  const deaf = (ctx: Context): Context => ({
    ...ctx,
    gateway: {
      ...ctx.gateway,
      async refund(request) {
        await ctx.gateway.refund(request);
        throw new Error('connection reset');
      },
    },
  });
  async function paidOne() {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    const { entry_id } = await getRow(api.owner, 'payments', 'entry_id', { intent_id: intentId });
    return {
      unit,
      intentId,
      request: { paymentEntryId: entry_id, cents: 4000, reason: 'goodwill' },
    };
  }

  test('whose answer is lost is posted by its event as its own, and by nothing else again', async () => {
    const { unit, intentId, request } = await paidOne();
    expect(await refundPayment(deaf(api.ctx), request)).toMatchObject({ outcome: 'submitted' });
    await hear(api.ctx, intentId);
    aheadMs = MINUTE;
    await Promise.all([resolveOpenRefunds(api.ctx), hear(api.ctx, intentId)]);
    expect((await compare()).found).toMatchObject({ refund: 0 });
    expect(await entriesOf(unit)).toEqual(['refund 4000']);
    expect(await kinds()).not.toContain('outside_refund');
    expect(await subjects()).toEqual(['Refund of $40.00']);
  });

  test('whose event comes before our own answer is posted once', async () => {
    const { unit, intentId, request } = await paidOne();
    const early: Context = {
      ...api.ctx,
      gateway: {
        ...api.ctx.gateway,
        async refund(asked) {
          const answer = await api.ctx.gateway.refund(asked);
          await hear(api.ctx, intentId);
          return answer;
        },
      },
    };
    expect(await refundPayment(early, request)).toMatchObject({ outcome: 'succeeded' });
    expect(await entriesOf(unit)).toEqual(['refund 4000']);
  });

  test('is distinguished from one in the dashboard', async () => {
    const { unit, intentId, request } = await paidOne();
    await refundPayment(deaf(api.ctx), request);
    await dashboard.refund(intentId, 4000);
    const run = await compare();
    expect(run.found).toMatchObject({ refund: 2 });
    expect(await entriesOf(unit)).toEqual(['refund 4000', 'refund 4000']);
    const rows = await findRows(api.owner, 'refunds', 'way', { intent_id: intentId });
    expect(rows.map(({ way }) => way).toSorted()).toEqual(['dashboard', 'gateway']);
  });
});

describe('a dispute', () => {
  test('takes the amount back when it is opened, without a fee, and says until when evidence is taken', async () => {
    await changeRows(api.owner, 'facilities', { return_fee_cents: 3500 });
    const { first, last, intentId } = await paidTwo();
    await dashboard.dispute(intentId, 30_000);
    await hear(api.ctx, intentId);
    await changeRows(api.owner, 'facilities', { return_fee_cents: 0 });
    expect([await balance(first), await balance(last)]).toEqual([20_000, 10_000]);
    expect(await entriesOf(first)).toEqual(['chargeback 20000']);
    const [alarm] = await alarms();
    expect(alarm!.kind).toBe('card_dispute');
    expect(alarm!.sentence).toMatch(
      /\$300\.00 was taken back\. Answer it at the gateway by .*\d{4}\.$/,
    );
    expect((await texts())[0]).toContain('has taken the money back');
    expect(await audited()).toContain('payment_disputed');
  });

  // spec 2.98
  test('says in Payment History, on the receipt and in its mail how it ended', async () => {
    const told = async ({ ledgerId }: Unit) => {
      const path = `${dana.prefix}/ledgers/${ledgerId}/payments`;
      const { body } = await api.call('GET', path, { token: dana.token });
      const { takenBack } = (body as Payment[])[0]!;
      return [takenBack!.sentence, takenBack!.amount];
    };
    const noticesOf = async (intentId: string) => {
      const { entry_id } = await getRow(api.owner, 'payments', 'entry_id', { intent_id: intentId });
      const { blocks } = receiptPaper(await getReceiptOfEntry(api.ctx.db, entry_id));
      return blocks.flatMap((block) => (block.kind === 'notice' ? [block.text] : []));
    };
    const mailedBack = async (intentId: string) => {
      await api.owner.deleteFrom('mails').execute();
      await api.ctx.db.transaction().execute((trx) => queueReceiptMails(api.ctx, trx, intentId));
      return (await texts())[0]!.includes('was refunded or taken back later');
    };
    const [won, lost] = [await unitThatOwes(20_000), await unitThatOwes(20_000)];
    const [wonIntent, lostIntent] = [await pay([[won, 20_000]]), await pay([[lost, 20_000]])];
    const ids = [
      await dashboard.dispute(wonIntent, 15_000),
      await dashboard.dispute(lostIntent, 15_000),
    ];
    for (const intent of [wonIntent, lostIntent]) await hear(api.ctx, intent);
    expect(await told(won)).toEqual(['Disputed with the card issuer.', 150]);
    expect(await mailedBack(wonIntent)).toBe(true);
    await dashboard.decide(ids[0]!, 'won');
    await dashboard.decide(ids[1]!, 'lost');
    for (const intent of [wonIntent, lostIntent]) await hear(api.ctx, intent);
    expect(await told(won)).toEqual([
      'The dispute with the card issuer was decided for the facility: this payment counts again.',
      0,
    ]);
    expect(await told(lost)).toEqual([
      'The dispute with the card issuer was decided for you.',
      150,
    ]);
    expect(await mailedBack(wonIntent)).toBe(false);
    expect(await mailedBack(lostIntent)).toBe(true);
    expect(await noticesOf(wonIntent)).toEqual([
      expect.stringMatching(/^\$150\.00 of this payment was disputed with the card issuer on/),
      expect.stringMatching(
        /^The dispute was decided for the facility on .*: \$150\.00 counts again\.$/,
      ),
    ]);
    expect(await noticesOf(lostIntent)).toEqual([
      expect.stringMatching(
        /^\$150\.00 of this payment was disputed with the card issuer on .*, and the dispute was decided for you\.$/,
      ),
    ]);

    await refundPayment(api.ctx, {
      paymentEntryId: (await getRow(api.owner, 'payments', 'entry_id', { intent_id: wonIntent }))
        .entry_id,
      cents: 2000,
      reason: 'goodwill',
    });
    expect(await told(won)).toEqual(['Refunded in part.', 20]);
  });

  test('that is won restores the same amount on each ledger; one that is lost changes its state only', async () => {
    const won = await paidTwo();
    const lost = await paidTwo();
    const ids = [
      await dashboard.dispute(won.intentId, 25_000),
      await dashboard.dispute(lost.intentId, 25_000),
    ];
    for (const { intentId } of [won, lost]) await hear(api.ctx, intentId);
    await dashboard.decide(ids[0]!, 'won');
    await dashboard.decide(ids[1]!, 'lost');
    for (let round = 0; round < 2; round++)
      for (const { intentId } of [won, lost]) await hear(api.ctx, intentId);
    expect([await balance(won.first), await balance(won.last)]).toEqual([0, 0]);
    expect(await entriesOf(won.first)).toEqual(['chargeback 15000', 'Card dispute won -15000']);
    expect(await entriesOf(won.last)).toEqual(['chargeback 10000', 'Card dispute won -10000']);
    expect([await balance(lost.first), await balance(lost.last)]).toEqual([15_000, 10_000]);
    expect((await kinds()).toSorted()).toEqual([
      'card_dispute',
      'card_dispute',
      'dispute_lost',
      'dispute_won',
    ]);
    expect((await texts()).at(-1)).toContain('$250.00 is credited to your account again.');
  });

  test('that is won takes the late fee back that it was the only cause of', async () => {
    const { first, last, intentId } = await paidTwo();
    await changeRows(
      api.owner,
      'facilities',
      { late_fee_cents: 1500, late_fee_after_days: 5 },
      { id: facilityId },
    );
    const open = await unitThatOwes(5_000);
    const id = await dashboard.dispute(intentId, 30_000);
    await hear(api.ctx, intentId);
    aheadMs = 20 * DAY;
    const date = calendarDateIn('America/Chicago', api.ctx.clock.now());
    await postLateFees(api.ctx, { facilityId, date });
    expect(await Promise.all([first, last, open].map(balance))).toEqual([21_500, 11_500, 6_500]);
    await dashboard.decide(id, 'won');
    await Promise.all([hear(api.ctx, intentId), hear(api.ctx, intentId)]);
    expect(await Promise.all([first, last, open].map(balance))).toEqual([0, 0, 6_500]);
    expect((await texts()).at(-1)).toContain('Late fee taken back: $30.00');
    await changeRows(api.owner, 'facilities', { late_fee_cents: 0 }, { id: facilityId });
  });

  test.each([['won'], ['lost']] as const)(
    'that is %s before anybody heard of it comes to the same',
    async (standing) => {
      const { first, last, intentId } = await paidTwo();
      const id = await dashboard.dispute(intentId, 30_000);
      await dashboard.decide(id, standing);
      await Promise.all(Array.from({ length: 5 }, () => hear(api.ctx, intentId)));
      expect((await compare()).found).toMatchObject({ dispute: 0 });
      const is = standing === 'won' ? [0, 0] : [20_000, 10_000];
      expect([await balance(first), await balance(last)]).toEqual(is);
      expect(await entriesOf(first)).toHaveLength(standing === 'won' ? 2 : 1);
    },
  );

  test('is found by the daily comparison at each of its steps, also when it is decided long after', async () => {
    const { first, intentId } = await paidTwo();
    const id = await dashboard.dispute(intentId, 30_000);
    expect((await compare()).found).toMatchObject({ dispute: 1 });
    expect(await balance(first)).toBe(20_000);
    expect((await compare()).found).toMatchObject({ dispute: 0 });
    aheadMs += 90 * DAY;
    await compare();
    await dashboard.decide(id, 'won');
    expect((await compare()).found).toMatchObject({ dispute: 1 });
    expect(await balance(first)).toBe(0);
    const rows = await api.owner
      .selectFrom('differences')
      .select('reference')
      .where('class', '=', 'dispute')
      .orderBy('found_at')
      .execute();
    expect(rows.map(({ reference }) => reference)).toEqual([`${id} opened`, `${id} won`]);
  });

  test('whose alarm cannot be written posts nothing, and is posted whole later', async () => {
    const { first, intentId } = await paidTwo();
    await dashboard.dispute(intentId, 30_000);
    // As where the process dies between the two.
    await sql`REVOKE INSERT ON alarms FROM gatehouse_app`.execute(api.owner);
    await expect(hear(api.ctx, intentId)).rejects.toThrow('permission denied');
    await sql`GRANT INSERT ON alarms TO gatehouse_app`.execute(api.owner);
    expect(await entriesOf(first)).toEqual([]);
    await hear(api.ctx, intentId);
    expect(await entriesOf(first)).toEqual(['chargeback 20000']);
    expect(await subjects()).toEqual(['Your payment of $300.00 is disputed']);
  });

  test('after a refund in part takes the whole, and the alarm has what had left it', async () => {
    const { first, last, intentId } = await paidTwo();
    await dashboard.refund(intentId, 5000);
    await dashboard.dispute(intentId, 30_000);
    await hear(api.ctx, intentId);
    expect([await balance(first), await balance(last)]).toEqual([20_000, 15_000]);
    expect(await entriesOf(last)).toEqual(['refund 5000', 'chargeback 5000']);
    const twice = (await alarms()).find(({ kind }) => kind === 'returned_after_refund');
    expect(twice!.facts).toMatchObject({ cents: 30_000, againCents: 5000 });
  });

  test('of more than was paid takes that, and the alarm has the rest', async () => {
    const { first, last, intentId } = await paidTwo();
    for (let round = 0; round < 2; round++) await dashboard.dispute(intentId, 20_000);
    await hear(api.ctx, intentId);
    expect((await balance(first)) + (await balance(last))).toBe(30_000);
    const exceeding = (await alarms()).find(({ kind }) => kind === 'dispute_exceeds');
    expect(exceeding!.facts).toMatchObject({ cents: 20_000, notTakenBackCents: 10_000 });
  });

  test.each([5000, 30_000])(
    'after a refund of %i cents credits the whole when it is won',
    async (refunded) => {
      const { first, last, intentId } = await paidTwo();
      await dashboard.refund(intentId, refunded);
      const id = await dashboard.dispute(intentId, 30_000);
      await hear(api.ctx, intentId);
      await api.owner.deleteFrom('mails').execute();
      await dashboard.decide(id, 'won');
      await hear(api.ctx, intentId);
      expect((await balance(first)) + (await balance(last))).toBe(refunded);
      const won = (await alarms()).find(({ kind }) => kind === 'dispute_won');
      expect(won!.sentence).toBe(
        'A dispute was won; $300.00 of $300.00 is credited to the tenant again.',
      );
      expect(await texts()).toEqual([
        expect.stringContaining('$300.00 is credited to your account again.'),
      ]);
    },
  );

  test('that was won leaves the money to be refunded: from its credits', async () => {
    const { first, last, intentId } = await paidTwo();
    const id = await dashboard.dispute(intentId, 30_000);
    await hear(api.ctx, intentId);
    await dashboard.decide(id, 'won');
    await hear(api.ctx, intentId);
    await dashboard.refund(intentId, 12_000);
    await hear(api.ctx, intentId);
    expect((await balance(first)) + (await balance(last))).toBe(12_000);
    expect(await kinds()).not.toContain('outside_refund_exceeds');
  });

  test('that is won gives a credit that no one can take back while a refund of it is under way', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    const id = await dashboard.dispute(intentId, 20_000);
    await hear(api.ctx, intentId);
    await dashboard.decide(id, 'won');
    await hear(api.ctx, intentId);
    const won = await getRow(api.owner, 'credits', 'entry_id', { ledger_id: unit.ledgerId });
    const away = {
      ...api.ctx,
      gateway: { ...api.ctx.gateway, refund: () => Promise.reject(new Error('away')) },
    };
    const { receipt_number: receiptNumber } = await getRow(
      api.owner,
      'payment_intents',
      'receipt_number',
      { id: intentId },
    );
    await refundPaymentOf(away, staffCall(), { receiptNumber });
    await expect(
      reverseCreditOf(api.ctx, staffCall(), { creditId: won.entry_id }),
    ).rejects.toMatchObject({ status: 409 });
    aheadMs = MINUTE;
    await resolveOpenRefunds(api.ctx);
    expect(await balance(unit)).toBe(20_000);
  });

  test('that staff have posted as a chargeback before takes nothing twice, and is restored when it is won', async () => {
    const { first, last, intentId } = await paidTwo();
    await chargeBackByHand(intentId);
    const id = await dashboard.dispute(intentId, 30_000);
    await hear(api.ctx, intentId);
    expect([await balance(first), await balance(last)]).toEqual([20_000, 10_000]);
    expect(await kinds()).toEqual(['card_dispute']);
    await dashboard.decide(id, 'won');
    await hear(api.ctx, intentId);
    expect([await balance(first), await balance(last)]).toEqual([0, 0]);
  });

  /** The rental goes to Ann: her ledger. */
  async function assign({ ledgerId }: Unit): Promise<Unit> {
    const toTenantId = await makeTenant(api.owner, { facility_id: facilityId, first_name: 'Ann' });
    const call = { key: randomUUID(), by: 'Ana', why: 'Sold', facilityIds: null, isPreview: false };
    const { ledgers } = await assignRentalOf(api.ctx, call, { ledgerId, toTenantId });
    return { ledgerId: ledgers[1]!.ledgerId, unitId: '' };
  }
  async function decide(intentId: string, id: string, standing: 'won' | 'lost'): Promise<void> {
    await dashboard.decide(id, standing);
    for (let round = 0; round < 2; round++) await hear(api.ctx, intentId);
  }

  test.each([['posted as a chargeback'], ['lost']])(
    'that was %s before the rental went to the next tenant is hers when it is won, who owed it, with its late fee',
    async (how) => {
      await changeRows(
        ...([api.owner, 'facilities'] as const),
        { late_fee_cents: 1500, late_fee_after_days: 5 },
        { id: facilityId },
      );
      const unit = await unitThatOwes(20_000);
      const intentId = await pay([[unit, 20_000]]);
      let id = '';
      if (how === 'lost') {
        id = await dashboard.dispute(intentId, 20_000);
        await hear(api.ctx, intentId);
        await decide(intentId, id, 'lost');
      } else await chargeBackByHand(intentId);
      const ann = await assign(unit);
      expect(await Promise.all([unit, ann].map(balance))).toEqual([0, 20_000]);
      aheadMs = 20 * DAY;
      const date = calendarDateIn('America/Chicago', api.ctx.clock.now());
      await postLateFees(api.ctx, { facilityId, date });
      expect(await balance(ann)).toBe(21_500);
      if (how !== 'lost') {
        id = await dashboard.dispute(intentId, 20_000);
        await hear(api.ctx, intentId);
      }
      await api.owner.deleteFrom('mails').execute();
      await decide(intentId, id, 'won');
      expect(await Promise.all([unit, ann].map(balance))).toEqual([0, 0]);
      expect((await entriesOf(unit)).slice(-2)).toEqual(['Card dispute won -20000', 'moved 20000']);
      expect(await entriesOf(ann)).toEqual([
        'Waived: Late fee -1500',
        'Moved from the tenant before -20000',
      ]);
      const won = (await alarms()).find(({ kind }) => kind === 'dispute_won');
      expect(won!.sentence).toMatch(
        /credited .* \$200\.00 of it to the next tenant, who owed it\.$/,
      );
      expect(await texts()).toEqual([expect.not.stringContaining('credited')]);
      await changeRows(api.owner, 'facilities', { late_fee_cents: 0 }, { id: facilityId });
    },
  );

  test.each([
    [0, [0, -20_000]],
    [5000, [-5000, -15_000]],
    [20_000, [-20_000, 0]],
  ])(
    'is the tenant’s as far as she had paid it again before, %i cents, and else the next one’s',
    async (cents, restored) => {
      const unit = await unitThatOwes(20_000);
      const intentId = await pay([[unit, 20_000]]);
      await chargeBackByHand(intentId);
      if (cents > 0) await pay([[unit, cents]]);
      const ann = await assign(unit);
      const before = await Promise.all([unit, ann].map(balance));
      const id = await dashboard.dispute(intentId, 20_000);
      await hear(api.ctx, intentId);
      await decide(intentId, id, 'won');
      const after = await Promise.all([unit, ann].map(balance));
      expect(after.map((sum, place) => sum - before[place]!)).toEqual(restored);
    },
  );

  test('of what was to the tenant’s credit is the next one’s, who would have had it', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    const { ledgerId: ledger_id } = unit;
    const charge = await getRow(api.owner, 'charges', 'entry_id', { ledger_id });
    const call = { key: randomUUID(), by: 'Ana', why: 'x', facilityIds: null, isPreview: false };
    await waiveChargeOf(api.ctx, call, { chargeId: charge.entry_id, amount: 150 });
    await chargeBackByHand(intentId);
    const ann = await assign(unit);
    const id = await dashboard.dispute(intentId, 20_000);
    await decide(intentId, id, 'won');
    expect(await Promise.all([unit, ann].map(balance))).toEqual([0, -15_000]);
  });

  test('after the rental went to the next tenant is the payer’s to owe, and hers when it is won', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    const ann = await assign(unit);
    const id = await dashboard.dispute(intentId, 20_000);
    await hear(api.ctx, intentId);
    expect(await Promise.all([unit, ann].map(balance))).toEqual([20_000, 0]);
    await decide(intentId, id, 'won');
    expect(await Promise.all([unit, ann].map(balance))).toEqual([0, 0]);
    expect(await entriesOf(ann)).toEqual(['Moved from the tenant before -20000']);
  });

  test('of less than staff have charged back before posts nothing, and an alarm says to give the rest back', async () => {
    const { first, last, intentId } = await paidTwo();
    await chargeBackByHand(intentId);
    await dashboard.dispute(intentId, 25_000);
    await hear(api.ctx, intentId);
    expect([await balance(first), await balance(last)]).toEqual([20_000, 10_000]);
    expect(await kinds()).toEqual(['card_dispute', 'chargeback_exceeds']);
    expect((await alarms())[1]!.facts).toMatchObject({ cents: 25_000, chargedBackCents: 30_000 });
  });

  test.each([['opened'], ['won'], ['lost']] as const)(
    'that is %s lets no chargeback be posted by hand',
    async (standing) => {
      const { first, last, intentId } = await paidTwo();
      const id = await dashboard.dispute(intentId, 5000);
      if (standing !== 'opened') await dashboard.decide(id, standing);
      await hear(api.ctx, intentId);
      const is = [await balance(first), await balance(last)];
      await expect(chargeBackByHand(intentId)).rejects.toMatchObject({
        status: 409,
        message: expect.stringMatching(
          /^Receipt \d+ is disputed at the gateway, .+ by itself\.$/,
        ) as string,
      });
      expect([await balance(first), await balance(last)]).toEqual(is);
    },
  );

  test('of a charge that the books call declined has an alarm that asks nothing of the tenant', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]], {
      creditCard: { ...card, cardNumber: sandboxNumbers.declined },
    });
    await dashboard.dispute(intentId, 20_000);
    await hear(api.ctx, intentId);
    expect([await balance(unit), await entriesOf(unit)]).toEqual([20_000, []]);
    expect(await kinds()).toEqual(['card_dispute', 'dispute_unposted']);
    expect(await subjects()).toEqual([]);
  });

  test('that is only an inquiry has an alarm and moves nothing', async () => {
    const { first, intentId } = await paidTwo();
    await dashboard.dispute(intentId, 30_000, { isInquiry: true });
    for (let round = 0; round < 2; round++) await hear(api.ctx, intentId);
    expect(await entriesOf(first)).toEqual([]);
    expect(await kinds()).toEqual(['card_inquiry']);
    expect(await subjects()).toEqual([]);
  });

  test('ends autopay by the card on every unit and marks the card as refused, also when it is won', async () => {
    const [unit, other] = [await unitThatOwes(20_000), await unitThatOwes(1000)];
    const methodId = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: tenantId });
    for (const { ledgerId } of [unit, other])
      await makeAutopay(api.owner, ledgerId, methodId, api.ctx.clock.now());
    const intentId = await pay([[unit, 20_000]], { creditCard: { paymentMethodId: methodId } });
    const id = await dashboard.dispute(intentId, 20_000);
    await hear(api.ctx, intentId);
    await dashboard.decide(id, 'won');
    await hear(api.ctx, intentId);
    const { rows } = await sql`
      SELECT a.active, m.refused_at IS NOT NULL AS refused, e.reason FROM autopays a
      JOIN payment_methods m ON m.id = a.payment_method_id JOIN mandate_ends e ON e.mandate_id = a.mandate_id`.execute(
      api.owner,
    );
    const off = { active: false, refused: true, reason: 'disputed' };
    expect(rows).toEqual([off, off]);
    const mail = (await texts()).find((text) => text.includes('Autopay is off'));
    expect(mail).toContain('A payment by the card was disputed with its issuer.');
  });
});
