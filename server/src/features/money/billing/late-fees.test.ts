import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { post } from '#features/base/ledgers/books.ts';
import { getPostedPayment } from '#features/base/ledgers/postings.fixture.ts';
import { lockBooks, postLocked } from '#features/base/ledgers/postings.ts';
import { waiveChargeOf } from '#features/money/counter/charges.ts';
import { insertIntent, readDebt } from '#features/money/payments/begin.ts';
import { markUnknown, settlePayment } from '#features/money/payments/settle.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { readMails } from '#test/mails.ts';
import {
  makeBilledFacility,
  postCredit,
  readCharges,
  readLedger,
  type FacilityRow,
} from './billing.fixture.ts';
import { postLateFees } from './late-fees.ts';
import { findRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

let now: Date;
const api = useTestApp('empty_template', { clock: { now: () => now } });

const facilityWith = (row: FacilityRow = {}) => makeBilledFacility(api, row);
const ledgerRow = (ledgerId: string) => readLedger(api, ledgerId);
const credit = (ledgerId: string, cents: number) => postCredit(api, now, ledgerId, cents);
beforeEach(() => {
  now = new Date('2026-11-21T12:00:00Z');
});

describe('a late fee', () => {
  const fees = async (id: string) =>
    (await readCharges(api, id)).filter(({ category }) => category === 'fee');

  test('is posted once for each rent that is still open after the days of the facility', async () => {
    now = new Date('2026-11-14T12:00:00Z');
    const eagle = await facilityWith({ late_fee_cents: 1500, late_fee_after_days: 5 });
    const id = await eagle.rental();
    await eagle.bill('2026-11-14');
    const late = (date: string) => postLateFees(api.ctx, { facilityId: eagle.facilityId, date });
    now = new Date('2026-11-18T12:00:00Z');
    expect(await late('2026-11-18')).toBe(0);
    now = new Date('2026-11-19T12:00:00Z');
    expect(
      (await Promise.all([1, 2, 3].map(() => late('2026-11-19')))).reduce((a, b) => a + b),
    ).toBe(1);
    expect(await late('2026-11-30')).toBe(0);
    expect(await fees(id)).toMatchObject([
      { description: 'Late fee', due_on: '2026-11-19', price_cents: 1500 },
    ]);
    expect(await ledgerRow(id)).toMatchObject({
      balance_cents: 21_500,
      paid_through: '2026-11-13',
    });
  });

  test('is off by default, and not posted on hold, on a paid rent, or for days that an outage took', async () => {
    const off = await facilityWith();
    const eagle = await facilityWith({ late_fee_cents: 1500, late_fee_after_days: 5 });
    const ids = [
      await off.rental(),
      await eagle.rental({ is_on_hold: true }),
      await eagle.rental(),
      await eagle.rental(),
    ];
    await credit(ids[2]!, 20_000);
    // Billed a week late: the tenant has the days from then on.
    now = new Date('2026-11-21T12:00:00Z');
    for (const facility of [off, eagle]) await facility.bill('2026-11-21');
    for (const facility of [off, eagle])
      expect(
        await postLateFees(api.ctx, { facilityId: facility.facilityId, date: '2026-11-21' }),
      ).toBe(0);
    now = new Date('2026-11-26T12:00:00Z');
    expect(await postLateFees(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-26' })).toBe(
      1,
    );
    expect(await fees(ids[3]!)).toHaveLength(1);
  });

  test('is not posted overnight for a rent that a returned payment opens again: the days begin anew', async () => {
    now = new Date('2026-11-14T12:00:00Z');
    const eagle = await facilityWith({ late_fee_cents: 1500, late_fee_after_days: 5 });
    const id = await eagle.rental();
    await eagle.bill('2026-11-14');
    await credit(id, 20_000);
    now = new Date('2026-12-01T12:00:00Z');
    await takeBack(id);
    const late = (date: string) => postLateFees(api.ctx, { facilityId: eagle.facilityId, date });
    expect(await ledgerRow(id)).toMatchObject({
      balance_cents: 20_000,
      paid_through: '2026-11-13',
    });
    expect(await late('2026-12-02')).toBe(0);
    expect(await late('2026-12-05')).toBe(0);
    expect(await late('2026-12-06')).toBe(1);
  });

  test('waits for an open payment: none for one begun in time that is paid, one once it ends unpaid', async () => {
    now = new Date('2026-11-14T12:00:00Z');
    const eagle = await facilityWith({ late_fee_cents: 1500, late_fee_after_days: 5 });
    const [paid, declined, neverSent] = [
      await eagle.rental(),
      await eagle.rental(),
      await eagle.rental(),
    ];
    await eagle.bill('2026-11-14');
    now = new Date('2026-11-18T12:00:00Z');
    const intents = [];
    for (const id of [paid, declined, neverSent])
      intents.push(await beginPayment(eagle.tenantId, id));
    await markUnknown(api.ctx, intents[1]!);
    const late = (date: string) => postLateFees(api.ctx, { facilityId: eagle.facilityId, date });
    now = new Date('2026-11-19T12:00:00Z');
    expect(await late('2026-11-19')).toBe(0);
    await charge(intents[0]!, 20_000);
    await settlePayment(api.ctx, intents[0]!, { outcome: 'succeeded' });
    await settlePayment(api.ctx, intents[1]!, {
      outcome: 'declined',
      message: 'Declined.',
      isHard: false,
    });
    await settlePayment(api.ctx, intents[2]!, { outcome: 'voided' });
    now = new Date('2026-11-20T12:00:00Z');
    expect(await late('2026-11-20')).toBe(2);
    expect(await fees(paid)).toEqual([]);
    for (const id of [declined, neverSent])
      expect(await fees(id)).toMatchObject([{ due_on: '2026-11-20' }]);
  });
});

describe('a late fee whose cause is taken away', () => {
  const call = (isPreview = false) => staffCall({ isPreview });
  /** A rental whose rent of $200 was late, with the fee of $15; `paidCents` came in time. */
  async function late({ paidCents = 0 } = {}) {
    now = new Date('2026-11-14T12:00:00Z');
    const eagle = await facilityWith({ late_fee_cents: 1500, late_fee_after_days: 5 });
    const id = await eagle.rental();
    await eagle.bill('2026-11-14');
    if (paidCents > 0) await credit(id, paidCents);
    now = new Date('2026-11-19T12:00:00Z');
    await postLateFees(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-19' });
    now = new Date('2026-11-21T12:00:00Z');
    const charges = await findRows(api.owner, 'charges', ['entry_id', 'category'], {
      ledger_id: id,
    });
    const chargeId = charges.find(({ category }) => category === 'rent')!.entry_id;
    expect(charges).toHaveLength(2);
    const waive = (amount?: number, isPreview = false) =>
      waiveChargeOf(api.ctx, call(isPreview), { chargeId, amount });
    return { id, chargeId, waive };
  }

  test('is waived with the rent, as the preview says, in one act and its mail', async () => {
    const { id, waive } = await late();
    const preview = await waive(undefined, true);
    expect(preview).toMatchObject({
      amount: 200,
      lateFee: { amount: 15 },
      ledgers: [{ balance: 0 }],
    });
    expect((await ledgerRow(id)).balance_cents).toBe(21_500);
    const outcomes = await Promise.allSettled([waive(), waive()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await ledgerRow(id)).balance_cents).toBe(0);
    const done = outcomes.find((one) => one.status === 'fulfilled')!.value;
    expect({ ...done, creditId: '', lateFee: { ...done.lateFee, creditId: '' } }).toEqual({
      ...preview,
      creditId: '',
      lateFee: { ...preview.lateFee, creditId: '' },
    });
    const mail = (await readMails(api)).at(-1)!;
    expect(mail.text).toContain('Waived: Late fee: -$15.00');
  });

  test.each([
    { paidCents: 15_000, amount: 50, feeCents: 0 },
    { paidCents: 14_999, amount: 50, feeCents: 1500 },
    { paidCents: 0, amount: 199.99, feeCents: 1500 },
  ])(
    'stays where the rest was late: $paidCents paid in time, $amount waived',
    async ({ paidCents, amount, feeCents }) => {
      const { id, waive } = await late({ paidCents });
      const { lateFee } = await waive(amount);
      expect(lateFee).toEqual(feeCents === 0 ? expect.objectContaining({ amount: 15 }) : null);
      const left = 20_000 - paidCents - Math.round(amount * 100);
      expect((await ledgerRow(id)).balance_cents).toBe(left + feeCents);
    },
  );

  test('and was paid becomes a credit, and one that was waived by hand is not waived again', async () => {
    const paid = await late();
    await credit(paid.id, 21_500);
    expect(await paid.waive()).toMatchObject({ ledgers: [{ balance: -215 }] });
    const byHand = await late();
    const fee = await getRow(api.owner, 'charges', 'entry_id', { late_for: byHand.chargeId });
    await waiveChargeOf(api.ctx, call(), { chargeId: fee.entry_id });
    expect(await byHand.waive()).toMatchObject({ lateFee: null, ledgers: [{ balance: 0 }] });
  });
});

test('the books are sound after all of it', () => expectSoundBooks(api.owner));

/** Begins a payment of all that the ledger owes, and asks no gateway. */
async function beginPayment(tenantId: string, ledgerId: string): Promise<string> {
  const debt = await readDebt(api.ctx.db, {
    tenantId,
    userId: null,
    idempotencyKey: null,
    lines: [{ ledgerId, cents: null }],
    today: calendarDateIn('America/Chicago', now),
  });
  return api.ctx.db.transaction().execute((trx) =>
    insertIntent(trx, now, {
      tenantId,
      userId: null,
      initiator: 'tenant',
      type: 'creditCard',
      methodDescription: 'Visa ending in 4242',
      paymentMethodId: null,
      tokenVersion: null,
      fingerprint: null,
      expiresOn: null,
      idempotencyKey: null,
      requestHash: null,
      autopayItemId: null,
      debt,
    }),
  );
}

/** The gateway's side of a payment. */
async function charge(intentId: string, cents: number): Promise<void> {
  await sql`INSERT INTO sandbox_gateway.charges (reference, amount_cents, type, last_four, outcome)
    VALUES (${intentId}, ${cents}, 'creditCard', '4242', 'captured')`.execute(api.owner);
}

/** As a return does: what the ledger's one credit had settled is open again. */
async function takeBack(ledgerId: string): Promise<void> {
  const { id } = await api.owner
    .selectFrom('entries')
    .select('id')
    .where('ledger_id', '=', ledgerId)
    .where('amount_cents', '<', 0)
    .executeTakeFirstOrThrow();
  const payment = await getPostedPayment(api.ctx.db, id);
  const change = {
    kind: 'reversal',
    id: randomUUID(),
    payment,
    cents: payment.leftCents,
    reason: 'return',
  } as const;
  const at = { instant: now, dayOf: () => calendarDateIn('America/Chicago', now) };
  await api.ctx.db.transaction().execute(async (trx) => {
    const [books] = await lockBooks(trx, [ledgerId]);
    const { posting } = post(books!, [{ ...change, description: 'Returned by the bank' }]);
    await postLocked(trx, at, [posting]);
  });
}
