import { randomUUID } from 'node:crypto';
import type { moveOut } from '@gatehouse/contract/moves';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayUnknown } from '#adapters/payments/gateway.ts';
import { createSandboxGateway, sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { runBilling } from '#features/money/billing/billing.ts';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import { addChargeTo } from '#features/money/counter/charges.ts';
import { addCreditTo } from '#features/money/counter/credits.ts';
import { refundPaymentOf } from '#features/money/payments/refund-payment.ts';
import { reversePaymentOf } from '#features/money/counter/reverse-payment.ts';
import { makePayment } from '#features/money/payments/payments.ts';
import { resolveOpenRefunds } from '#features/money/payments/refunds.ts';
import { lookUpPendingPayments } from '#features/money/payments/resolve.ts';
import { reconcileToday } from '#features/money/reconciliation/reconciliation.ts';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeProtectionPlan,
  makeTenant,
  makeUser,
  postCharges,
  postPastPayments,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { expectSoundBooks } from '#test/books.ts';
import { moveOutOf, settleMoveOuts } from './move-out.ts';
import { addRows, changeRows, findRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

let api: TestApp;
let now = new Date('2026-11-20T15:00:00Z');
let isGatewayAway = false;
const clock = { now: () => now };

beforeAll(async () => {
  api = await openTestApp('empty_template', { clock });
  const sandbox = createSandboxGateway(api.ctx.db, clock, api.ctx.config.secret);
  api.ctx.gateway = {
    ...sandbox,
    refund: (order) =>
      isGatewayAway ? Promise.reject(new GatewayUnknown('away')) : sandbox.refund(order),
  };
});
afterAll(async () => {
  await expectSoundBooks(api.owner);
  await api.close();
});

type Facility = Partial<Parameters<typeof makeFacility>[1]>;
type Rental = { facilityId: string; tenantId: string; ledgerId: string; unitId: string };

/**
 * A rental with a deposit of $50 and $216.50 of rent for 14 November to 13 December, 30 days, both
 * paid by one card.
 */
async function rental(facility: Facility = {}, { isPaid = true } = {}): Promise<Rental> {
  const location_code = randomUUID().slice(0, 8);
  const facility_id = await makeFacility(api.owner, {
    location_code,
    ...facility,
  });
  const tenantId = await makeTenant(api.owner, {
    facility_id,
    email: `${location_code}@example.com`,
  });
  const { ledgerId, unitId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id },
    moved_in_on: '2026-11-14',
  });
  const due = { dueOn: '2026-11-14' };
  const [rent, deposit] = await postCharges(api.owner, ledgerId, [
    {
      category: 'rent',
      description: 'Rent',
      ...due,
      periodEnd: '2026-12-13',
      priceCents: 20_000,
      tax1Cents: 1650,
    },
    { category: 'deposit', description: 'Deposit', ...due, priceCents: 5000 },
  ]);
  const charges = [
    { id: rent!, cents: 21_650 },
    { id: deposit!, cents: 5000 },
  ];
  if (isPaid)
    await postPastPayments(api.owner, [{ tenantId, ledgerId, paidOn: '2026-11-14', charges }]);
  const methodId = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: tenantId });
  await makeAutopay(api.owner, ledgerId, methodId, api.ctx.clock.now());
  return { facilityId: facility_id, tenantId, ledgerId, unitId };
}

type Options = { key?: string; preview?: boolean; facilityId?: string };
const leave = (
  { ledgerId }: Pick<Rental, 'ledgerId'>,
  body: { on?: string; credit?: string; cancel?: boolean },
  { key = randomUUID(), preview = false, facilityId }: Options = {},
): Promise<VerbReply<typeof moveOut>> =>
  moveOutOf(
    api.ctx,
    {
      key,
      by: 'Ana',
      why: 'gave notice',
      facilityIds: facilityId === undefined ? null : [facilityId],
      isPreview: preview,
    },
    { ledgerId, ...body },
  );
const ledgerOf = ({ ledgerId }: Rental) =>
  api.owner.selectFrom('ledgers').selectAll().where('id', '=', ledgerId).executeTakeFirstOrThrow();
const refunded = async ({ ledgerId }: Rental) => {
  const rows = await api.owner
    .selectFrom('sandbox_gateway.refunds as r')
    .innerJoin('payments as p', 'p.intent_id', 'r.charge_reference')
    .select('r.amount_cents')
    .where('p.ledger_id', '=', ledgerId)
    .execute();
  return rows.map(({ amount_cents }) => amount_cents);
};
const statementsTo = async ({ tenantId }: Rental) => {
  const { email } = await getRow(api.owner, 'tenants', 'email', { id: tenantId });
  return (await mailsTo(api, email)).filter(({ subject }) => subject.startsWith('Final statement'));
};
const isOnAutopay = async ({ ledgerId }: Rental) =>
  (await getRow(api.owner, 'autopays', 'active', { ledger_id: ledgerId })).active;
const alarmsOf = ({ facilityId }: Rental) =>
  findRows(api.owner, 'alarms', ['kind', 'facts'], { facility_id: facilityId });

describe('a move-out', () => {
  test('waits for the bill of the days before it, at once and on its day', async () => {
    const one = await rental();
    const unbilled = { billed_through: '2026-11-13', paid_through: '2026-11-13' };
    await changeRows(api.owner, 'ledgers', unbilled, { id: one.ledgerId });
    await expect(leave(one, { on: '2026-11-20' })).rejects.toMatchObject({ status: 409 });
    expect((await ledgerOf(one)).moved_out_on).toBeNull();
    await leave(one, { on: '2026-11-21' });
    expect(await settleMoveOuts(api.ctx, { facilityId: one.facilityId, date: '2026-11-21' })).toBe(
      0,
    );
    const billed = { billed_through: '2026-12-13', paid_through: '2026-12-13' };
    await changeRows(api.owner, 'ledgers', billed, { id: one.ledgerId });
    expect(await settleMoveOuts(api.ctx, { facilityId: one.facilityId, date: '2026-11-21' })).toBe(
      1,
    );
  });

  test('answers the balance after the refunds that it asks for', async () => {
    const one = await rental();
    const preview = await leave(one, { on: '2026-11-20' }, { preview: true });
    expect(await leave(one, { on: '2026-11-20' })).toEqual({
      ...preview,
      refunds: [
        {
          refundId: expect.any(String) as string,
          receiptNumber: expect.any(String) as string,
          amount: 50,
          status: 'refunded',
        },
      ],
      ledgers: [expect.objectContaining({ balance: 0 })],
    });
    expect((await ledgerOf(one)).balance_cents).toBe(0);
  });

  test.each([
    [
      'failed',
      () => Promise.resolve({ outcome: 'failed' as const, message: 'There is not so much left.' }),
    ],
    ['submitted', () => Promise.reject(new Error('no answer'))],
  ])(
    'answers a refund that has %s as such, with the credit that is left',
    async (status, refund) => {
      const one = await rental();
      const { ctx } = api;
      const key = randomUUID();
      api = { ...api, ctx: { ...ctx, gateway: { ...ctx.gateway, refund } } };
      const replies = [
        await leave(one, { on: '2026-11-20' }, { key }),
        await leave(one, { on: '2026-11-20' }, { key }),
      ];
      api = { ...api, ctx };
      expect(replies[1]).toEqual(replies[0]);
      expect(replies[0]).toMatchObject({
        refunds: [{ amount: 50, status }],
        ledgers: [{ balance: -50 }],
      });
      expect((await ledgerOf(one)).balance_cents).toBe(-5000);
      expect((await alarmsOf(one)).map(({ kind }) => kind)).toEqual(
        status === 'failed' ? ['refund_refused'] : [],
      );
    },
  );

  test('that lies ahead leaves all as it is until its day, which settles it', async () => {
    const one = await rental({ move_out_proration: true });
    expect(await leave(one, { on: '2026-11-24' })).toMatchObject({
      movedOutOn: '2026-11-24',
      isSettled: false,
      lines: [],
      ledgers: [{ balance: 0 }],
    });
    expect(await settleMoveOuts(api.ctx, { facilityId: one.facilityId, date: '2026-11-23' })).toBe(
      0,
    );
    expect([await isOnAutopay(one), (await statementsTo(one)).length]).toEqual([true, 0]);
    now = new Date('2026-11-24T15:00:00Z');
    expect(await settleMoveOuts(api.ctx, { facilityId: one.facilityId, date: '2026-11-24' })).toBe(
      1,
    );
    now = new Date('2026-11-20T15:00:00Z');
    // 20 of 30 days of $216.50, and the deposit.
    expect(await refunded(one)).toEqual([14_433 + 5000]);
    expect(await ledgerOf(one)).toMatchObject({ balance_cents: 0, moved_out_on: '2026-11-24' });
    expect(await isOnAutopay(one)).toBe(false);
    const [mail] = await statementsTo(one);
    expect(mail).toMatchObject({ subject: 'Final statement of unit A101' });
    expect(mail!.text).toContain('Unused days 11/24/2026 - 12/13/2026: -$144.33');
    expect(mail!.text).toContain('$194.33 goes back to the card or account');
  });

  test('on today or earlier is settled at once, and its preview says the same to the cent', async () => {
    const one = await rental({ move_out_proration: true });
    const before = await ledgerOf(one);
    const numbers = () =>
      sql`SELECT last_value FROM receipt_numbers`.execute(api.owner).then(({ rows }) => rows);
    const numbersBefore = await numbers();
    const preview = await leave(one, { on: '2026-11-19' }, { preview: true });
    expect(await numbers()).toEqual(numbersBefore);
    expect([await ledgerOf(one), await statementsTo(one), await refunded(one)]).toEqual([
      before,
      [],
      [],
    ]);
    const reply = await leave(one, { on: '2026-11-19' });
    expect({
      ...reply,
      refunds: reply.refunds.map((refund) => ({ ...refund, refundId: null })),
    }).toEqual(preview);
    expect(preview).toMatchObject({
      isSettled: true,
      lines: [
        { description: 'Unused days 11/19/2026 - 12/13/2026', amount: -180.42 },
        { description: 'Deposit given back', amount: -50 },
      ],
      refunds: [{ amount: 230.42 }],
      byHand: 0,
      ledgers: [{ balance: 0 }],
    });
    expect(await ledgerOf(one)).toMatchObject({ balance_cents: 0 });
  });

  test('takes back what was billed for later days and its late fee, and nothing that staff charged', async () => {
    const one = await rental({
      move_out_proration: true,
      card_fee_cents: 300,
      late_fee_cents: 2000,
      late_fee_after_days: 5,
    });
    const plan = await makeProtectionPlan(api.owner, { facility_id: one.facilityId });
    await addRows(api.owner, 'ledger_protection_plans', {
      ledger_id: one.ledgerId,
      protection_plan_id: plan,
      starts_on: '2026-12-01',
    });
    now = new Date('2026-12-14T15:00:00Z');
    await runBilling(api.ctx, { facilityId: one.facilityId, date: '2026-12-14' });
    const byHand = { ledgerId: one.ledgerId, category: 'insurance' };
    const call = staffCall();
    await addChargeTo(api.ctx, call, { ...byHand, description: 'Deductible', amount: 250 });
    await addChargeTo(
      api.ctx,
      { ...call, key: randomUUID() },
      { ...byHand, category: 'fee', description: 'Card fee', amount: 4 },
    );
    now = new Date('2026-12-20T15:00:00Z');
    await postLateFees(api.ctx, { facilityId: one.facilityId, date: '2026-12-20' });
    const preview = await leave(one, { on: '2026-12-12' }, { preview: true });
    const reply = await leave(one, { on: '2026-12-12' });
    now = new Date('2026-11-20T15:00:00Z');
    expect(preview.lines).toEqual(reply.lines);
    expect(reply.lines).toEqual([
      // 2 of the 30 days of $216.50.
      { description: 'Unused days 12/12/2026 - 12/13/2026', amount: -14.43 },
      { description: 'Deposit given back', amount: -50 },
      { description: 'Not rented any more: Rent 12/14/2026 - 1/13/2027', amount: -200 },
      { description: 'Not rented any more: Protection plan 12/14/2026 - 1/13/2027', amount: -14 },
      { description: 'Not rented any more: Card fee', amount: -3 },
      { description: 'Not rented any more: Late fee', amount: -20 },
    ]);
    // The deductible and the fee, less the deposit and the unused days.
    expect(reply.ledgers).toMatchObject([{ balance: 254 - 64.43 }]);
  });

  test.each([
    { prorates: true, lines: [-141.94, -11, -2.13] },
    { prorates: false, lines: [] },
  ])(
    'gives back the share of plan and card fee as it does of the rent: prorates is $prorates',
    async ({ prorates, lines }) => {
      const one = await rental({ move_out_proration: prorates, card_fee_cents: 300 });
      const plan = await makeProtectionPlan(api.owner, {
        facility_id: one.facilityId,
        premium_cents: 1550,
      });
      await addRows(api.owner, 'ledger_protection_plans', {
        ledger_id: one.ledgerId,
        protection_plan_id: plan,
        starts_on: '2026-12-01',
      });
      now = new Date('2026-12-23T15:00:00Z');
      await runBilling(api.ctx, { facilityId: one.facilityId, date: '2026-12-23' });
      const reply = await leave(one, { on: '2026-12-23' });
      now = new Date('2026-11-20T15:00:00Z');
      // 22 of 31 days of $200.00, $15.50 and $3.00; the deposit is the first line.
      expect(reply.lines.slice(1).map(({ amount }) => amount)).toEqual(lines);
    },
  );

  test('gives the money of a bank debit back once that has settled, and not before', async () => {
    const one = await rental({}, { isPaid: false });
    await payByDebit(one);
    const preview = await leave(one, { on: '2026-11-20' }, { preview: true });
    const reply = await leave(one, { on: '2026-11-20' });
    expect(reply).toEqual(preview);
    expect(reply).toMatchObject({
      movedOutOn: '2026-11-20',
      isSettled: false,
      refunds: [],
      byHand: 0,
    });
    now = new Date('2026-11-21T15:00:00Z');
    expect(await settleMoveOuts(api.ctx, { facilityId: one.facilityId, date: '2026-11-21' })).toBe(
      0,
    );
    expect([await refunded(one), await statementsTo(one), await alarmsOf(one)]).toEqual([
      [],
      [],
      [],
    ]);
    now = new Date('2026-11-23T15:00:00Z');
    await lookUpPendingPayments(api.ctx);
    expect(await settleMoveOuts(api.ctx, { facilityId: one.facilityId, date: '2026-11-23' })).toBe(
      1,
    );
    now = new Date('2026-11-20T15:00:00Z');
    expect([await refunded(one), (await statementsTo(one)).length]).toEqual([[5000], 1]);
    expect(await ledgerOf(one)).toMatchObject({ balance_cents: 0 });
  });

  test('whose bank debit comes back gives nothing back: the rental owes it', async () => {
    const one = await rental({}, { isPaid: false });
    await payByDebit(one, sandboxNumbers.returnedAccount);
    await leave(one, { on: '2026-11-20' });
    now = new Date('2026-11-23T15:00:00Z');
    await lookUpPendingPayments(api.ctx);
    expect(await settleMoveOuts(api.ctx, { facilityId: one.facilityId, date: '2026-11-23' })).toBe(
      1,
    );
    now = new Date('2026-11-20T15:00:00Z');
    expect([await refunded(one), (await ledgerOf(one)).balance_cents]).toEqual([[], 21_650]);
  });

  test('gives no rent back where the facility does not prorate', async () => {
    const one = await rental();
    expect((await leave(one, { on: '2026-11-20' })).lines).toEqual([
      { description: 'Deposit given back', amount: -50 },
    ]);
    expect(await refunded(one)).toEqual([5000]);
  });

  test.each([
    [
      'does not have',
      (reference: string) =>
        sql`DELETE FROM sandbox_gateway.charges WHERE reference = ${reference}`,
    ],
    [
      'declined',
      (reference: string) =>
        sql`UPDATE sandbox_gateway.charges SET outcome = 'declined', decline_message = 'No.' WHERE reference = ${reference}`,
    ],
  ])(
    'that waits for a bank debit which the gateway %s is settled once staff take that back',
    async (_, drop) => {
      const one = await rental({}, { isPaid: false });
      await payByDebit(one);
      await leave(one, { on: '2026-11-20' });
      const { intent_id: reference, receipt_number: receiptNumber } = await getRow(
        api.owner,
        'payments',
        ['intent_id', 'receipt_number'],
        { ledger_id: one.ledgerId },
      );
      const reverse = (isPreview = false) =>
        reversePaymentOf(api.ctx, staffCall({ why: 'cancelled', isPreview }), {
          receiptNumber,
          reason: 'mistake',
        });
      await expect(reverse()).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining('refund it'),
      });
      await drop(reference).execute(api.owner);

      const settleOn = (date: string) => {
        now = new Date(`${date}T15:00:00Z`);
        return settleMoveOuts(api.ctx, { facilityId: one.facilityId, date });
      };
      await lookUpPendingPayments(api.ctx);
      expect([await settleOn('2026-11-27'), await alarmsOf(one)]).toEqual([0, []]);
      for (const date of ['2026-11-28', '2026-11-29']) expect(await settleOn(date)).toBe(0);
      expect(await alarmsOf(one)).toEqual([
        {
          kind: 'move_out_waiting',
          facts: { ledgerId: one.ledgerId, waitsFor: 'bank debit', receipts: [receiptNumber] },
        },
      ]);

      const preview = await reverse(true);
      expect(preview).toMatchObject({ amount: 266.5, fee: 0, ledgers: [{ balance: 266.5 }] });
      const tries = await Promise.allSettled([reverse(), reverse()]);
      expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await settleOn('2026-11-29')).toBe(1);
      expect([await refunded(one), (await ledgerOf(one)).balance_cents]).toEqual([[], 21_650]);
      await reconcileToday(api.ctx);
      now = new Date('2026-11-20T15:00:00Z');
      const differences = api.owner
        .selectFrom('differences')
        .select('class')
        .where('reference', '=', reference);
      expect(await differences.execute()).toEqual([]);
    },
  );

  test('that waits for its bill for more than a week has an alarm that names the facility, once', async () => {
    const one = await rental({ name: 'Lakeside' });
    const unbilled = { billed_through: '2026-11-13', paid_through: '2026-11-13' };
    const { billed_through, paid_through } = await ledgerOf(one);
    await leave(one, { on: '2026-11-21' });
    await changeRows(api.owner, 'ledgers', unbilled, { id: one.ledgerId });
    for (const date of ['2026-11-28', '2026-11-29', '2026-11-30'])
      await settleMoveOuts(api.ctx, { facilityId: one.facilityId, date });
    await changeRows(api.owner, 'ledgers', { billed_through, paid_through }, { id: one.ledgerId });
    const alarms = api.owner
      .selectFrom('alarms')
      .select('sentence')
      .where('facility_id', '=', one.facilityId);
    expect(await alarms.execute()).toEqual([
      {
        sentence:
          'Unit A101 of Lakeside was moved out of on 2026-11-21 and is not settled: it waits for the bill of the days before.',
      },
    ]);
  });

  test('keeps a credit on the ledger where it is said so', async () => {
    const one = await rental();
    const reply = await leave(one, { on: '2026-11-20', credit: 'keep' });
    expect(reply).toMatchObject({ refunds: [], byHand: 0, ledgers: [{ balance: -50 }] });
    expect([await refunded(one), (await ledgerOf(one)).balance_cents]).toEqual([[], -5000]);
  });

  test('tells staff of a credit that no gateway can give back', async () => {
    const one = await rental({ move_out_proration: true }, { isPaid: false });
    await postCounter(one, 26_650);
    expect(await leave(one, { on: '2026-11-20' })).toMatchObject({ refunds: [], byHand: 223.2 });
    expect(await alarmsOf(one)).toMatchObject([
      { kind: 'move_out_credit', facts: { cents: 22_320 } },
    ]);
  });

  test('leaves what is owed owed, and says so in the final statement', async () => {
    const one = await rental({}, { isPaid: false });
    expect(await leave(one, { on: '2026-11-20' })).toMatchObject({
      refunds: [],
      ledgers: [{ balance: 216.5 }],
    });
    expect((await statementsTo(one))[0]!.text).toContain('Please pay $216.50');
  });

  test('is settled once by two workers and by a repeated run', async () => {
    const one = await rental();
    await leave(one, { on: '2026-11-21' });
    now = new Date('2026-11-21T15:00:00Z');
    const day = { facilityId: one.facilityId, date: '2026-11-21' };
    const settled = await Promise.all([1, 2, 3].map(() => settleMoveOuts(api.ctx, day)));
    expect(settled.reduce((sum, count) => sum + count)).toBe(1);
    expect(await settleMoveOuts(api.ctx, day)).toBe(0);
    now = new Date('2026-11-20T15:00:00Z');
    expect([await refunded(one), (await statementsTo(one)).length]).toEqual([[5000], 1]);
  });

  test('whose refund got no answer is refunded once by the sweep', async () => {
    const one = await rental();
    isGatewayAway = true;
    await leave(one, { on: '2026-11-20' });
    expect([await refunded(one), (await ledgerOf(one)).balance_cents]).toEqual([[], -5000]);
    isGatewayAway = false;
    now = new Date(now.getTime() + 3_600_000);
    await resolveOpenRefunds(api.ctx);
    await resolveOpenRefunds(api.ctx);
    expect([await refunded(one), (await ledgerOf(one)).balance_cents]).toEqual([[5000], 0]);
  });

  test('waits for a refund that is under way, and gives the same money back no second time', async () => {
    const one = await rental();
    const { receipt_number: receiptNumber } = await getRow(
      api.owner,
      'payments',
      'receipt_number',
      { ledger_id: one.ledgerId },
    );
    isGatewayAway = true;
    const call = staffCall();
    await refundPaymentOf(api.ctx, call, { receiptNumber, amount: 50 });
    await expect(leave(one, { on: '2026-11-20' })).rejects.toMatchObject({
      status: 409,
      message:
        'A payment or refund of unit A101 is being confirmed. Please try again in some minutes.',
    });
    await leave(one, { on: '2026-11-21' });
    now = new Date('2026-11-21T15:00:00Z');
    const day = { facilityId: one.facilityId, date: '2026-11-21' };
    expect(await settleMoveOuts(api.ctx, day)).toBe(0);
    isGatewayAway = false;
    await resolveOpenRefunds(api.ctx);
    expect(await settleMoveOuts(api.ctx, day)).toBe(1);
    now = new Date('2026-11-20T15:00:00Z');
    expect([await refunded(one), (await ledgerOf(one)).balance_cents, await alarmsOf(one)]).toEqual(
      [[5000], 0, []],
    );
  });

  test('under a key is done once, and by two clerks at once by one of them', async () => {
    const one = await rental();
    const key = randomUUID();
    const first = await leave(one, { on: '2026-11-20' }, { key });
    expect(await leave(one, { on: '2026-11-20' }, { key })).toEqual(first);
    const other = await rental();
    const tries = await Promise.allSettled([1, 2].map(() => leave(other, { on: '2026-11-20' })));
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect([await refunded(one), await refunded(other)]).toEqual([[5000], [5000]]);
  });

  test('comes by the day where the facility is', async () => {
    const hawaii = await rental({ time_zone: 'Pacific/Honolulu' });
    now = new Date('2026-11-25T05:00:00Z');
    expect(await leave(hawaii, { on: '2026-11-25' })).toMatchObject({ isSettled: false });
    expect(await leave(hawaii, { on: '2026-11-24' })).toMatchObject({ isSettled: true });
    now = new Date('2026-11-20T15:00:00Z');
  });

  test('that lies ahead may be set anew and cancelled, unless the unit is rented again by then', async () => {
    const one = await rental();
    await leave(one, { on: '2026-12-01' });
    await leave(one, { on: '2026-12-10', credit: 'keep' });
    expect(await leave(one, { cancel: true })).toMatchObject({
      movedOutOn: null,
      isSettled: false,
    });
    expect(await ledgerOf(one)).toMatchObject({ moved_out_on: null });
    await leave(one, { on: '2026-12-10' });
    await makeNext(one, '2026-12-10');
    const sentence = 'Unit A101 is rented again by then. End or change that rental first.';
    await expect(leave(one, { cancel: true })).rejects.toMatchObject({
      status: 409,
      message: sentence,
    });
    await expect(leave(one, { on: '2026-12-11' })).rejects.toMatchObject({
      status: 409,
      message: sentence,
    });
    expect(await leave(one, { on: '2026-12-09' })).toMatchObject({ movedOutOn: '2026-12-09' });
  });

  test.each([
    [
      'a rental that is none',
      { on: '2026-11-20' },
      { id: randomUUID() },
      404,
      'There is no rental',
    ],
    ['a day that does not exist', { on: '2026-02-30' }, {}, 422, ''],
    ['neither a day nor cancel', {}, {}, 422, 'Give a day, or cancel the move-out.'],
    [
      'a day and cancel',
      { on: '2026-11-20', cancel: true },
      {},
      422,
      'Give a day, or cancel the move-out.',
    ],
    ['a day before the move-in', { on: '2026-11-13' }, {}, 422, 'it cannot end earlier'],
    ['no move-out to cancel', { cancel: true }, {}, 409, 'No move-out of unit A101 is planned.'],
    [
      'another facility’s clerk',
      { on: '2026-11-20' },
      { isForeign: true },
      404,
      'There is no rental',
    ],
  ])(
    'with %s is refused in a sentence and writes nothing',
    async (
      _,
      body,
      { id, isForeign = false }: { id?: string; isForeign?: boolean },
      status,
      sentence,
    ) => {
      const one = await rental();
      const before = await ledgerOf(one);
      const options = isForeign ? { facilityId: (await rental()).facilityId } : {};
      await expect(leave({ ledgerId: id ?? one.ledgerId }, body, options)).rejects.toMatchObject({
        status,
        message: expect.stringContaining(sentence) as string,
      });
      expect([await ledgerOf(one), await refunded(one)]).toEqual([before, []]);
    },
  );

  test('is at most 60 days back', async () => {
    const one = await rental();
    await changeRows(api.owner, 'ledgers', { moved_in_on: '2026-01-14' }, { id: one.ledgerId });
    await expect(leave(one, { on: '2026-09-20' })).rejects.toMatchObject({
      status: 422,
      message: 'A rental may end at most 60 days back: on 2026-09-21 or later.',
    });
    await expect(leave(one, { on: '9999-12-31' })).rejects.toMatchObject({
      status: 422,
      message: 'The day 12/31/9999 is over two years ahead: check its year.',
    });
    expect(await leave(one, { on: '2026-09-21' }, { preview: true })).toMatchObject({
      movedOutOn: '2026-09-21',
    });
  });

  test('of a rental that has ended is refused', async () => {
    const one = await rental();
    await leave(one, { on: '2026-11-20' });
    for (const body of [{ on: '2026-11-25' }, { on: '2026-11-20' }, { cancel: true }])
      await expect(leave(one, body)).rejects.toMatchObject({ status: 409 });
  });
});

/** All that is owed, by a bank debit that has not settled. */
async function payByDebit(
  { tenantId, ledgerId, unitId }: Rental,
  accountNumber = '000123456789',
): Promise<void> {
  const email = `${tenantId}@example.com`;
  const userId = await makeUser(api.owner, {
    email,
    password: DEMO_PASSWORD,
    tenantIds: [tenantId],
  });
  const ach = {
    accountType: 'Consumer Checking',
    accountNumber,
    routingNumber: '110000000',
  } as const;
  await makePayment(api.ctx, {
    userId,
    tenantId,
    timeZone: 'America/Chicago',
    idempotencyKey: undefined,
    params: { payments: [{ ledgerId, unitId, amount: 266.5 }], ach },
  });
}

/** A credit that is no payment of a gateway. */
async function postCounter({ ledgerId }: Rental, cents: number): Promise<void> {
  const call = staffCall();
  await addCreditTo(api.ctx, call, { ledgerId, amount: cents / 100, description: 'Paid in kind' });
}

/** The next rental of the same unit. */
async function makeNext({ ledgerId, unitId }: Rental, moved_in_on: string): Promise<void> {
  const { tenant_id } = await getRow(api.owner, 'ledgers', 'tenant_id', { id: ledgerId });
  await addRows(api.owner, 'ledgers', {
    tenant_id,
    unit_id: unitId,
    rental_rate_cents: 20_000,
    gate_schedule_id: 1,
    moved_in_on,
    paid_through: moved_in_on,
    billing_day: 1,
    billed_through: moved_in_on,
  });
}
