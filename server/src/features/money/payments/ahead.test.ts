import { addDays } from '@gatehouse/contract/dates';
import type { PaymentPreview } from '@gatehouse/contract/payment-preview';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runBilling } from '#features/money/billing/billing.ts';
import { makeFacility, makeLedger, makeTenant, makeUser, postCharges } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { card } from '#test/card.ts';
import { changeRows, getRow } from '#test/rows.ts';

const TODAY = '2026-11-26';
let now = new Date(`${TODAY}T18:00:00Z`);

let dana: SignedIn;
let facilityId: string;
let tenantId: string;
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  const user = { password: DEMO_PASSWORD };
  await makeUser(api.owner, { ...user, email: 'dana@example.com', tenantIds: [tenantId] });
  dana = await signIn(api, 'dana@example.com');
});
beforeEach(async () => {
  now = new Date(`${TODAY}T18:00:00Z`);
  await setFacility({ part_payments: true, pay_ahead: true, least_payment_cents: 100 });
});
afterAll(() => expectSoundBooks(api.owner));

function setFacility(row: {
  part_payments?: boolean;
  pay_ahead?: boolean;
  least_payment_cents?: number;
  gate_grace_days?: number;
}) {
  return changeRows(api.owner, 'facilities', row, { id: facilityId });
}

const bill = (date: string) => runBilling(api.ctx, { facilityId, date });

type Unit = { ledgerId: string; unitId: string };
let units = 0;

/** A unit of $200.00 rent, billed through 12/13, that owes that rent and a late fee, or nothing. */
async function makeUnit({
  isOwing = false,
  ...row
}: { isOwing?: boolean; moved_out_on?: string } = {}): Promise<Unit> {
  units += 1;
  const unit = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name: `P${units}` },
    moved_in_on: '2026-11-14',
    billed_through: '2026-12-13',
    paid_through: '2026-12-13',
    ...row,
  });
  if (isOwing)
    await postCharges(api.owner, unit.ledgerId, [
      {
        category: 'rent',
        description: 'Rent 11/14/2026 - 12/13/2026',
        dueOn: '2026-11-14',
        periodEnd: '2026-12-13',
        priceCents: 20_000,
      },
      { category: 'fee', description: 'Late fee', dueOn: '2026-11-20', priceCents: 1500 },
    ]);
  return unit;
}

const preview = ({ ledgerId }: Unit, body: object, { token } = dana) =>
  api.call('POST', `${dana.prefix}/ledgers/${ledgerId}/payment-preview`, { token, body });
const pay = (
  unit: Unit | Unit[],
  amount: number,
  prepayMonths?: number,
  key: string = crypto.randomUUID(),
) =>
  api.call('POST', `${dana.prefix}/tenants/${tenantId}/payments`, {
    token: dana.token,
    headers: { 'idempotency-key': key },
    body: {
      payments: [unit].flat().map((one) => ({ ...one, amount })),
      creditCard: card,
      ...(prepayMonths !== undefined && { prepayMonths }),
    },
  });
const standing = ({ ledgerId }: Unit) =>
  getRow(api.owner, 'ledgers', ['balance_cents', 'paid_through', 'billed_through'], {
    id: ledgerId,
  });

describe('a part of what is owed', () => {
  // spec 10.13
  test('pays first what the facility’s order says, and says what opens the gate', async () => {
    const unit = await makeUnit({ isOwing: true });
    expect((await preview(unit, { amount: 150 })).body).toEqual({
      amount: 150,
      pays: [{ description: 'Rent 11/14/2026 - 12/13/2026', amount: 150, isWhole: false }],
      left: 65,
      credit: 0,
      paidThrough: null,
      gate: { isOpened: false, more: 65, waitsForBank: false },
    });
    expect((await preview(unit, { amount: 210 })).body).toMatchObject({
      pays: [
        { description: 'Rent 11/14/2026 - 12/13/2026', amount: 200, isWhole: true },
        { description: 'Late fee', amount: 10, isWhole: false },
      ],
      left: 5,
      gate: { isOpened: false, more: 5 },
    });
    expect((await preview(unit, { amount: 215 })).body.gate).toMatchObject({ isOpened: true });
    expect((await pay(unit, 150)).status).toBe(200);
    expect(await standing(unit)).toMatchObject({ balance_cents: 6500, paid_through: '2026-11-13' });
    expect((await pay(unit, 65)).status).toBe(200);
    expect(await standing(unit)).toMatchObject({ balance_cents: 0, paid_through: '2026-12-13' });
  });

  test('that pays what has been owed longest opens a gate that gives days', async () => {
    await setFacility({ gate_grace_days: 10 });
    const unit = await makeUnit({ isOwing: true });
    const gate = async (amount: number) =>
      ((await preview(unit, { amount })).body as PaymentPreview).gate;
    expect(await gate(199)).toMatchObject({ isOpened: false });
    expect(await gate(200)).toMatchObject({ isOpened: true });
    await setFacility({ gate_grace_days: 0 });
  });

  // spec 10.13
  test('is the facility’s least or more, and what is owed at most', async () => {
    const unit = await makeUnit({ isOwing: true });
    await setFacility({ least_payment_cents: 5000 });
    for (const send of [
      (amount: number) => preview(unit, { amount }),
      (amount: number) => pay(unit, amount),
    ]) {
      expect(await send(49.99)).toMatchObject({
        status: 422,
        body: { message: 'Enter $50.00 or more, up to $215.00.' },
      });
      expect(await send(215.01)).toMatchObject({
        status: 422,
        body: { message: 'Amount must be at most what is owed on the unit.' },
      });
    }
    await setFacility({ least_payment_cents: 30_000 });
    expect(await preview(unit, { amount: 49.99 })).toMatchObject({
      status: 422,
      body: { message: 'Enter $215.00: it is paid as a whole.' },
    });
    expect((await standing(unit)).balance_cents).toBe(21_500);
  });
});

describe('months ahead', () => {
  // spec 10.14
  test('cost what is owed and the next bills, and each bill is paid on its day', async () => {
    const unit = await makeUnit({ isOwing: true });
    const { body } = await preview(unit, { prepayMonths: 2 });
    expect(body).toEqual({
      amount: 615,
      pays: [
        { description: 'Rent 11/14/2026 - 12/13/2026', amount: 200, isWhole: true },
        { description: 'Late fee', amount: 15, isWhole: true },
        { description: '2 months, 12/14/2026 - 2/13/2027', amount: 400, isWhole: true },
      ],
      left: 0,
      credit: 400,
      paidThrough: '2027-02-13',
      gate: { isOpened: true, more: null, waitsForBank: false },
    });
    expect((await pay(unit, 615, 2)).status).toBe(200);
    expect(await standing(unit)).toMatchObject({
      balance_cents: -40_000,
      paid_through: '2026-12-13',
    });
    now = new Date('2027-01-14T18:00:00Z');
    await bill('2027-01-14');
    expect(await standing(unit)).toMatchObject({ balance_cents: 0, paid_through: '2027-02-13' });
    now = new Date('2027-02-14T18:00:00Z');
    await bill('2027-02-14');
    expect(await standing(unit)).toMatchObject({
      balance_cents: 20_000,
      paid_through: '2027-02-13',
    });
  });

  test('are as many more as a credit leaves', async () => {
    const unit = await makeUnit();
    expect((await pay(unit, 200, 1)).status).toBe(200);
    expect(await preview(unit, { prepayMonths: 1 })).toMatchObject({
      status: 422,
      body: { message: 'Your credit covers these bills. There is nothing to pay.' },
    });
    expect((await preview(unit, { prepayMonths: 3 })).body).toMatchObject({
      amount: 400,
      credit: 600,
      paidThrough: '2027-03-13',
    });
    expect((await pay(unit, 400, 3)).status).toBe(200);
    expect((await standing(unit)).balance_cents).toBe(-60_000);
  });

  // spec 7.84
  test('are refused where the facility does not take them, of several units, and of another sum; nothing is paid', async () => {
    const [unit, other] = [await makeUnit(), await makeUnit()];
    const refusals: [string, () => ReturnType<typeof pay>][] = [
      [
        'What is to be paid has changed. Please check the amount and pay again.',
        () => pay(unit, 200.01, 1),
      ],
      [
        'What is to be paid has changed. Please check the amount and pay again.',
        () => pay(unit, 200, 2),
      ],
      ['Amount must be at most what is owed on the unit.', () => pay(unit, 200)],
      ['Only one unit can be paid ahead at a time.', () => pay([unit, other], 200, 1)],
    ];
    for (const [message, send] of refusals)
      expect(await send()).toMatchObject({ status: 422, body: { message } });
    await setFacility({ pay_ahead: false });
    const message = 'This facility does not take payments ahead online. Please call it.';
    expect(await pay(unit, 200, 1)).toMatchObject({ status: 422, body: { message } });
    expect(await preview(unit, { prepayMonths: 1 })).toMatchObject({
      status: 422,
      body: { message },
    });
    expect((await standing(unit)).balance_cents).toBe(0);
    const { count } = await api.owner
      .selectFrom('payment_intent_ledgers')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('ledger_id', 'in', [unit.ledgerId, other.ledgerId])
      .executeTakeFirstOrThrow();
    expect(count).toBe(0);
  });

  test('end with a move-out', async () => {
    const unit = await makeUnit({ moved_out_on: '2027-01-20' });
    expect((await preview(unit, { prepayMonths: 2 })).status).toBe(200);
    expect(await preview(unit, { prepayMonths: 3 })).toMatchObject({
      status: 422,
      body: { message: 'This unit can be paid ahead for 2 months at most.' },
    });
  });

  test('are paid once under a key, also ten times at once, and once without a key', async () => {
    const unit = await makeUnit();
    const key = crypto.randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(unit, 400, 2, key)));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await pay(unit, 400, 2, key)).status).toBe(200);
    expect((await pay(unit, 400, 3, key)).status).toBe(422);
    expect((await standing(unit)).balance_cents).toBe(-40_000);
  });

  // spec 10.14
  test('whatever is paid ahead, and in whatever parts, is used up by the bills to the cent', async () => {
    const month = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(month, fc.boolean(), async (months, isOwing) => {
        now = new Date(`${TODAY}T18:00:00Z`);
        const unit = await makeUnit({ isOwing });
        const { body } = await preview(unit, { prepayMonths: months });
        const { amount, paidThrough } = body as PaymentPreview;
        expect((await pay(unit, amount, months)).status).toBe(200);
        const end = paidThrough!;
        now = new Date(`${end}T18:00:00Z`);
        await bill(end);
        expect(await standing(unit)).toEqual({
          balance_cents: 0,
          paid_through: end,
          billed_through: end,
        });
        await bill(addDays(end, 1));
        expect((await standing(unit)).balance_cents).toBe(20_000);
      }),
      { numRuns: 8 },
    );
  });
});

test('neither is shown to anybody else, and one of the two is asked for', async () => {
  const unit = await makeUnit({ isOwing: true });
  expect((await preview(unit, { amount: 10 }, { ...dana, token: '' })).status).toBe(401);
  const foreign = { ...unit, ledgerId: crypto.randomUUID() };
  expect((await preview(foreign, { amount: 10 })).status).toBe(404);
  for (const body of [{}, { amount: 10, prepayMonths: 1 }])
    expect(await preview(unit, body)).toMatchObject({
      status: 422,
      body: { message: 'Send an amount or months ahead.' },
    });
});
