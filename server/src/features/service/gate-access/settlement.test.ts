import { randomUUID } from 'node:crypto';
import type { GateAccess } from '@gatehouse/contract/gate-access';
import { addDays } from '@gatehouse/contract/dates';
import type { PaymentReceipt } from '@gatehouse/contract/payments';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { runAutopay } from '#features/money/autopay/run.ts';
import { runBilling } from '#features/money/billing/billing.ts';
import { findUnits } from '#features/service/gate-controllers/units.ts';
import { notifyOfPayments } from '#features/money/payments/notify.ts';
import { lookUpPendingPayments } from '#features/money/payments/resolve.ts';
import { overlockUnitOf, releaseUnitOf } from '#features/rentals/rentals/overlock.ts';
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
import { showTenant } from '#features/rentals/tenants/show.ts';
import { readMails } from '#test/mails.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { card } from '#test/card.ts';
import { changeRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

const DAY = 24 * 60 * 60 * 1000;
const MONDAY = new Date('2026-11-23T15:00:00Z');
const SENTENCE =
  'Your bank payment is on its way. The gate opens when it has settled, about Wednesday, November 25.';

const api = useTestApp('empty_template', { clock: { now: () => now } });
let facilityId: string;
let tenantId: string;
let dana: SignedIn;
let now = MONDAY;

beforeEach(async () => {
  now = MONDAY;
  facilityId = await makeFacility(api.owner, {
    location_code: randomUUID().slice(0, 8),
    gate_waits_for_settlement: true,
  });
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  const email = `${tenantId}@example.com`;
  await makeUser(api.owner, {
    email,
    password: DEMO_PASSWORD,
    tenantIds: [tenantId],
  });
  await changeRows(api.owner, 'tenants', { email }, { id: tenantId });
  await signInAgain();
});
afterEach(() => notifyOfPayments(api.ctx));
afterAll(() => expectSoundBooks(api.owner));

async function signInAgain(): Promise<void> {
  const { location_code } = await getRow(api.owner, 'facilities', 'location_code', {
    id: facilityId,
  });
  dana = await signIn(api, `${tenantId}@example.com`, location_code);
}

type Unit = { ledgerId: string; unitId: string; name: string };

/** A rental that owes 200.00 since the given day. */
async function unitThatOwes(since = '2026-11-14'): Promise<Unit> {
  const name = randomUUID().slice(0, 8);
  const rental = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name },
    moved_in_on: '2026-11-14',
  });
  await owe(rental, 20_000, since);
  return { ...rental, name };
}
const owe = ({ ledgerId }: { ledgerId: string }, priceCents: number, dueOn: string) =>
  postCharges(api.owner, ledgerId, [{ category: 'fee', description: 'Rent', dueOn, priceCents }]);
const settings = (values: { gate_grace_days?: number; gate_waits_for_settlement?: boolean }) =>
  changeRows(api.owner, 'facilities', values, { id: facilityId });

const account = (accountNumber = '000123456789') => ({
  ach: { accountType: 'Consumer Checking', accountNumber, routingNumber: '999999999' },
});
const bouncing = () => account(sandboxNumbers.returnedAccount);

async function pay(unit: Unit, cents: number, method: object, key = randomUUID()) {
  const { ledgerId, unitId } = unit;
  const answer = await api.call('POST', `${dana.prefix}/tenants/${tenantId}/payments`, {
    token: dana.token,
    body: { payments: [{ ledgerId, unitId, amount: cents / 100 }], ...method },
    headers: { 'idempotency-key': key },
  });
  expect(answer.status).toBe(200);
  return answer.body as PaymentReceipt;
}

/** What the tenant sees of the unit's gate, in both calls for it. */
async function gateOf({ unitId }: Unit): Promise<GateAccess> {
  const { prefix, token } = dana;
  const one = await api.call('GET', `${prefix}/units/${unitId}/gate-access`, { token });
  const all = await api.call('GET', `${prefix}/gate-access`, { token });
  expect((all.body as GateAccess[]).find((unit) => unit.unitId === unitId)).toEqual(one.body);
  return one.body as GateAccess;
}
/** Whether the gate's controller is to let the code in. */
async function isOpen({ ledgerId }: Unit): Promise<boolean> {
  const today = now.toISOString().slice(0, 10);
  const units = await findUnits(api.ctx, { facilityId, today });
  return units.find((unit) => unit.ledgerId === ledgerId)!.isSuspended === false;
}
const balanceOf = async ({ ledgerId }: Unit) =>
  (await getRow(api.owner, 'ledgers', 'balance_cents', { id: ledgerId })).balance_cents;

async function daysLater(days: number): Promise<void> {
  now = new Date(now.getTime() + days * DAY);
  await lookUpPendingPayments(api.ctx);
  await signInAgain();
}

async function expectShut(unit: Unit): Promise<GateAccess> {
  const gate = await gateOf(unit);
  expect(gate).not.toHaveProperty('accessCode');
  expect(await isOpen(unit)).toBe(false);
  return gate;
}
async function expectOpen(unit: Unit): Promise<void> {
  expect(await gateOf(unit)).toMatchObject({ accessCode: expect.any(String) as string });
  expect(await isOpen(unit)).toBe(true);
}

describe('a bank payment after a lock-out', () => {
  test('that bounces opens the gate at no time', async () => {
    const unit = await unitThatOwes();
    await expectShut(unit);
    await pay(unit, 20_000, bouncing());
    expect(await balanceOf(unit)).toBe(0);
    await expectShut(unit);
    await daysLater(1);
    await expectShut(unit);
    await daysLater(1);
    expect(await balanceOf(unit)).toBe(20_000);
    expect(await expectShut(unit)).not.toHaveProperty('waitsForSettlement');
  });

  test('that bounces gives no further days of grace', async () => {
    await settings({ gate_grace_days: 5 });
    const unit = await unitThatOwes('2026-11-10');
    await expectShut(unit);
    await pay(unit, 20_000, bouncing());
    await expectShut(unit);
    await daysLater(2);
    expect(await balanceOf(unit)).toBe(20_000);
    await expectShut(unit);
  });

  // spec 4.65
  test('opens it when it has settled, and says about when until then', async () => {
    const unit = await unitThatOwes();
    const key = randomUUID();
    const receipt = await pay(unit, 20_000, account(), key);
    const waits = { date: '2026-11-25', sentence: SENTENCE };
    expect(receipt.waitsForSettlement).toEqual(waits);
    expect(await pay(unit, 20_000, account(), key)).toEqual(receipt);
    const shown = await showTenant(api.ctx, { by: 'Ana', why: '', facilityIds: null }, tenantId);
    expect(shown.ledgers.find(({ ledgerId }) => ledgerId === unit.ledgerId)).toMatchObject({
      balance: 0,
      isLockedOut: true,
      waitsForSettlement: { date: '2026-11-25', reason: 'lockout' },
    });
    expect(await expectShut(unit)).toEqual({
      unitId: unit.unitId,
      timeZone: 'Business Hours',
      waitsForSettlement: waits,
    });
    await daysLater(2);
    await expectOpen(unit);
    expect(await gateOf(unit)).not.toHaveProperty('waitsForSettlement');
  });

  test('says it in the receipt mail, and to staff why', async () => {
    const unit = await unitThatOwes();
    await pay(unit, 20_000, account());
    await notifyOfPayments(api.ctx);
    const mails = (await readMails(api)).filter(({ text }) => text.includes(unit.name));
    const about = (to: (address: string) => boolean) =>
      mails.filter(({ to_address }) => to(to_address)).map(({ text }) => text);
    const tenant = `${tenantId}@example.com`;
    expect(about((to) => to === tenant)).toEqual([expect.stringContaining(SENTENCE)]);
    expect(about((to) => to !== tenant)).toEqual([
      expect.stringContaining(
        'The gate of the unit opens when it has settled, about Wednesday, November 25, because the unit was locked out when it was paid.',
      ),
    ]);
  });

  test('is not waited for where the facility has not said so, and no longer once it takes that back', async () => {
    await settings({ gate_waits_for_settlement: false });
    const unit = await unitThatOwes();
    expect(await pay(unit, 20_000, account())).not.toHaveProperty('waitsForSettlement');
    await expectOpen(unit);
    await settings({ gate_waits_for_settlement: true });
    await expectOpen(unit);
    const other = await unitThatOwes();
    await pay(other, 20_000, account());
    await expectShut(other);
    await settings({ gate_waits_for_settlement: false });
    await expectOpen(other);
  });

  test('next to a card waits for its own part, and a card by itself opens at once', async () => {
    const [byCard, both] = [await unitThatOwes(), await unitThatOwes()];
    await pay(byCard, 20_000, { creditCard: card });
    await expectOpen(byCard);
    await pay(both, 5_000, account());
    expect(await expectShut(both)).not.toHaveProperty('waitsForSettlement');
    await pay(both, 15_000, { creditCard: card });
    expect(await expectShut(both)).toHaveProperty('waitsForSettlement');
    await daysLater(2);
    await expectOpen(both);
  });

  test('is not opened by a second bank payment that follows it', async () => {
    const unit = await unitThatOwes();
    await pay(unit, 20_000, bouncing());
    await owe(unit, 1_000, '2026-11-23');
    await pay(unit, 1_000, account());
    await expectShut(unit);
    await daysLater(2);
    expect(await balanceOf(unit)).toBe(20_000);
    await expectShut(unit);
  });

  test('waits also after a lock by hand was taken off', async () => {
    const unit = await unitThatOwes();
    await overlockUnitOf(api.ctx, staffCall(), { ledgerId: unit.ledgerId });
    expect(await pay(unit, 20_000, account())).not.toHaveProperty('waitsForSettlement');
    expect(await expectShut(unit)).toMatchObject({ isOverlocked: true });
    await releaseUnitOf(api.ctx, staffCall(), { ledgerId: unit.ledgerId });
    expect(await expectShut(unit)).toMatchObject({ waitsForSettlement: { sentence: SENTENCE } });
    const released = (await readMails(api)).filter(({ subject }) =>
      new RegExp(`^Unit ${unit.name}.*no longer locked$`).test(subject),
    );
    expect(released).toHaveLength(1);
    expect(released[0]!.text).toContain(SENTENCE);
    expect(released[0]!.text).not.toContain('The portal shows your gate code');
  });
});

test('after a lock-out the gate is open when cards and settled bank payments have paid all, in whatever parts', async () => {
  const parts = fc.array(
    fc.record({ cents: fc.integer({ min: 100, max: 20_000 }), isCard: fc.boolean() }),
    { minLength: 1, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(parts, async (asked) => {
      const unit = await unitThatOwes();
      let [left, waiting] = [20_000, 0];
      for (const { cents, isCard } of asked) {
        const paid = Math.min(cents, left);
        if (paid === 0) break;
        // The least payment is a dollar, or the whole balance.
        await pay(unit, paid, isCard ? { creditCard: card } : account());
        left -= paid;
        if (!isCard) waiting += paid;
        expect(await isOpen(unit)).toBe(left + waiting === 0);
        expect((await gateOf(unit)).waitsForSettlement !== undefined).toBe(
          left === 0 && waiting > 0,
        );
      }
      await changeRows(
        api.owner,
        'payment_intent_ledgers',
        { state: 'settled' },
        { ledger_id: unit.ledgerId, state: 'pending' },
      );
      expect(await isOpen(unit)).toBe(left === 0);
    }),
    { numRuns: 15 },
  );
});

describe('a bank payment within the days of grace', () => {
  test('keeps the gate open where none of the tenant’s came back before', async () => {
    await settings({ gate_grace_days: 5 });
    const unit = await unitThatOwes('2026-11-22');
    await expectOpen(unit);
    await pay(unit, 20_000, account());
    await expectOpen(unit);
  });

  test('counts once it has settled where one came back within a year, and the days go on', async () => {
    await settings({ gate_grace_days: 5 });
    const first = await unitThatOwes('2026-11-22');
    await pay(first, 20_000, bouncing());
    await daysLater(2);
    expect(await balanceOf(first)).toBe(20_000);
    const unit = await unitThatOwes('2026-11-21');
    await pay(unit, 20_000, bouncing());
    await expectOpen(unit);
    now = new Date(now.getTime() + DAY);
    await signInAgain();
    await expectShut(unit);
    await daysLater(1);
    await expectShut(unit);
  });

  test('counts at once again where the last return is more than a year ago', async () => {
    await settings({ gate_grace_days: 5 });
    const first = await unitThatOwes('2026-11-22');
    await pay(first, 20_000, bouncing());
    await daysLater(2);
    const intents = api.owner.updateTable('payment_intents').where('tenant_id', '=', tenantId);
    await intents.set({ updated_at: new Date('2025-11-24T00:00:00Z') }).execute();
    const unit = await unitThatOwes('2026-11-23');
    await pay(unit, 20_000, account());
    now = new Date(now.getTime() + 4 * DAY);
    await signInAgain();
    await expectOpen(unit);
  });
});

test('autopay of a bill on its day is no lock-out, and of one that is owed for days it is', async () => {
  const rental = async (billedThrough: string) => {
    const name = randomUUID().slice(0, 8);
    const ledger = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: tenantId,
      unit: { facility_id: facilityId, name },
      moved_in_on: addDays(billedThrough, -30),
      billing_day: Number(addDays(billedThrough, 1).slice(8)),
      billed_through: billedThrough,
      paid_through: billedThrough,
    });
    const method = { tenant_id: tenantId, type: 'ach' as const };
    const methodId = await makePaymentMethod(api.owner, api.ctx.vault, method);
    await makeAutopay(api.owner, ledger.ledgerId, methodId, api.ctx.clock.now());
    return { ...ledger, name };
  };
  const [late, timely] = [await rental('2026-11-19'), await rental('2026-11-22')];
  now = new Date('2026-11-20T15:00:00Z');
  await runBilling(api.ctx, { facilityId, date: '2026-11-20' });
  now = MONDAY;
  await runBilling(api.ctx, { facilityId, date: '2026-11-23' });
  expect(await isOpen(timely)).toBe(false);
  await runAutopay(api.ctx, { facilityId, date: '2026-11-23' });
  expect([await balanceOf(late), await balanceOf(timely)]).toEqual([0, 0]);
  await expectOpen(timely);
  expect(await expectShut(late)).toHaveProperty('waitsForSettlement');
});

test('a saved bank account is waited for as a new one, and a saved card is not', async () => {
  const saved = (type: 'ach' | 'creditCard') =>
    makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: tenantId, type });
  const [byBank, byCard] = [await unitThatOwes(), await unitThatOwes()];
  await pay(byBank, 20_000, { ach: { paymentMethodId: await saved('ach') } });
  await expectShut(byBank);
  await pay(byCard, 20_000, { creditCard: { paymentMethodId: await saved('creditCard') } });
  await expectOpen(byCard);
});
