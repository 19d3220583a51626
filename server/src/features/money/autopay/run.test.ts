import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { GatewayUnknown, NotSent, type PaymentGateway } from '#adapters/payments/gateway.ts';
import { createSandboxGateway } from '#adapters/payments/sandbox-gateway.ts';
import type { Context } from '#context/context.ts';
import { reaching } from '#db/database.ts';
import { checkAllBooks } from '#features/money/books-check/check-all-books.ts';
import { addChargeTo } from '#features/money/counter/charges.ts';
import { runBilling } from '#features/money/billing/billing.ts';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import { makePayment, type PaymentRequest } from '#features/money/payments/payments.ts';
import { resolveOverduePayments } from '#features/money/payments/resolve.ts';
import { settleReturn } from '#features/money/payments/returns.ts';
import { notifyOfPayments } from '#features/money/payments/notify.ts';
import {
  makeAutopay,
  makeCorporation,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
} from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { findAutopaysOf } from './autopay.ts';
import { endMandates } from '#features/money/mandates/mandates.ts';
import { foreseeAutopay, runAutopay } from './run.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const ZONE = 'America/Chicago';
let api: TestApp;
let corporationId: string;
let now: Date;
/** What the gateway does before it charges. */
let beforeCharge: (reference: string) => Promise<void>;

beforeAll(async () => {
  now = at('2026-11-14');
  beforeCharge = async () => {};
  api = await openTestApp('empty_template', { clock: { now: () => now } });
  const sandbox = createSandboxGateway(api.ctx.db, api.ctx.clock, api.ctx.config.secret);
  const gateway: PaymentGateway = {
    ...sandbox,
    charge: async (request, signal) => {
      await beforeCharge(request.reference);
      return sandbox.charge(request, signal);
    },
  };
  api.ctx.gateway = gateway;
  corporationId = await makeCorporation(api.owner);
});
afterEach(() => {
  beforeCharge = async () => {};
});
afterAll(() => api.close());

/** Five in the morning of a day at the facility. */
function at(date: string): Date {
  return new Date(`${date}T11:00:00Z`);
}

type Rental = { id: string; unitId: string; methodId: string };
type Behaviour = 'approve' | 'declined' | 'stolen' | 'insufficientFunds';

/** A facility with one tenant, whose rentals are due on the 14th and paid up to the day before. */
async function facilityWith() {
  now = at('2026-11-14');
  const facilityId = await makeFacility(api.owner, {
    corporation_id: corporationId,
    location_code: randomUUID().slice(0, 8),
    time_zone: ZONE,
  });
  const email = `${randomUUID().slice(0, 8)}@example.com`;
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId, email });
  let units = 0;
  return {
    facilityId,
    tenantId,
    async rental(behaviour: Behaviour = 'approve', type: 'creditCard' | 'ach' = 'creditCard') {
      const { ledgerId, unitId } = await makeLedger(api.owner, api.ctx.vault, {
        tenant_id: tenantId,
        unit: { facility_id: facilityId, name: `U${(units += 1)}` },
        moved_in_on: '2026-01-14',
        billed_through: '2026-11-13',
        paid_through: '2026-11-13',
      });
      const methodId = await this.method(behaviour, type);
      await makeAutopay(api.owner, ledgerId, methodId, api.ctx.clock.now());
      return { id: ledgerId, unitId, methodId };
    },
    async method(behaviour: Behaviour, type: 'creditCard' | 'ach' = 'creditCard') {
      const methodId = await makePaymentMethod(api.owner, api.ctx.vault, {
        tenant_id: tenantId,
        type,
      });
      const { gateway_token } = await getRow(api.owner, 'payment_methods', 'gateway_token', {
        id: methodId,
      });
      const token = api.ctx.vault.open('gatewayToken', methodId, gateway_token);
      await changeRows(api.owner, 'sandbox_gateway.methods', { behaviour }, { token });
      return methodId;
    },
    /** The facility's day: billing, then autopay. */
    async day(date: string) {
      now = at(date);
      await runBilling(api.ctx, { facilityId, date });
      return runAutopay(api.ctx, { facilityId, date });
    },
    set: (row: Partial<Parameters<typeof makeFacility>[1]>) =>
      changeRows(api.owner, 'facilities', row, { id: facilityId }),
    run: (date: string, ctx: Context = api.ctx) => runAutopay(ctx, { facilityId, date }),
    async mails() {
      await notifyOfPayments(api.ctx);
      const mails = await api.owner
        .selectFrom('mails')
        .select('subject')
        .where('to_address', '=', email)
        .orderBy('position')
        .execute();
      return mails.map(({ subject }) => subject);
    },
  };
}

const itemsOf = (ledgerId: string) =>
  api.owner
    .selectFrom('autopay_items')
    .select(['due_on', 'state', 'try_on', 'declines', 'amount_cents', 'note'])
    .where('ledger_id', '=', ledgerId)
    .orderBy('due_on')
    .execute();
const balanceOf = async (id: string) =>
  (await getRow(api.owner, 'ledgers', 'balance_cents', { id })).balance_cents;
const intentsOf = (ledgerId: string) =>
  api.owner
    .selectFrom('payment_intents as i')
    .innerJoin('payment_intent_ledgers as p', 'p.intent_id', 'i.id')
    .select(['i.id', 'i.state', 'i.amount_cents', 'i.initiator', 'i.is_hard_decline'])
    .where('p.ledger_id', '=', ledgerId)
    .orderBy('i.created_at')
    .orderBy('i.attempt')
    .execute();
const statesOf = async (ledgerId: string) => (await intentsOf(ledgerId)).map(({ state }) => state);

/** Posts what a tenant pays at the screen, besides autopay. */
async function payByHand(
  tenantId: string,
  { id, unitId }: { id: string; unitId: string },
  cents: number,
) {
  const userId = await api.owner
    .insertInto('users')
    .values({
      corporation_id: corporationId,
      email: `${randomUUID()}@example.com`,
      password_hash: 'none',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const methodId = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: tenantId });
  return makePayment(api.ctx, {
    userId: userId.id,
    tenantId,
    timeZone: ZONE,
    idempotencyKey: undefined,
    params: {
      payments: [{ ledgerId: id, unitId, amount: cents / 100 }],
      creditCard: { paymentMethodId: methodId },
    } satisfies PaymentRequest['params'],
  });
}

/** A charge by staff, in dollars. */
const addServiceOf = (ledgerId: string, amount: number) =>
  addChargeTo(
    api.ctx,
    { key: randomUUID(), by: 'Ana', why: '', facilityIds: null, isPreview: false },
    { ledgerId, category: 'service', description: 'Lock cut', amount },
  );

describe('an autopay run', () => {
  test('takes what is owed on the due date, once, and mails the receipt of an autopay payment', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental();
    expect(await eagle.day('2026-11-14')).toMatchObject({
      attempts: 1,
      taken: 1,
      takenCents: 20_000,
    });
    expect(await balanceOf(unit.id)).toBe(0);
    expect(await itemsOf(unit.id)).toMatchObject([
      { due_on: '2026-11-14', state: 'paid', try_on: null, amount_cents: 20_000 },
    ]);
    expect(await intentsOf(unit.id)).toMatchObject([
      { state: 'succeeded', initiator: 'autopay', amount_cents: 20_000 },
    ]);
    expect(await eagle.mails()).toEqual([expect.stringMatching(/^Receipt \d+ for unit U1$/)]);
    await expectSoundBooks(api.owner);
  });

  test('started again on the same day, or after skipped days, takes nothing twice', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental();
    for (const date of ['2026-11-14', '2026-11-14', '2026-11-15', '2026-12-18', '2026-12-18'])
      await eagle.day(date);
    expect(await statesOf(unit.id)).toEqual(['succeeded', 'succeeded']);
    expect((await itemsOf(unit.id)).map(({ due_on, state }) => [due_on, state])).toEqual([
      ['2026-11-14', 'paid'],
      ['2026-12-14', 'paid'],
    ]);
    await expectSoundBooks(api.owner);
  });

  test('after an outage takes all that is owed with the newest due date, in one charge', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental();
    expect(await eagle.day('2027-02-20')).toMatchObject({ attempts: 1, takenCents: 80_000 });
    expect(await itemsOf(unit.id)).toMatchObject([{ due_on: '2027-02-14', state: 'paid' }]);
  });

  test('skips what nothing is owed on, and what the tenant has paid meanwhile', async () => {
    const eagle = await facilityWith();
    const [paid, free] = [await eagle.rental(), await eagle.rental()];
    await runBilling(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' });
    await payByHand(eagle.tenantId, paid, 20_000);
    await payByHand(eagle.tenantId, free, 19_999);
    expect(await eagle.run('2026-11-14')).toMatchObject({ attempts: 1, takenCents: 1, skipped: 1 });
    expect(await itemsOf(paid.id)).toMatchObject([
      { state: 'skipped', note: 'Nothing was owed on the due date.' },
    ]);
    await expectSoundBooks(api.owner);
  });

  test('leaves a ledger alone whose payment is being confirmed, and looks again with the next run', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental();
    await runBilling(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' });
    beforeCharge = () => Promise.reject(new GatewayUnknown('no answer'));
    await expect(payByHand(eagle.tenantId, unit, 20_000)).rejects.toThrow(/being confirmed/);
    beforeCharge = async () => {};
    expect(await eagle.run('2026-11-14')).toMatchObject({ attempts: 0 });
    expect(await itemsOf(unit.id)).toMatchObject([{ state: 'waiting', try_on: '2026-11-14' }]);
    now = new Date(now.getTime() + 60_000);
    await resolveOverduePayments(api.ctx);
    expect(await eagle.run('2026-11-14')).toMatchObject({ attempts: 1, taken: 1 });
    await expectSoundBooks(api.owner);
  });

  test('leaves a ledger whose books are not sound, and charges it once its alarm is closed', async () => {
    const eagle = await facilityWith();
    const [broken, sound] = [await eagle.rental(), await eagle.rental()];
    now = at('2026-11-14');
    await runBilling(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' });
    // The balance says that nothing is owed.
    await changeRows(api.owner, 'ledgers', { balance_cents: 0 }, { id: broken.id });
    expect(await checkAllBooks(api.ctx)).toMatchObject({ broken: 1 });
    expect(await eagle.run('2026-11-14')).toMatchObject({ taken: 1, skipped: 0 });
    expect(await intentsOf(sound.id)).toHaveLength(1);
    expect(await intentsOf(broken.id)).toEqual([]);
    const note = 'Autopay waits until your facility has checked this unit’s account.';
    expect(await itemsOf(broken.id)).toMatchObject([
      { state: 'waiting', try_on: '2026-11-14', note },
    ]);
    const tenantsReach = {
      userId: randomUUID(),
      tenantIds: [eagle.tenantId],
      ledgerIds: [broken.id],
    };
    const tenants = { ...api.ctx, db: reaching(api.ctx.db, tenantsReach) };
    expect(await findAutopaysOf(tenants, ZONE, [broken.id])).toMatchObject([
      { nextCharge: null, problem: expect.stringContaining('Please call your facility.') },
    ]);

    await changeRows(api.owner, 'ledgers', { balance_cents: 20_000 }, { id: broken.id });
    expect(await eagle.run('2026-11-15')).toMatchObject({ attempts: 0 });
    const closed = { closed_at: now, closed_by: 'Dana' };
    await changeRows(api.owner, 'alarms', closed, { ledger_id: broken.id });
    expect(await eagle.run('2026-11-15')).toMatchObject({ taken: 1, takenCents: 20_000 });
    expect(await itemsOf(broken.id)).toMatchObject([{ state: 'paid', note: null }]);
    await expectSoundBooks(api.owner);
  });

  test('charges a ledger whose move-out lies ahead, and none from that day on', async () => {
    const eagle = await facilityWith();
    const { id } = await eagle.rental();
    await runBilling(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' });
    const end = (day: string) => changeRows(api.owner, 'ledgers', { moved_out_on: day }, { id });
    await end('2026-11-15');
    expect(await eagle.run('2026-11-14')).toMatchObject({ attempts: 1, taken: 1 });
    now = new Date(now.getTime() + 86_400_000);
    expect(await eagle.run('2026-11-15')).toMatchObject({ attempts: 0 });
    const autopay = api.owner.selectFrom('autopays').select('active').where('ledger_id', '=', id);
    expect(await autopay.executeTakeFirstOrThrow()).toEqual({ active: false });
  });

  test('charges no ledger that is on hold, moved out of, or whose method was refused for good', async () => {
    const eagle = await facilityWith();
    const [held, gone, refused, good] = [
      await eagle.rental(),
      await eagle.rental(),
      await eagle.rental(),
      await eagle.rental(),
    ];
    await runBilling(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' });
    await changeRows(api.owner, 'ledgers', { is_on_hold: true }, { id: held.id });
    await changeRows(api.owner, 'ledgers', { moved_out_on: '2026-11-14' }, { id: gone.id });
    await changeRows(api.owner, 'payment_methods', { refused_at: now }, { id: refused.methodId });
    expect(await eagle.run('2026-11-14')).toMatchObject({ attempts: 1 });
    for (const { id } of [held, gone, refused]) expect(await intentsOf(id)).toEqual([]);
    expect(await statesOf(good.id)).toEqual(['succeeded']);
    const end = await api.owner
      .selectFrom('mandate_ends as e')
      .innerJoin('mandates as m', 'm.id', 'e.mandate_id')
      .select('e.reason')
      .where('m.ledger_id', '=', gone.id)
      .execute();
    expect(end).toEqual([{ reason: 'moved_out' }]);
    await changeRows(api.owner, 'ledgers', { is_on_hold: false }, { id: held.id });
    expect(await eagle.run('2026-11-15')).toMatchObject({ attempts: 1, taken: 1 });
  });

  test('continues with the others where one ledger makes trouble, which has an alarm', async () => {
    const eagle = await facilityWith();
    const [broken, good] = [await eagle.rental(), await eagle.rental()];
    // The seal of another row.
    await sql`UPDATE payment_methods SET gateway_token = (SELECT gateway_token FROM payment_methods WHERE id = ${good.methodId})
      WHERE id = ${broken.methodId}`.execute(api.owner);
    expect(await eagle.day('2026-11-14')).toMatchObject({ attempts: 1, taken: 1, failed: 1 });
    expect(await statesOf(good.id)).toEqual(['succeeded']);
    const alarms = await findRows(api.owner, 'alarms', 'kind', { facility_id: eagle.facilityId });
    expect(alarms).toEqual([{ kind: 'autopay_failed' }]);
  });

  test('leaves a balance below the gateway’s least charge to the next charge', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental();
    await runBilling(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' });
    await payByHand(eagle.tenantId, unit, 19_951);
    const { gateway } = api.ctx;
    onTestFinished(() => void (api.ctx.gateway = gateway));
    api.ctx.gateway = { ...gateway, leastChargeCents: 50 };
    expect(
      await foreseeAutopay(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' }),
    ).toMatchObject({
      attempts: 0,
      skipped: 1,
    });
    expect(await eagle.run('2026-11-14')).toMatchObject({ attempts: 0, skipped: 1 });
    expect(await itemsOf(unit.id)).toMatchObject([
      { state: 'skipped', note: expect.stringMatching(/less than/) },
    ]);
    expect(await intentsOf(unit.id)).toHaveLength(1);
    expect(await eagle.day('2026-12-14')).toMatchObject({ attempts: 1, takenCents: 20_049 });
  });

  test('tries an item again that was not sent, without counting a decline or a mail', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental();
    beforeCharge = () => Promise.reject(new NotSent('nothing listens'));
    expect(await eagle.day('2026-11-14')).toMatchObject({ attempts: 0, declined: 0, notSent: 1 });
    await notifyOfPayments(api.ctx);
    expect(await statesOf(unit.id)).toEqual(['never_sent']);
    expect(await itemsOf(unit.id)).toMatchObject([
      { state: 'waiting', try_on: '2026-11-14', declines: 0 },
    ]);
    beforeCharge = async () => {};
    expect(await eagle.run('2026-11-14')).toMatchObject({ attempts: 1, taken: 1 });
    await expectSoundBooks(api.owner);
  });

  test('ends where nothing can be sent, and leaves nothing open', async () => {
    const eagle = await facilityWith();
    const units: Rental[] = [];
    for (let count = 0; count < 40; count += 1) units.push(await eagle.rental());
    beforeCharge = () => Promise.reject(new NotSent('nothing listens'));
    await expect(eagle.day('2026-11-14')).rejects.toThrow('the gateway does not answer');
    for (const { id } of units)
      for (const state of await statesOf(id)) expect(state).toBe('never_sent');
  });

  test('ends, to be started again, where the gateway does not answer any more', async () => {
    const eagle = await facilityWith();
    const units: Rental[] = [];
    for (let count = 0; count < 40; count += 1) units.push(await eagle.rental());
    beforeCharge = () => Promise.reject(new GatewayUnknown('no answer'));
    await expect(eagle.day('2026-11-14')).rejects.toThrow('the gateway does not answer');
    beforeCharge = async () => {};
    now = new Date(now.getTime() + 60_000);
    await resolveOverduePayments(api.ctx);
    expect(await eagle.run('2026-11-14')).toMatchObject({ attempts: 40, taken: 40 });
    for (const { id } of units) expect(await balanceOf(id)).toBe(0);
    await expectSoundBooks(api.owner);
  });
});

describe('consent', () => {
  test('no run touches a ledger without a live mandate', async () => {
    const eagle = await facilityWith();
    const [none, ended, off] = [await eagle.rental(), await eagle.rental(), await eagle.rental()];
    const [otherCard, otherUnit] = [await eagle.rental(), await eagle.rental()];
    await changeRows(
      api.owner,
      'autopays',
      { payment_method_id: off.methodId },
      { ledger_id: otherCard.id },
    );
    await changeRows(api.owner, 'mandates', { ledger_id: off.id }, { ledger_id: otherUnit.id });
    await changeRows(api.owner, 'autopays', { mandate_id: null }, { ledger_id: none.id });
    await api.owner
      .transaction()
      .execute((trx) => endMandates(trx, [ended.id], { reason: 'switched_off', at: now }));
    await changeRows(api.owner, 'autopays', { active: false }, { ledger_id: off.id });
    expect(await eagle.day('2026-11-14')).toMatchObject({ attempts: 0 });
    for (const run of await Promise.all([1, 2, 3, 4].map(() => eagle.run('2026-11-14'))))
      expect(run).toMatchObject({ attempts: 0 });
    for (const { id } of [none, ended, off, otherCard, otherUnit]) {
      expect(await intentsOf(id)).toEqual([]);
      expect(await itemsOf(id)).toEqual([]);
    }
  });

  test('a consent that ends while the run is under way keeps what is not charged yet from being charged', async () => {
    const eagle = await facilityWith();
    const units: Rental[] = [];
    for (let count = 0; count < 20; count += 1) units.push(await eagle.rental());
    const ids = units.map(({ id }) => id);
    const switchOff = async () => {
      await changeRows(api.owner, 'autopays', { active: false }, { ledger_id: ids });
    };
    let charged = 0;
    let switched: Promise<void> | undefined;
    // None ends before the switch, or the next one could begin before it too.
    beforeCharge = () => {
      charged += 1;
      return (switched ??= switchOff());
    };
    await eagle.day('2026-11-14');
    const intents = (await Promise.all(ids.map(intentsOf))).flat();
    // Those whose claim came before the switch, of eight under way at once.
    expect(intents.length).toBeLessThanOrEqual(8);
    expect(intents.length).toBe(charged);
    await expectSoundBooks(api.owner);
  });
});

describe('several workers and crashes (I8)', () => {
  test('five at once charge each ledger exactly once, and with a payment by hand racing them never twice', async () => {
    const eagle = await facilityWith();
    const units: Rental[] = [];
    for (let count = 0; count < 30; count += 1) units.push(await eagle.rental());
    await runBilling(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' });
    const racing = units.slice(0, 6).map((unit) =>
      payByHand(eagle.tenantId, unit, 20_000).then(
        () => 'paid',
        () => 'refused',
      ),
    );
    const runs = await Promise.all(Array.from({ length: 5 }, () => eagle.run('2026-11-14')));
    const byHand = (await Promise.all(racing)).filter((answer) => answer === 'paid').length;
    await eagle.run('2026-11-14');
    for (const { id } of units) expect(await balanceOf(id)).toBe(0);
    const taken = runs.reduce((sum, totals) => sum + totals.taken, 0);
    expect(taken + byHand).toBeGreaterThanOrEqual(30);
    const captured = (await Promise.all(units.map(({ id }) => intentsOf(id)))).flat();
    expect(captured.filter(({ state }) => state === 'succeeded')).toHaveLength(30);
    for (const { id } of units) expect(await itemsOf(id)).toHaveLength(1);
    await expectSoundBooks(api.owner);
  });

  test('a run that breaks off between its steps is finished by the next, exactly once', async () => {
    const eagle = await facilityWith();
    const units: Rental[] = [];
    for (let count = 0; count < 12; count += 1) units.push(await eagle.rental());
    await runBilling(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' });
    const points = ['after-tx1', 'before-send', 'after-answer'] as const;
    for (const point of points) {
      let passed = 0;
      const failpoint: Context['failpoint'] = (name) => {
        if (name === point && (passed += 1) === 3) throw new Error('the process is gone');
      };
      await eagle.run('2026-11-14', { ...api.ctx, failpoint }).catch(() => {});
    }
    now = new Date(now.getTime() + 60_000);
    await resolveOverduePayments(api.ctx);
    await eagle.run('2026-11-14');
    for (const { id } of units) {
      expect(await balanceOf(id)).toBe(0);
      expect((await statesOf(id)).filter((state) => state === 'succeeded')).toEqual(['succeeded']);
    }
    await expectSoundBooks(api.owner);
  });
});

describe('a decline', () => {
  test('that is soft is tried again 3, 5 and 7 days after, four times in all, and each is mailed', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental('insufficientFunds');
    const tried: string[] = [];
    for (let date = '2026-11-14'; date <= '2026-11-30'; date = addDays(date, 1))
      if ((await eagle.day(date)).declined === 1) tried.push(date);
    expect(tried).toEqual(['2026-11-14', '2026-11-17', '2026-11-19', '2026-11-21']);
    expect(await itemsOf(unit.id)).toMatchObject([
      { state: 'failed', declines: 4, note: 'It was declined 4 times.' },
    ]);
    expect(await eagle.mails()).toEqual(
      Array(4).fill('Autopay of $200.00 for unit U1 was declined'),
    );
    expect(await balanceOf(unit.id)).toBe(20_000);
    const [row] = await findAutopaysOf(api.ctx, ZONE, [unit.id]);
    expect(row!.attempts.map(({ on, state }) => [on, state])).toEqual(
      tried.toReversed().map((on) => [on, 'declined']),
    );
    expect(row!.nextCharge).toEqual({ date: '2026-12-14', cents: 40_000 });
    await expectSoundBooks(api.owner);
  });

  test.each(['oldest_first', 'fees_first'] as const)(
    'is tried again for what is left of what it was for, and pays no fee of later: %s',
    async (payment_order) => {
      const eagle = await facilityWith();
      await eagle.set({ payment_order, late_fee_cents: 2_500, late_fee_after_days: 1 });
      const unit = await eagle.rental('insufficientFunds');
      await eagle.day('2026-11-14');
      await payByHand(eagle.tenantId, unit, 4_000);
      now = at('2026-11-15');
      const nextCharge = async () =>
        (await findAutopaysOf(api.ctx, ZONE, [unit.id]))[0]!.nextCharge;
      const announced = { date: '2026-11-17', cents: 16_000 };
      expect(await nextCharge()).toEqual(announced);
      now = at('2026-11-17');
      await postLateFees(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-17' });
      expect([await balanceOf(unit.id), await nextCharge()]).toEqual([18_500, announced]);
      expect(
        await foreseeAutopay(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-17' }),
      ).toMatchObject({ attempts: 1, cents: 16_000 });
      await eagle.run('2026-11-17');
      expect((await intentsOf(unit.id)).at(-1)).toMatchObject({
        amount_cents: 16_000,
        state: 'declined',
      });
      await sql`UPDATE sandbox_gateway.methods SET behaviour = 'approve'`.execute(api.owner);
      now = at('2026-11-19');
      expect(await eagle.run('2026-11-19')).toMatchObject({ taken: 1, takenCents: 16_000 });
      const open = await findRows(api.owner, 'open_charges', ['description', 'owed_cents'], {
        ledger_id: unit.id,
      });
      expect(open).toEqual([{ description: 'Late fee', owed_cents: 2_500 }]);
      await expectSoundBooks(api.owner);
    },
  );

  test('of which all was paid meanwhile is not tried again for what came after it', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental('insufficientFunds');
    await eagle.day('2026-11-14');
    await payByHand(eagle.tenantId, unit, 20_000);
    await addServiceOf(unit.id, 90);
    now = at('2026-11-17');
    expect(await eagle.run('2026-11-17')).toMatchObject({ attempts: 0, skipped: 1 });
    expect(await itemsOf(unit.id)).toMatchObject([
      { state: 'skipped', note: 'It was paid before autopay charged it.' },
    ]);
  });

  test('that is hard is never tried again with that method, and the tenant is told', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental('stolen');
    await eagle.day('2026-11-14');
    for (const date of ['2026-11-17', '2026-11-21', '2026-12-14']) await eagle.day(date);
    expect(await intentsOf(unit.id)).toMatchObject([{ state: 'declined', is_hard_decline: true }]);
    expect(await itemsOf(unit.id)).toMatchObject([{ due_on: '2026-11-14', state: 'failed' }]);
    const [row] = await findAutopaysOf(api.ctx, ZONE, [unit.id]);
    expect(row).toMatchObject({
      active: true,
      nextCharge: null,
      problem: expect.stringMatching(/^Your bank refused/),
    });
    expect(await eagle.mails()).toEqual(['Autopay of $200.00 for unit U1 was declined']);
  });

  test('whose next try meets the next due date becomes part of that charge', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental('insufficientFunds');
    await eagle.day('2026-11-14');
    await sql`UPDATE autopay_items SET try_on = '2026-12-14' WHERE ledger_id = ${unit.id}`.execute(
      api.owner,
    );
    await sql`UPDATE sandbox_gateway.methods SET behaviour = 'approve'`.execute(api.owner);
    expect(await eagle.day('2026-12-14')).toMatchObject({ attempts: 1, takenCents: 40_000 });
    expect((await itemsOf(unit.id)).map(({ state, note }) => [state, note])).toEqual([
      ['skipped', 'It is part of a later charge.'],
      ['paid', null],
    ]);
  });

  test('of a run that is days late is tried again days after the attempt, not at once', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental('insufficientFunds');
    await runBilling(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-14' });
    now = at('2026-11-22');
    for (const date of ['2026-11-14', '2026-11-18', '2026-11-22']) await eagle.run(date);
    expect(await statesOf(unit.id)).toEqual(['declined']);
    expect(await itemsOf(unit.id)).toMatchObject([{ state: 'waiting', try_on: '2026-11-25' }]);
  });
});

describe('a bank debit that comes back', () => {
  const returned = async (ledgerId: string, code: string) => {
    const intent = (await intentsOf(ledgerId)).at(-1)!;
    await settleReturn(api.ctx, intent.id, code);
  };

  test('for want of funds is presented again 3 days later, twice at most, and keeps the mandate', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental('approve', 'ach');
    await eagle.day('2026-11-14');
    expect(await statesOf(unit.id)).toEqual(['pending']);
    expect(await balanceOf(unit.id)).toBe(0);
    now = at('2026-11-16');
    await returned(unit.id, 'R01');
    expect(await itemsOf(unit.id)).toMatchObject([{ state: 'waiting', try_on: '2026-11-19' }]);
    expect(await eagle.day('2026-11-18')).toMatchObject({ attempts: 0 });
    expect(await eagle.day('2026-11-19')).toMatchObject({ taken: 1, takenCents: 20_000 });
    await returned(unit.id, 'R09');
    expect(await eagle.day('2026-11-22')).toMatchObject({ taken: 1 });
    await returned(unit.id, 'R01');
    expect(await itemsOf(unit.id)).toMatchObject([
      { state: 'failed', note: 'The bank returned the payment.' },
    ]);
    expect(await eagle.day('2026-11-28')).toMatchObject({ attempts: 0 });
    const [row] = await findAutopaysOf(api.ctx, ZONE, [unit.id]);
    expect(row).toMatchObject({ active: true, problem: null });
    await expectSoundBooks(api.owner);
  });

  test('is presented again in its own amount, whatever the first attempt was for and was charged since', async () => {
    const eagle = await facilityWith();
    await eagle.set({ return_fee_cents: 3_000 });
    const unit = await eagle.rental('insufficientFunds', 'ach');
    await eagle.day('2026-11-14');
    await sql`UPDATE sandbox_gateway.methods SET behaviour = 'approve'`.execute(api.owner);
    await payByHand(eagle.tenantId, unit, 10_000);
    for (const date of ['2026-11-17', '2026-11-20', '2026-11-23']) {
      expect(await eagle.day(date)).toMatchObject({ taken: 1, takenCents: 10_000 });
      await returned(unit.id, date === '2026-11-20' ? 'R09' : 'R01');
    }
    expect(await balanceOf(unit.id)).toBe(10_000 + 3 * 3_000);
    expect((await intentsOf(unit.id)).map((one) => [one.state, one.amount_cents])).toEqual([
      ['declined', 20_000],
      ['succeeded', 10_000],
      ['returned', 10_000],
      ['returned', 10_000],
      ['returned', 10_000],
    ]);
  });

  test('and is paid in part meanwhile is not presented again: the rest is part of the next charge', async () => {
    const eagle = await facilityWith();
    const unit = await eagle.rental('approve', 'ach');
    await eagle.day('2026-11-14');
    await returned(unit.id, 'R01');
    await payByHand(eagle.tenantId, unit, 5_000);
    const [row] = await findAutopaysOf(api.ctx, ZONE, [unit.id]);
    expect(row!.nextCharge).toEqual({ date: '2026-12-14', cents: 35_000 });
    expect(await eagle.day('2026-11-17')).toMatchObject({ attempts: 0, skipped: 1 });
    expect(await itemsOf(unit.id)).toMatchObject([
      { state: 'skipped', note: expect.stringContaining('in part') as string },
    ]);
    expect(await eagle.day('2026-12-14')).toMatchObject({ taken: 1, takenCents: 35_000 });
  });

  test.each([
    ['R02', 'ends', false],
    ['R07', 'ends', false],
    ['R29', 'ends', false],
    ['R11', 'continues', true],
  ])('with %s is not presented again, and autopay %s', async (code, _, goesOn) => {
    const eagle = await facilityWith();
    const unit = await eagle.rental('approve', 'ach');
    const other = await eagle.rental();
    await changeRows(
      api.owner,
      'autopays',
      { payment_method_id: unit.methodId },
      { ledger_id: other.id },
    );
    await changeRows(
      api.owner,
      'mandates',
      { payment_method_id: unit.methodId },
      { ledger_id: other.id },
    );
    await eagle.day('2026-11-14');
    await returned(unit.id, code);
    await returned(unit.id, code);
    expect(await itemsOf(unit.id)).toMatchObject([{ state: 'failed' }]);
    expect(await balanceOf(unit.id)).toBe(20_000);
    const rows = await findAutopaysOf(api.ctx, ZONE, [unit.id, other.id]);
    expect(rows.map(({ active }) => active)).toEqual([goesOn, goesOn]);
    const ends = await api.owner
      .selectFrom('mandate_ends as e')
      .innerJoin('mandates as m', 'm.id', 'e.mandate_id')
      .select('e.reason')
      .where('m.ledger_id', 'in', [unit.id, other.id])
      .execute();
    expect(ends).toEqual(goesOn ? [] : [{ reason: 'returned' }, { reason: 'returned' }]);
    expect((await eagle.mails()).filter((subject) => subject.startsWith('Autopay is off'))).toEqual(
      goesOn ? [] : ['Autopay is off for units U1, U2'],
    );
    await expectSoundBooks(api.owner);
  });
});
