import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { waiveChargeOf } from '#features/money/counter/charges.ts';
import { moveCreditTo } from '#features/money/counter/credits.ts';
import { post } from '#features/base/ledgers/books.ts';
import { readBooksWithPayments, writePostings } from '#features/base/ledgers/postings.ts';
import { makeFacility, makeLedger, makeTenant, makeUser, postCharges } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { card } from '#test/card.ts';
import { expectSoundBooks } from '#test/books.ts';
import { refundPayment } from './refunds.fixture.ts';
import { resolveOpenRefunds } from './refunds.ts';
import { lookUpPending, lookUpPendingPayments } from './resolve.ts';
import { settleReturn } from './returns.ts';
import { notifyOfPayments } from './notify.ts';
import { patience } from '#test/patience.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

const DAY = 24 * 60 * 60 * 1000;

let dana: SignedIn;
let tenantId: string;
let facilityId: string;
let aheadMs = 0;
let unitCount = 0;

const api = useTestApp('empty_template', {
  clock: { now: () => fromNow(aheadMs) },
});
beforeAll(async () => {
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
  await changeRows(api.owner, 'facilities', { return_fee_cents: 0 });
});
afterAll(() => expectSoundBooks(api.owner));

type Unit = { ledgerId: string; unitId: string; name: string };

async function unitThatOwes(cents: number): Promise<Unit> {
  const name = `U${++unitCount}`;
  const unit = { facility_id: facilityId, name };
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
  return { ...rental, name };
}

const account = (accountNumber = '000123456789') => ({
  ach: { accountType: 'Consumer Checking', accountNumber, routingNumber: '110000000' },
});
const paidBy = (cardNumber = card.cardNumber) => ({ creditCard: { ...card, cardNumber } });

/** Pays and answers the intent. */
async function pay(lines: [Unit, number][], method: object = account()): Promise<string> {
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
  const row = await api.owner
    .selectFrom('payment_intent_ledgers')
    .innerJoin('payment_intents', 'id', 'intent_id')
    .select('intent_id')
    .where('ledger_id', '=', lines[0]![0].ledgerId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  expect([200, 402]).toContain(status);
  return row.intent_id;
}

const ledger = ({ ledgerId }: Unit) =>
  getRow(api.owner, 'ledgers', ['balance_cents', 'paid_through'], { id: ledgerId });
const reversals = ({ ledgerId }: Unit) =>
  api.owner
    .selectFrom('reversals')
    .innerJoin('entries', 'entries.id', 'entry_id')
    .select(['amount_cents', 'reason'])
    .where('reversals.ledger_id', '=', ledgerId)
    .orderBy('position')
    .execute();
const intentState = async (id: string) =>
  (await getRow(api.owner, 'payment_intents', 'state', { id })).state;
/** Waives this many dollars of what a payment has paid: they are a credit then. */
async function waive({ ledgerId }: Unit, amount: number): Promise<void> {
  const { entry_id: chargeId } = await getRow(api.owner, 'charges', 'entry_id', {
    ledger_id: ledgerId,
  });
  await waiveChargeOf(api.ctx, staffCall(), { chargeId, amount });
}
const move = (from: Unit, to: Unit, amount: number) =>
  moveCreditTo(api.ctx, staffCall(), {
    fromLedgerId: from.ledgerId,
    toLedgerId: to.ledgerId,
    amount,
  });
/** Two days later the banks have paid a debit. */
async function settled(intentId: string): Promise<void> {
  aheadMs = 2 * DAY;
  await lookUpPending(api.ctx, intentId);
  expect(await intentState(intentId)).toBe('settled');
}
const mails = () => readMails(api);
const alarms = () => findRows(api.owner, 'alarms', ['kind', 'facts']);
async function history({ ledgerId }: Unit) {
  // The session is of today.
  aheadMs = 0;
  const path = `${dana.prefix}/ledgers/${ledgerId}/payments`;
  return (await api.call('GET', path, { token: dana.token })).body as Record<string, unknown>[];
}
async function paymentEntry(intentId: string): Promise<string> {
  const row = await getRow(api.owner, 'payments', 'entry_id', { intent_id: intentId });
  return row.entry_id;
}

describe('a bank payment', () => {
  test('is pending, and settled once the banks have paid', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    expect(await history(unit)).toMatchObject([{ amount: 200, isPending: true, takenBack: null }]);
    await lookUpPendingPayments(api.ctx);
    expect(await intentState(intentId)).toBe('pending');
    aheadMs = 2 * DAY;
    await lookUpPendingPayments(api.ctx);
    expect(await intentState(intentId)).toBe('settled');
    expect(await history(unit)).toMatchObject([{ isPending: false, takenBack: null }]);
    expect(await reversals(unit)).toEqual([]);
  });

  test('that comes back opens again exactly what it had paid, once, and the tenant is told', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]], account(sandboxNumbers.returnedAccount));
    expect(await ledger(unit)).toEqual({ balance_cents: 0, paid_through: '2026-12-13' });
    await notifyOfPayments(api.ctx);
    await api.owner.deleteFrom('mails').execute();
    aheadMs = 2 * DAY;
    await Promise.all([lookUpPendingPayments(api.ctx), lookUpPendingPayments(api.ctx)]);
    expect(await intentState(intentId)).toBe('returned');
    expect(await ledger(unit)).toEqual({ balance_cents: 20_000, paid_through: '2026-11-13' });
    expect(await history(unit)).toMatchObject([
      {
        amount: 200,
        isPending: false,
        takenBack: {
          amount: 200,
          sentence: 'Returned by the bank: there was not enough money in the account.',
        },
      },
    ]);
    await notifyOfPayments(api.ctx);
    expect(await mails()).toMatchObject([
      { to_address: 'dana@example.com', subject: 'Your bank returned your payment of $200.00' },
    ]);
    expect((await mails())[0]!.text).toContain(`unit ${unit.name}`);
    for (let again = 0; again < 3; again++) {
      await settleReturn(api.ctx, intentId, 'R01');
      await lookUpPending(api.ctx, intentId);
    }
    expect(await reversals(unit)).toEqual([{ amount_cents: 20_000, reason: 'return' }]);
  });

  test('over several units comes back on all of them, with the facility’s fee once', async () => {
    await changeRows(api.owner, 'facilities', { return_fee_cents: 2500 });
    const [a, b] = [await unitThatOwes(10_000), await unitThatOwes(20_000)];
    const intentId = await pay([
      [a, 10_000],
      [b, 15_000],
    ]);
    await Promise.all(Array.from({ length: 5 }, () => settleReturn(api.ctx, intentId, 'R02')));
    expect((await ledger(a)).balance_cents + (await ledger(b)).balance_cents).toBe(32_500);
    const fees = await findRows(api.owner, 'charges', ['description', 'price_cents'], {
      category: 'fee',
      ledger_id: [a.ledgerId, b.ledgerId],
    });
    expect(fees).toEqual([{ description: 'Returned payment fee', price_cents: 2500 }]);
    expect((await mails())[0]!.text).toContain('Returned payment fee: $25.00');
  });

  test('that was settled can still come back', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    aheadMs = 2 * DAY;
    await lookUpPending(api.ctx, intentId);
    aheadMs = 59 * DAY;
    await settleReturn(api.ctx, intentId, 'R10');
    expect(await ledger(unit)).toEqual({ balance_cents: 20_000, paid_through: '2026-11-13' });
  });

  test('of which a part was refunded comes back whole, and a person is called', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    await settled(intentId);
    await refundPayment(api.ctx, {
      paymentEntryId: await paymentEntry(intentId),
      cents: 5000,
      reason: 'goodwill',
    });
    await settleReturn(api.ctx, intentId, 'R01');
    expect(await reversals(unit)).toEqual([
      { amount_cents: 5000, reason: 'refund' },
      { amount_cents: 15_000, reason: 'return' },
    ]);
    expect((await ledger(unit)).balance_cents).toBe(25_000);
    expect(await alarms()).toContainEqual({
      kind: 'returned_after_refund',
      facts: { intent: intentId, cents: 20_000, againCents: 5000 },
    });
  });

  test('of which a credit was moved to another unit comes back whole: the unit that it paid owes it, and a person is called', async () => {
    const [unit, other] = [await unitThatOwes(20_000), await unitThatOwes(3000)];
    const intentId = await pay([[unit, 20_000]]);
    await waive(unit, 50);
    await expect(move(unit, other, 50)).rejects.toMatchObject({
      status: 422,
      message: `The credit of unit ${unit.name} is of a bank debit that has not settled yet. Move it when it has.`,
    });
    await settled(intentId);
    await move(unit, other, 50);
    for (let again = 0; again < 3; again++) await settleReturn(api.ctx, intentId, 'R01');
    expect([(await ledger(unit)).balance_cents, (await ledger(other)).balance_cents]).toEqual([
      20_000, -2000,
    ]);
    const facts = { intent: intentId, cents: 20_000, againCents: 5000 };
    const own = (await alarms()).filter(
      (one) => (one.facts as { intent?: string }).intent === intentId,
    );
    expect(own).toEqual([{ kind: 'returned_after_refund', facts }]);
  });

  test('that was paid beyond a later charge gives the next charge back what it had used', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    await postCharges(api.owner, unit.ledgerId, [
      { category: 'fee', description: 'Late fee', dueOn: '2026-11-20', priceCents: 1500 },
    ]);
    await settleReturn(api.ctx, intentId, 'R01');
    expect((await ledger(unit)).balance_cents).toBe(21_500);
  });

  test.each([
    ['that we never had', () => Promise.resolve(randomUUID())],
    ['that was made by card', async () => pay([[await unitThatOwes(100), 100]], paidBy())],
    [
      'that was declined',
      async () => pay([[await unitThatOwes(100), 100]], paidBy(sandboxNumbers.declined)),
    ],
  ])('%s: its return is parked with one alarm and moves nothing', async (_, make) => {
    const intentId = await make();
    const before = await findRows(api.owner, 'entries', 'id');
    await settleReturn(api.ctx, intentId, 'R01');
    await settleReturn(api.ctx, intentId, 'R01');
    expect(await findRows(api.owner, 'entries', 'id')).toHaveLength(before.length);
    const own = (await alarms()).filter(
      ({ facts }) => (facts as { intent?: string }).intent === intentId,
    );
    expect(own.map(({ kind }) => kind)).toEqual(['unknown_return']);
  });
});

describe('a refund', () => {
  test('opens again what the payment had settled, the last first, and shows in the history', async () => {
    const unit = await unitThatOwes(20_000);
    const paymentEntryId = await paymentEntry(await pay([[unit, 20_000]], paidBy()));
    expect(
      await refundPayment(api.ctx, { paymentEntryId, cents: 4000, reason: 'goodwill' }),
    ).toMatchObject({
      outcome: 'succeeded',
    });
    expect(await ledger(unit)).toEqual({ balance_cents: 4000, paid_through: '2026-11-13' });
    expect(await history(unit)).toMatchObject([
      { takenBack: { amount: 40, sentence: 'Refunded in part.' } },
    ]);
    await refundPayment(api.ctx, { paymentEntryId, cents: 16_000, reason: 'moved out' });
    expect(await history(unit)).toMatchObject([
      { takenBack: { amount: 200, sentence: 'Refunded.' } },
    ]);
  });

  test('of more than is left, of nothing, or of a payment that is none is refused', async () => {
    const unit = await unitThatOwes(20_000);
    const paymentEntryId = await paymentEntry(await pay([[unit, 20_000]], paidBy()));
    await refundPayment(api.ctx, { paymentEntryId, cents: 19_000, reason: 'goodwill' });
    for (const request of [
      { paymentEntryId, cents: 1001 },
      { paymentEntryId, cents: 0 },
      { paymentEntryId, cents: -1 },
      { paymentEntryId: randomUUID(), cents: 1 },
    ])
      await expect(refundPayment(api.ctx, { ...request, reason: 'no' })).rejects.toMatchObject({
        status: 422,
      });
    expect((await ledger(unit)).balance_cents).toBe(19_000);
  });

  test('of a bank debit is refused until it has settled', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    const request = {
      paymentEntryId: await paymentEntry(intentId),
      cents: 4000,
      reason: 'goodwill',
    };
    await expect(refundPayment(api.ctx, request)).rejects.toMatchObject({ status: 422 });
    await settled(intentId);
    expect(await refundPayment(api.ctx, request)).toMatchObject({ outcome: 'succeeded' });
  });

  test('asked for twenty times at once is made no more often than there is left', async () => {
    const unit = await unitThatOwes(20_000);
    const paymentEntryId = await paymentEntry(await pay([[unit, 20_000]], paidBy()));
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        refundPayment(api.ctx, { paymentEntryId, cents: 12_000, reason: 'twice' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await ledger(unit)).balance_cents).toBe(12_000);
  });

  test('whose answer is lost is asked for again, and made once', async () => {
    const unit = await unitThatOwes(20_000);
    const paymentEntryId = await paymentEntry(await pay([[unit, 20_000]], paidBy()));
    const { gateway } = api.ctx;
    api.ctx.gateway = {
      ...gateway,
      async refund(request) {
        await gateway.refund(request);
        throw new Error('connection reset');
      },
    };
    const lost = await refundPayment(api.ctx, { paymentEntryId, cents: 4000, reason: 'goodwill' });
    api.ctx.gateway = gateway;
    expect(lost.outcome).toBe('submitted');
    expect((await ledger(unit)).balance_cents).toBe(0);
    await expect(
      refundPayment(api.ctx, { paymentEntryId, cents: 1, reason: 'more' }),
    ).rejects.toMatchObject({
      status: 409,
    });
    aheadMs = 60_000;
    await Promise.all([resolveOpenRefunds(api.ctx), resolveOpenRefunds(api.ctx)]);
    expect(await reversals(unit)).toEqual([{ amount_cents: 4000, reason: 'refund' }]);
  });

  test('that is asked for while another one is being posted finds what that one leaves', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]], paidBy());
    const paymentEntryId = await paymentEntry(intentId);
    const request = { paymentEntryId, cents: 15_000, reason: 'goodwill' };
    let second: Promise<unknown> = Promise.resolve();
    await api.ctx.db.transaction().execute(async (trx) => {
      await sql`SELECT FROM ledgers WHERE id = ${unit.ledgerId} FOR NO KEY UPDATE`.execute(trx);
      const now = testClock.now();
      const [books] = await readBooksWithPayments(trx, [paymentEntryId]);
      const payment = books!.payments[0]!;
      const row = {
        intent_id: intentId,
        payment_entry_id: paymentEntryId,
        amount_cents: 15_000,
        reason: 'first',
        created_at: now,
      };
      const { id } = await trx
        .insertInto('refunds')
        .values({ ...row, state: 'submitted', updated_at: now })
        .returning('id')
        .executeTakeFirstOrThrow();
      const where = { customer: null, since: now };
      await api.ctx.gateway.refund({
        reference: id,
        chargeReference: intentId,
        amountCents: 15_000,
        where,
      });
      second = refundPayment(api.ctx, request).catch((error: unknown) => error);
      await vi.waitFor(async () => {
        const { rows } = await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(api.owner);
        expect(rows).toHaveLength(1);
      }, patience);
      const reversal = {
        kind: 'reversal',
        id: randomUUID(),
        payment,
        cents: 15_000,
        reason: 'refund',
      } as const;
      const { posting } = post(books!, [{ ...reversal, description: 'Refunded' }]);
      await writePostings(trx, { instant: now, dayOf: () => '2026-11-21' }, [posting]);
      await changeRows(trx, 'refunds', { state: 'succeeded', posted_cents: 15_000 }, { id });
    });
    expect(await second).toMatchObject({ status: 422 });
    expect(await reversals(unit)).toEqual([{ amount_cents: 15_000, reason: 'refund' }]);
  });

  test('that stays unknown for more than 15 minutes has one alarm, and keeps no other one waiting', async () => {
    const [stuck, other] = [await unitThatOwes(20_000), await unitThatOwes(20_000)];
    const { gateway } = api.ctx;
    const away: typeof gateway = { ...gateway, refund: () => Promise.reject(new Error('away')) };
    const refunds: string[] = [];
    for (const unit of [stuck, other]) {
      const paymentEntryId = await paymentEntry(await pay([[unit, 20_000]], paidBy()));
      api.ctx.gateway = away;
      refunds.push(
        (await refundPayment(api.ctx, { paymentEntryId, cents: 4000, reason: 'goodwill' }))
          .refundId,
      );
      api.ctx.gateway = gateway;
    }
    const told = async () => (await alarms()).filter(({ kind }) => kind === 'refund_unknown');
    aheadMs = 14 * 60_000;
    await resolveOpenRefunds({ ...api.ctx, gateway: away });
    expect(await told()).toEqual([]);
    aheadMs = 16 * 60_000;
    const half = {
      ...gateway,
      refund: (asked: Parameters<typeof gateway.refund>[0]) =>
        asked.reference === refunds[0] ? away.refund(asked) : gateway.refund(asked),
    };
    for (let round = 0; round < 2; round++) await resolveOpenRefunds({ ...api.ctx, gateway: half });
    expect(await told()).toMatchObject([{ facts: { refund: refunds[0], cents: 4000 } }]);
    expect(await reversals(other)).toHaveLength(1);
    await resolveOpenRefunds(api.ctx);
    expect(await reversals(stuck)).toHaveLength(1);
  });

  test('that the gateway refuses takes nothing back', async () => {
    const unit = await unitThatOwes(20_000);
    const paymentEntryId = await paymentEntry(await pay([[unit, 20_000]], paidBy()));
    const { gateway } = api.ctx;
    api.ctx.gateway = {
      ...gateway,
      refund: () => Promise.resolve({ outcome: 'failed', message: 'No.' }),
    };
    expect(
      await refundPayment(api.ctx, { paymentEntryId, cents: 4000, reason: 'goodwill' }),
    ).toMatchObject({
      outcome: 'failed',
    });
    api.ctx.gateway = gateway;
    expect((await ledger(unit)).balance_cents).toBe(0);
    expect(await reversals(unit)).toEqual([]);
  });

  test('that the gateway refuses later has an alarm and an event, and leaves all to refund again', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]], paidBy());
    const request = {
      paymentEntryId: await paymentEntry(intentId),
      cents: 20_000,
      reason: 'goodwill',
    };
    const { gateway } = api.ctx;
    api.ctx.gateway = { ...gateway, refund: () => Promise.reject(new Error('no answer')) };
    const { refundId } = await refundPayment(api.ctx, request);
    api.ctx.gateway = {
      ...gateway,
      refund: () => Promise.resolve({ outcome: 'failed', message: 'No.' }),
    };
    aheadMs = 60_000;
    await Promise.all([resolveOpenRefunds(api.ctx), resolveOpenRefunds(api.ctx)]);
    api.ctx.gateway = gateway;
    const raised = await api.owner
      .selectFrom('alarms')
      .selectAll()
      .where('kind', '=', 'refund_refused')
      .execute();
    expect(
      raised.filter(({ facts }) => (facts as { refund: string }).refund === refundId),
    ).toMatchObject([
      {
        facility_id: facilityId,
        sentence: expect.stringContaining('refused to refund $200.00 of receipt') as string,
      },
    ]);
    const events = await api.owner
      .selectFrom('audit_events')
      .selectAll()
      .where('kind', '=', 'refund_refused')
      .execute();
    expect(
      events.filter(({ details }) => (details as { refund: string }).refund === refundId),
    ).toMatchObject([
      { tenant_id: tenantId, facility_id: facilityId, details: { way: 'gateway', cents: '20000' } },
    ]);
    expect(await refundPayment(api.ctx, request)).toMatchObject({ outcome: 'succeeded' });
    expect(await reversals(unit)).toEqual([{ amount_cents: 20_000, reason: 'refund' }]);
  });

  test('that meets a return is owed as well, and a person is called', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    await settled(intentId);
    const gateway = returnDuringRefund(intentId);
    const request = {
      paymentEntryId: await paymentEntry(intentId),
      cents: 4000,
      reason: 'goodwill',
    };
    await refundPayment(api.ctx, request);
    api.ctx.gateway = gateway;
    expect(await reversals(unit)).toEqual([{ amount_cents: 20_000, reason: 'return' }]);
    expect((await ledger(unit)).balance_cents).toBe(24_000);
    expect(await alarms()).toContainEqual({
      kind: 'returned_after_refund',
      facts: { intent: intentId, cents: 4000, againCents: 4000 },
    });
  });

  test('that meets a return is not written without its alarm', async () => {
    const unit = await unitThatOwes(20_000);
    const intentId = await pay([[unit, 20_000]]);
    await settled(intentId);
    const gateway = returnDuringRefund(intentId);
    const request = {
      paymentEntryId: await paymentEntry(intentId),
      cents: 4000,
      reason: 'goodwill',
    };
    // As where the process dies between the two.
    await sql`REVOKE INSERT ON alarms FROM gatehouse_app`.execute(api.owner);
    await expect(refundPayment(api.ctx, request)).rejects.toThrow('permission denied');
    await sql`GRANT INSERT ON alarms TO gatehouse_app`.execute(api.owner);
    api.ctx.gateway = gateway;
    aheadMs += 60_000;
    await resolveOpenRefunds(api.ctx);
    expect((await alarms()).at(-1)).toMatchObject({
      kind: 'returned_after_refund',
      facts: { intent: intentId },
    });
  });
});

/**
 * The bank returns the payment while the gateway is asked to refund it. Answers the gateway as it
 * was.
 */
function returnDuringRefund(intentId: string) {
  const { gateway } = api.ctx;
  api.ctx.gateway = {
    ...gateway,
    async refund(request) {
      await settleReturn(api.ctx, intentId, 'R01');
      return gateway.refund(request);
    },
  };
  return gateway;
}

describe('those whom a payment concerns are told', () => {
  test('the tenant by a receipt and, of a bank payment, the staff, once however many look', async () => {
    const [a, b] = [await unitThatOwes(10_000), await unitThatOwes(10_000)];
    await pay([[a, 10_000]], paidBy());
    await pay([[b, 10_000]]);
    expect(await mails()).toEqual([]);
    await Promise.all(Array.from({ length: 4 }, () => notifyOfPayments(api.ctx)));
    const to = (await mails()).map(({ to_address }) => to_address).toSorted();
    expect(to).toEqual([
      'dana@example.com',
      'dana@example.com',
      'eagle-mountain@anchor-axle.example',
    ]);
  });

  test('no one of a payment that the tenant saw declined', async () => {
    await pay([[await unitThatOwes(10_000), 10_000]], paidBy(sandboxNumbers.declined));
    await notifyOfPayments(api.ctx);
    expect(await mails()).toEqual([]);
  });

  test('also when telling of another payment fails', async () => {
    await pay([[await unitThatOwes(10_000), 10_000]], paidBy());
    await pay([[await unitThatOwes(10_000), 10_000]], paidBy());
    const { enqueue } = api.ctx;
    let isFirst = true;
    api.ctx.enqueue = (...job) => {
      const fails = isFirst;
      isFirst = false;
      return fails ? Promise.reject(new Error('the queue is down')) : enqueue(...job);
    };
    await expect(notifyOfPayments(api.ctx)).rejects.toThrow('1 payments could not be notified of');
    api.ctx.enqueue = enqueue;
    expect(await mails()).toHaveLength(1);
    await notifyOfPayments(api.ctx);
    expect(await mails()).toHaveLength(2);
  });
});
