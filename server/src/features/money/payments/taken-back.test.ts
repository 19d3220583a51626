import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { toCents } from '@gatehouse/contract/money';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Dashboard } from '#adapters/payments/gateway.contract.ts';
import { openSandboxDashboard } from '#adapters/payments/sandbox-dashboard.fixture.ts';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import { getReceiptOfEntry } from '#features/base/papers/receipts.ts';
import { findYear } from '#features/base/papers/year-data.ts';
import { addCreditTo, moveCreditTo, payOutCreditOf } from '#features/money/counter/credits.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { refundPaymentOf } from '#features/money/payments/refund-payment.ts';
import { reversePaymentOf } from '#features/money/counter/reverse-payment.ts';
import { findDeposits } from '#features/money/reports/deposits.ts';
import { moveOutOf } from '#features/rentals/rentals/move-out.ts';
import { receiptPaper } from '#papers/receipt.ts';
import {
  makeCorporation,
  makeFacility,
  makeLedger,
  makeTenant,
  makeUser,
  postCharges,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { card } from '#test/card.ts';
import { expectSoundBooks } from '#test/books.ts';
import { readMails } from '#test/mails.ts';
import { fromNow } from '#test/test-day.ts';
import { applyDispute } from './disputes.ts';
import { applyRefund } from './gateway-refunds.ts';
import { findPayments } from './history.ts';
import { resolveOpenRefunds } from './refunds.ts';
import { lookUpPending } from './resolve.ts';
import { settleReturn } from './returns.ts';
import { findRows, getRow } from '#test/rows.ts';

const DAY = 24 * 60 * 60 * 1000;
const FEE = 3500;

let api: TestApp;
let dana: SignedIn;
let facilityId: string;
let tenantId: string;
let today: string;
let dashboard: Dashboard;
let aheadMs = 0;

beforeAll(async () => {
  const clock = { now: () => fromNow(aheadMs) };
  api = await openTestApp('empty_template', { clock });
  dashboard = openSandboxDashboard(api.owner, () => clock.now());
  const corporationId = await makeCorporation(api.owner);
  facilityId = await makeFacility(api.owner, {
    corporation_id: corporationId,
    return_fee_cents: FEE,
  });
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  const user = { email: 'dana@example.com', password: DEMO_PASSWORD, tenantIds: [tenantId] };
  await makeUser(api.owner, { corporationId, ...user });
  dana = await signIn(api, 'dana@example.com');
  const { time_zone } = await getRow(api.owner, 'facilities', 'time_zone');
  today = calendarDateIn(time_zone, clock.now());
});
beforeEach(async () => {
  aheadMs = 0;
  await api.owner.deleteFrom('mails').execute();
  await api.owner.deleteFrom('alarms').execute();
});
afterAll(async () => {
  await expectSoundBooks(api.owner);
  await api.close();
});

type Unit = { ledgerId: string; unitId: string; name: string };

async function unitThatOwes(cents: number): Promise<Unit> {
  const name = randomUUID().slice(0, 8);
  const unit = { facility_id: facilityId, name };
  const moved = { tenant_id: tenantId, unit, moved_in_on: '2026-11-14' };
  const rental = await makeLedger(api.owner, api.ctx.vault, moved);
  const rent = { category: 'rent' as const, description: 'Rent', dueOn: '2026-11-14' };
  await postCharges(api.owner, rental.ledgerId, [
    { ...rent, periodEnd: '2026-12-13', priceCents: cents },
  ]);
  return { ...rental, name };
}

const call = () => ({ key: randomUUID(), by: 'Ana', why: '', facilityIds: null, isPreview: false });
const account = {
  ach: {
    accountType: 'Consumer Checking',
    accountNumber: '000123456789',
    routingNumber: '110000000',
  },
};

/** Pays in the portal; answers the intent. */
async function payOnline(unit: Unit, cents: number, method: object): Promise<string> {
  const { ledgerId, unitId } = unit;
  const { status } = await api.call('POST', `${dana.prefix}/tenants/${tenantId}/payments`, {
    token: dana.token,
    body: { payments: [{ ledgerId, unitId, amount: cents / 100 }], ...method },
    headers: { 'idempotency-key': randomUUID() },
  });
  if (status !== 200) throw new Refusal(status as 422, 'not paid');
  const { intent_id } = await api.owner
    .selectFrom('payments')
    .innerJoin('entries', 'entries.id', 'entry_id')
    .select('intent_id')
    .where('payments.ledger_id', '=', ledgerId)
    .orderBy('position', 'desc')
    .executeTakeFirstOrThrow();
  return intent_id;
}

async function settle(intentId: string): Promise<void> {
  aheadMs = 2 * DAY;
  await lookUpPending(api.ctx, intentId);
  aheadMs = 0;
}

/** Pays at the counter, also more than is owed; answers the intent. */
async function payAtCounter(
  { ledgerId }: Unit,
  cents: number,
  type: 'cash' | 'check' | 'moneyOrder',
): Promise<string> {
  const { receiptNumber } = await recordPaymentFor(api.ctx, call(), {
    ledgerIds: [ledgerId],
    type,
    ...(type !== 'cash' && { number: '1042' }),
    amount: cents / 100,
    isPrepaid: true,
  });
  const { id } = await getRow(api.owner, 'payment_intents', 'id', {
    receipt_number: receiptNumber,
  });
  return id;
}

async function receiptOf(intentId: string): Promise<string> {
  const { receipt_number } = await getRow(api.owner, 'payment_intents', 'receipt_number', {
    id: intentId,
  });
  return receipt_number!;
}

const reverse = async (intentId: string, reason: 'nsf' | 'chargeback' | 'mistake') =>
  reversePaymentOf(api.ctx, call(), { receiptNumber: await receiptOf(intentId), reason });
const refund = async (ctx: Context, intentId: string, cents: number, way: object) =>
  refundPaymentOf(ctx, call(), {
    receiptNumber: await receiptOf(intentId),
    amount: cents / 100,
    ...way,
  });

const of = (chargeReference: string) => ({
  chargeReference,
  where: { customer: null, since: new Date(0) },
});
/** What a webhook's event leads to. */
async function hearDisputes(intentId: string): Promise<void> {
  for await (const one of api.ctx.gateway.listDisputes(of(intentId)))
    await applyDispute(api.ctx, one);
}
async function hearRefunds(intentId: string): Promise<void> {
  for await (const one of api.ctx.gateway.listRefunds(of(intentId)))
    await applyRefund(api.ctx, one);
}

const balance = async ({ ledgerId }: Unit) =>
  (await getRow(api.owner, 'ledgers', 'balance_cents', { id: ledgerId })).balance_cents;

/** What the day's deposits say came and went back of a type for a reason, in cents. */
async function depositsOfDay() {
  const { facilities, taken, back } = await findDeposits(api.owner, {
    on: today,
    facilityIds: null,
  });
  const rows = facilities.flatMap(({ takenBack }) => takenBack);
  return {
    netCents: toCents(taken) - toCents(back),
    backOf: (type: string, reason: string) =>
      toCents(rows.find((row) => row.type === type && row.reason === reason)?.amount ?? 0),
  };
}

const alarms = async () =>
  (await findRows(api.owner, 'alarms', ['kind', 'sentence'])).map((one) => one);

/** Loses the gateway's answer, after it has given back. */
const deaf = (): Context => ({
  ...api.ctx,
  gateway: {
    ...api.ctx.gateway,
    async refund(request) {
      await api.ctx.gateway.refund(request);
      throw new Error('connection reset');
    },
  },
});

/** How a payment is made, and how it is taken back: what it cost the tenant besides, in cents. */
const ways: [
  string,
  { type: string; reason: string; fee: number },
  (unit: Unit) => Promise<string>,
  (intentId: string) => Promise<unknown>,
][] = [
  [
    'a check that bounces',
    { type: 'check', reason: 'nsf', fee: FEE },
    (unit) => payAtCounter(unit, 31_000, 'check'),
    (id) => reverse(id, 'nsf'),
  ],
  [
    'a money order that its bank does not pay',
    { type: 'moneyOrder', reason: 'nsf', fee: FEE },
    (unit) => payAtCounter(unit, 31_000, 'moneyOrder'),
    (id) => reverse(id, 'nsf'),
  ],
  [
    'an imported payment that bounces',
    { type: 'check', reason: 'nsf', fee: FEE },
    imported,
    (id) => reverse(id, 'nsf'),
  ],
  [
    'a bank debit that is returned',
    { type: 'ach', reason: 'return', fee: FEE },
    async (unit) => {
      const id = await payOnline(unit, 31_000, account);
      await settle(id);
      return id;
    },
    (id) => settleReturn(api.ctx, id, 'R01'),
  ],
  [
    'a card payment that is disputed',
    { type: 'creditCard', reason: 'chargeback', fee: 0 },
    (unit) => payOnline(unit, 31_000, { creditCard: card }),
    async (id) => {
      await dashboard.dispute(id, 31_000);
      await hearDisputes(id);
    },
  ],
  [
    'a card payment that staff charge back',
    { type: 'creditCard', reason: 'chargeback', fee: 0 },
    (unit) => payOnline(unit, 31_000, { creditCard: card }),
    (id) => reverse(id, 'chargeback'),
  ],
  [
    'cash that was recorded by mistake',
    { type: 'cash', reason: 'mistake', fee: 0 },
    (unit) => payAtCounter(unit, 31_000, 'cash'),
    (id) => reverse(id, 'mistake'),
  ],
];

/** A check that the system before an import took. */
async function imported(unit: Unit): Promise<string> {
  const id = await payAtCounter(unit, 31_000, 'check');
  await sql`ALTER TABLE drawer_entries DISABLE TRIGGER never_changed`.execute(api.owner);
  await sql`DELETE FROM drawer_entries WHERE entry_id IN (SELECT entry_id FROM payments WHERE intent_id = ${id})`.execute(
    api.owner,
  );
  await sql`ALTER TABLE drawer_entries ENABLE TRIGGER never_changed`.execute(api.owner);
  await sql`UPDATE payment_intents SET initiator = 'import' WHERE id = ${id}`.execute(api.owner);
  return id;
}

describe.each(ways)('%s after a refund of a part', (_, { type, reason, fee }, pay, take) => {
  test('is taken back whole: balance, deposits, mail, alarm, history, receipt and year say so', async () => {
    const unit = await unitThatOwes(45_000);
    const intentId = await pay(unit);
    await refund(api.ctx, intentId, 21_000, { way: 'cash' });
    expect(await balance(unit)).toBe(35_000);
    const before = await depositsOfDay();
    await api.owner.deleteFrom('mails').execute();

    await take(intentId);

    expect(await balance(unit)).toBe(45_000 + 21_000 + fee);
    const after = await depositsOfDay();
    expect(before.netCents - after.netCents).toBe(31_000);
    expect(after.backOf(type, reason) - before.backOf(type, reason)).toBe(31_000);
    const texts = (await readMails(api)).map(({ subject, text }) => `${subject}\n${text}`);
    if (reason !== 'mistake') expect(texts.join('\n')).toContain('$310.00');
    expect((await alarms()).find(({ kind }) => kind === 'returned_after_refund')?.sentence).toBe(
      `$310.00 of receipt ${await receiptOf(intentId)} went back, of which $210.00 had left it before: unit ${unit.name} owes $210.00 again (Refunded in cash before it was taken back).`,
    );
    const [paid] = await findPayments(api.owner, [tenantId], unit.ledgerId);
    expect(paid!.takenBack!.amount).toBe(310);
    const { entry_id } = await getRow(api.owner, 'payments', 'entry_id', { intent_id: intentId });
    const notices = receiptPaper(await getReceiptOfEntry(api.owner, entry_id)).blocks.flatMap(
      (block) => (block.kind === 'notice' ? [block.text] : []),
    );
    expect(notices).toHaveLength(2);
    expect(notices[0]).toMatch(/^\$210\.00 of this payment was refunded on/);
    expect(notices[1]).toMatch(/^This payment was (returned by the bank|disputed|taken back)/);
    const year = await findYear(api.owner, '2026', { tenantId, today, now: api.ctx.clock.now() });
    const own = year!.lines.filter(({ unitName }) => unitName === unit.name);
    expect(own.map(({ cents }) => cents)).toEqual([31_000, -21_000, -31_000]);
    await expectSoundBooks(api.owner);
  });

  test('is taken back whole after the move-out, and once', async () => {
    const unit = await unitThatOwes(45_000);
    const intentId = await pay(unit);
    await refund(api.ctx, intentId, 21_000, { way: 'check', number: '7' });
    await moveOutOf(api.ctx, call(), { ledgerId: unit.ledgerId, on: today, credit: 'keep' });
    const before = await balance(unit);
    await take(intentId);
    await take(intentId).catch((error: unknown) => expect(error).toBeInstanceOf(Refusal));
    expect((await balance(unit)) - before).toBe(31_000 + fee);
    await expectSoundBooks(api.owner);
  });

  test('is taken back whole where all of it was refunded, and once', async () => {
    const unit = await unitThatOwes(45_000);
    const intentId = await pay(unit);
    await refund(api.ctx, intentId, 31_000, { way: 'cash' });
    await take(intentId);
    await take(intentId).catch((error: unknown) => expect(error).toBeInstanceOf(Refusal));
    expect(await balance(unit)).toBe(45_000 + 31_000 + fee);
    await expectSoundBooks(api.owner);
  });
});

describe('a refund that is still under way', () => {
  test.each([
    [
      'a return',
      async (unit: Unit) => {
        const id = await payOnline(unit, 31_000, account);
        await settle(id);
        return id;
      },
      (id: string) => settleReturn(api.ctx, id, 'R01'),
      FEE,
    ],
    [
      'a dispute',
      (unit: Unit) => payOnline(unit, 31_000, { creditCard: card }),
      async (id: string) => {
        await dashboard.dispute(id, 31_000);
        await hearDisputes(id);
      },
      0,
    ],
  ])(
    'when %s takes the payment is owed as well once the gateway has made it',
    async (_, pay, take, fee) => {
      const unit = await unitThatOwes(45_000);
      const intentId = await pay(unit);
      await refund(deaf(), intentId, 21_000, {});
      expect(await balance(unit)).toBe(14_000);
      const before = await depositsOfDay();
      await take(intentId);
      expect(await balance(unit)).toBe(45_000 + fee);
      await api.owner.deleteFrom('mails').execute();
      aheadMs = 60_000;
      await resolveOpenRefunds(api.ctx);
      await resolveOpenRefunds(api.ctx);
      expect(await balance(unit)).toBe(45_000 + fee + 21_000);
      expect(before.netCents - (await depositsOfDay()).netCents).toBe(31_000 + 21_000);
      expect((await alarms()).map(({ kind }) => kind)).toContain('returned_after_refund');
      expect((await readMails(api)).map(({ subject }) => subject)).toContain('Refund of $210.00');
      await expectSoundBooks(api.owner);
    },
  );
});

describe('a dispute that is won', () => {
  test('gives back all that it took, what was owed again as well', async () => {
    const unit = await unitThatOwes(45_000);
    const intentId = await payOnline(unit, 31_000, { creditCard: card });
    await refund(api.ctx, intentId, 21_000, { way: 'cash' });
    const id = await dashboard.dispute(intentId, 31_000);
    await hearDisputes(intentId);
    const before = await depositsOfDay();
    await dashboard.decide(id, 'won');
    await hearDisputes(intentId);
    expect(await balance(unit)).toBe(35_000);
    expect((await depositsOfDay()).netCents - before.netCents).toBe(31_000);
    const again = await dashboard.dispute(intentId, 31_000);
    await hearDisputes(intentId);
    await dashboard.decide(again, 'lost');
    await hearDisputes(intentId);
    expect(await balance(unit)).toBe(45_000 + 21_000);
    await expectSoundBooks(api.owner);
  });
});

test('the credit of a won dispute is paid out or sent to the card, not both', async () => {
  const unit = await unitThatOwes(20_000);
  const intentId = await payOnline(unit, 20_000, { creditCard: card });
  const id = await dashboard.dispute(intentId, 20_000);
  await hearDisputes(intentId);
  await payAtCounter(unit, 20_000, 'cash');
  await dashboard.decide(id, 'won');
  await hearDisputes(intentId);
  expect(await balance(unit)).toBe(-20_000);
  await moveOutOf(api.ctx, call(), { ledgerId: unit.ledgerId, on: today, credit: 'refund' });
  const open = -(await balance(unit));
  const alarm = (await alarms()).find(({ kind }) => kind === 'move_out_credit');
  expect(alarm!.sentence).toContain('pay it out by check or cash (credits pay-out).');
  const payOut = { ledgerId: unit.ledgerId, way: 'check', number: '7', amount: open / 100 };
  const done = await Promise.allSettled([
    payOutCreditOf(api.ctx, call(), payOut),
    refund(api.ctx, intentId, 20_000, {}),
  ]);
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await expectSoundBooks(api.owner);
});

test('two members of staff who take a bounced check back at once take it once', async () => {
  const unit = await unitThatOwes(45_000);
  const intentId = await payAtCounter(unit, 31_000, 'check');
  await refund(api.ctx, intentId, 31_000, { way: 'cash' });
  const done = await Promise.allSettled([reverse(intentId, 'nsf'), reverse(intentId, 'mistake')]);
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect((await balance(unit)) - FEE * Number(done[0].status === 'fulfilled')).toBe(76_000);
});

describe('after any sequence of acts', () => {
  type Paid = { id: string; by: string; cents: number; refunded: number };
  /** What a sequence has done, reckoned by itself, in cents. */
  class Month {
    paid: Paid[] = [];
    disputes: { id: string; of: Paid; standing: string }[] = [];
    /** Payments that a bank has taken back. */
    taken = new Set<Paid>();
    underWay = new Map<string, { of: Paid; cents: number }>();
    owed = 75_000;
    /** What came in less what went back. */
    money = 0;
    units: [Unit, Unit];
    constructor(units: [Unit, Unit]) {
      this.units = units;
    }

    moved(cents: number): void {
      this.owed -= cents;
      this.money += cents;
    }
    pay(by: string, id: string, cents: number): void {
      this.paid.push({ id, by, cents, refunded: 0 });
      this.moved(cents);
    }
    refunds(of: Paid, cents: number): void {
      of.refunded += cents;
      this.moved(-cents);
    }
  }
  type Drawn = { cents: number; which: number; isIt: boolean };
  type Act = (month: Month, drawn: Drawn & { unit: Unit; payment: Paid | undefined }) => unknown;
  const isAtGateway = ({ by }: Paid) => by === 'card' || by === 'debit';

  const acts: Record<string, Act> = {
    async check(month, { unit, cents }) {
      month.pay('check', await payAtCounter(unit, cents, 'check'), cents);
    },
    async cash(month, { unit, cents }) {
      month.pay('cash', await payAtCounter(unit, cents, 'cash'), cents);
    },
    async card(month, { unit, cents }) {
      const most = Math.min(cents, await balance(unit));
      if (most > 0) month.pay('card', await payOnline(unit, most, { creditCard: card }), most);
    },
    async debit(month, { unit, cents }) {
      const most = Math.min(cents, await balance(unit));
      if (most <= 0) return;
      const id = await payOnline(unit, most, account);
      await settle(id);
      month.pay('debit', id, most);
    },
    async refund(month, { payment, cents, isIt }) {
      if (payment === undefined) return;
      const byHand = isIt ? { way: 'cash' } : { way: 'check', number: '7' };
      const way = isAtGateway(payment) && isIt ? {} : byHand;
      await refund(api.ctx, payment.id, cents, way);
      expect(month.taken).not.toContain(payment);
      month.refunds(payment, cents);
      expect(payment.refunded).toBeLessThanOrEqual(payment.cents);
    },
    async 'refund without an answer'(month, { payment, cents }) {
      if (payment === undefined) return;
      const { refundId } = await refund(deaf(), payment.id, cents, {});
      expect(payment.refunded + cents).toBeLessThanOrEqual(payment.cents);
      month.underWay.set(refundId!, { of: payment, cents });
    },
    async sweep(month) {
      aheadMs = 60_000;
      await resolveOpenRefunds(api.ctx);
      aheadMs = 0;
      for (const { of: payment, cents } of month.underWay.values()) month.refunds(payment, cents);
      month.underWay.clear();
    },
    async 'refund in the dashboard'(month, { payment, cents }) {
      if (payment?.by !== 'card' || payment.refunded + cents > payment.cents) return;
      await acts['sweep']!(month, {} as never);
      await dashboard.refund(payment.id, cents);
      await hearRefunds(payment.id);
      month.refunds(payment, cents);
    },
    async move(month, { unit, cents, which }) {
      const open = Math.min(cents, -(await balance(unit)));
      if (open <= 0) return;
      const [fromLedgerId, toLedgerId] = [unit.ledgerId, month.units[1 - (which % 2)]!.ledgerId];
      await moveCreditTo(api.ctx, call(), { fromLedgerId, toLedgerId, amount: open / 100 });
    },
    async 'move out'(month, { unit, isIt }) {
      const credit = isIt ? 'refund' : 'keep';
      const asked = { ledgerId: unit.ledgerId, on: today, credit };
      const { lines, refunds } = await moveOutOf(api.ctx, call(), asked);
      for (const { amount } of lines) month.owed += toCents(amount);
      for (const { amount, receiptNumber } of refunds) {
        const intents = await Promise.all(month.paid.map(({ id }) => receiptOf(id)));
        month.refunds(month.paid[intents.indexOf(receiptNumber)]!, toCents(amount));
      }
    },
    async 'take back'(month, { payment }) {
      if (payment === undefined) return;
      const reasons = { card: 'chargeback', check: 'nsf', cash: 'mistake' } as const;
      if (payment.by === 'debit') {
        await settleReturn(api.ctx, payment.id, 'R01');
        if (month.taken.has(payment)) return;
        month.owed += FEE;
      } else {
        const reason = reasons[payment.by as keyof typeof reasons];
        const { amount, fee } = await reverse(payment.id, reason);
        expect(month.taken).not.toContain(payment);
        expect(toCents(amount)).toBe(payment.cents);
        month.owed += toCents(fee);
      }
      month.taken.add(payment);
      month.moved(-payment.cents);
    },
    async dispute(month, { payment }) {
      if (payment?.by !== 'card' || month.taken.has(payment)) return;
      const id = await dashboard.dispute(payment.id, payment.cents);
      await hearDisputes(payment.id);
      month.disputes.push({ id, of: payment, standing: 'opened' });
      month.taken.add(payment);
      month.moved(-payment.cents);
    },
    async decide(month, { isIt }) {
      const open = month.disputes.find(({ standing }) => standing === 'opened');
      if (open === undefined) return;
      open.standing = isIt ? 'won' : 'lost';
      await dashboard.decide(open.id, open.standing as 'won' | 'lost');
      await hearDisputes(open.of.id);
      if (!isIt) return;
      month.taken.delete(open.of);
      month.moved(open.of.cents);
    },
    async 'pay out'(month, { unit, cents, isIt }) {
      const open = Math.min(cents, -(await balance(unit)));
      if (open <= 0) return;
      const way = isIt ? { way: 'cash' } : { way: 'check', number: '7' };
      await payOutCreditOf(api.ctx, call(), {
        ledgerId: unit.ledgerId,
        amount: open / 100,
        ...way,
      });
      month.moved(-open);
    },
    async goodwill(month, { unit, cents }) {
      const description = 'Goodwill';
      const credit = { ledgerId: unit.ledgerId, amount: cents / 100, description };
      await addCreditTo(api.ctx, call(), credit);
      month.owed -= cents;
    },
  };
  const drawn = fc.record({
    act: fc.constantFrom(...Object.keys(acts)),
    cents: fc.oneof(fc.integer({ min: 1, max: 60_000 }), fc.constantFrom(10_000, 20_000)),
    which: fc.nat({ max: 20 }),
    isIt: fc.boolean(),
  });

  test('what is owed is what was charged less what was taken and more what went back', async () => {
    const done: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 6, maxLength: 16 }), async (sequence) => {
        aheadMs = 0;
        const month = new Month([await unitThatOwes(45_000), await unitThatOwes(30_000)]);
        const before = await depositsOfDay();
        for (const { act, ...rest } of sequence) {
          const unit = month.units[rest.which % 2]!;
          const payment = month.paid[rest.which % Math.max(1, month.paid.length)];
          try {
            await acts[act]!(month, { ...rest, unit, payment });
            done[act] = (done[act] ?? 0) + 1;
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
          const [one, other] = await Promise.all(month.units.map(balance));
          expect({ act, owed: one! + other! }).toEqual({ act, owed: month.owed });
        }
        await acts['sweep']!(month, {} as never);
        expect((await depositsOfDay()).netCents - before.netCents).toBe(month.money);
      }),
      { numRuns: 40, endOnFailure: true },
    );
    expect(Object.keys(done).toSorted()).toEqual(Object.keys(acts).toSorted());
    await expectSoundBooks(api.owner);
  });
});
