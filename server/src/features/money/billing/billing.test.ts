import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { migrationsFolder } from '#db/database.ts';
import { findBookFaults } from '#features/money/books-check/find-book-faults.ts';
import {
  makeAutopay,
  makePaymentMethod,
  makeProtectionPlan,
  postCharges,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { expectSoundBooks } from '#test/books.ts';
import {
  makeBilledFacility,
  postCredit,
  readCharges,
  readLedger,
  type FacilityRow,
} from './billing.fixture.ts';
import { projectNextBills } from './projection.ts';
import { sendRateNotices } from './rate-notices.ts';
import { addRows, changeRows, findRows } from '#test/rows.ts';

const now = new Date('2026-11-21T12:00:00Z');
const api = useTestApp('empty_template', { clock: { now: () => now } });

function nextBillsOf(ledgerIds: string[]) {
  return projectNextBills(api.ctx.db, sql`l.id = ANY(${ledgerIds}::uuid[])`);
}

const facilityWith = (row: FacilityRow = {}) => makeBilledFacility(api, row);
const chargesOf = (ledgerId: string) => readCharges(api, ledgerId);
const ledgerRow = (ledgerId: string) => readLedger(api, ledgerId);
const credit = (ledgerId: string, cents: number) => postCredit(api, now, ledgerId, cents);
const alarmsOf = (facilityId: string) =>
  api.owner.selectFrom('alarms').selectAll().where('facility_id', '=', facilityId).execute();
const dueDates = async (ledgerId: string) =>
  (await chargesOf(ledgerId))
    .filter(({ category }) => category === 'rent')
    .map(({ due_on }) => due_on);

describe('a billing run', () => {
  test('posts the period that begins, and leaves paid-through where it was until that is paid', async () => {
    const eagle = await facilityWith();
    const id = await eagle.rental();
    expect(await eagle.bill('2026-11-13')).toMatchObject({ ledgers: 0, totalCents: 0 });
    expect(await eagle.bill('2026-11-14')).toMatchObject({
      ledgers: 1,
      periods: 1,
      rentCents: 20_000,
      totalCents: 20_000,
    });
    expect(await chargesOf(id)).toEqual([
      {
        category: 'rent',
        description: 'Rent 11/14/2026 - 12/13/2026',
        due_on: '2026-11-14',
        period_end: '2026-12-13',
        price_cents: 20_000,
        tax1_cents: 0,
        posted_on: '2026-11-21',
      },
    ]);
    expect(await ledgerRow(id)).toMatchObject({
      balance_cents: 20_000,
      billed_through: '2026-12-13',
      paid_through: '2026-11-13',
      version: 1,
    });
  });

  test('bills each period exactly once, however often it is run', async () => {
    const eagle = await facilityWith();
    const ids = [await eagle.rental(), await eagle.rental()];
    for (const date of [
      '2026-11-14',
      '2026-11-14',
      '2026-11-20',
      '2026-12-13',
      '2026-12-14',
      '2026-12-14',
    ])
      await eagle.bill(date);
    for (const id of ids) expect(await dueDates(id)).toEqual(['2026-11-14', '2026-12-14']);
  });

  test('posts what an outage missed, each period with its own due date', async () => {
    const eagle = await facilityWith();
    const id = await eagle.rental({
      billing_day: 31,
      billed_through: '2027-01-30',
      paid_through: '2027-01-30',
    });
    await eagle.bill('2027-04-30');
    expect(await dueDates(id)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']);
    expect(await ledgerRow(id)).toMatchObject({
      billed_through: '2027-05-30',
      balance_cents: 80_000,
    });
  });

  test('bills each period once by three workers at once', async () => {
    const eagle = await facilityWith();
    const ids = await Promise.all(Array.from({ length: 12 }, () => eagle.rental()));
    const totals = await Promise.all(
      ['2026-12-20', '2026-12-20', '2027-01-20'].map((date) => eagle.bill(date)),
    );
    for (const id of ids)
      expect(await dueDates(id)).toEqual(['2026-11-14', '2026-12-14', '2027-01-14']);
    expect(totals.reduce((sum, { periods }) => sum + periods, 0)).toBe(36);
  });

  test('bills each period once while tenants and staff post to the same ledgers', async () => {
    const eagle = await facilityWith({ late_fee_cents: 500 });
    const ids = await Promise.all(Array.from({ length: 8 }, () => eagle.rental()));
    const credits = ids.flatMap((id) => [credit(id, 1500), credit(id, 30_000)]);
    const runs = ['2026-12-20', '2027-01-20'].map((date) => eagle.bill(date));
    await Promise.all([...credits, ...runs]);
    for (const id of ids) {
      expect(await dueDates(id)).toEqual(['2026-11-14', '2026-12-14', '2027-01-14']);
      expect(await ledgerRow(id)).toMatchObject({
        balance_cents: 28_500,
        paid_through: '2026-12-13',
      });
    }
  });

  test('continues where a run was killed', async () => {
    const eagle = await facilityWith();
    const ids = await Promise.all(Array.from({ length: 300 }, () => eagle.rental()));
    const dies = eagle.bill('2026-11-14', {
      onProgress({ done, total }) {
        expect(total).toBe(300);
        if (done > 0) throw new Error('killed');
      },
    });
    await expect(dies).rejects.toThrow('killed');
    const { count } = await api.owner
      .selectFrom('billed_periods')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('ledger_id', 'in', ids)
      .executeTakeFirstOrThrow();
    expect(count).toBe(250);
    expect(await eagle.bill('2026-11-14')).toMatchObject({ ledgers: 50 });
  });

  test('changes nothing when it is dry, and says what it would bill', async () => {
    const eagle = await facilityWith();
    const id = await eagle.rental();
    expect(await eagle.bill('2027-01-14', { dryRun: true })).toMatchObject({
      ledgers: 1,
      periods: 3,
      totalCents: 60_000,
    });
    expect(await ledgerRow(id)).toMatchObject({
      balance_cents: 0,
      version: 0,
      billed_through: '2026-11-13',
    });
  });

  test('bills a tenant who has left for the periods that began before', async () => {
    const eagle = await facilityWith();
    const left = await eagle.rental({ moved_out_on: '2026-12-14' });
    const stayed = await eagle.rental({ moved_out_on: '2026-12-15' });
    await eagle.bill('2027-03-01');
    expect(await dueDates(left)).toEqual(['2026-11-14']);
    expect(await dueDates(stayed)).toEqual(['2026-11-14', '2026-12-14']);
  });

  test('uses a credit first, and moves paid-through on when it covers the period', async () => {
    const eagle = await facilityWith();
    const id = await eagle.rental();
    await credit(id, 25_000);
    await eagle.bill('2026-11-14');
    expect(await ledgerRow(id)).toMatchObject({ balance_cents: -5000, paid_through: '2026-12-13' });
    await eagle.bill('2026-12-14');
    expect(await ledgerRow(id)).toMatchObject({
      balance_cents: 15_000,
      paid_through: '2026-12-13',
    });
  });

  test('bills the first of the month with the days of the first one', async () => {
    const eagle = await facilityWith({ billing_kind: 'first_of_month' });
    const id = await eagle.rental({
      moved_in_on: '2026-11-17',
      billed_through: '2026-11-16',
      paid_through: '2026-11-16',
    });
    await eagle.bill('2026-12-01');
    expect(
      (await chargesOf(id)).map(({ due_on, period_end, price_cents }) => [
        due_on,
        period_end,
        price_cents,
      ]),
    ).toEqual([
      ['2026-11-17', '2026-11-30', 9333],
      ['2026-12-01', '2026-12-31', 20_000],
    ]);
  });

  test('bills every 28 days', async () => {
    const eagle = await facilityWith({ billing_kind: 'twenty_eight_days' });
    const id = await eagle.rental();
    await eagle.bill('2027-01-08');
    expect(await dueDates(id)).toEqual(['2026-11-14', '2026-12-12']);
  });

  test('bills discount, taxes, protection plan and card fee by the facility', async () => {
    const eagle = await facilityWith({
      rent_tax1_basis_points: 625,
      rent_tax2_basis_points: 200,
      insurance_tax1_basis_points: 485,
      card_fee_cents: 500,
    });
    const discount_plan_id = await discountPlan(eagle.facilityId, { basis_points: 1000 });
    const id = await eagle.rental({ rental_rate_cents: 24_000, is_taxed: true, discount_plan_id });
    await givePlan(
      id,
      await makeProtectionPlan(api.owner, { facility_id: eagle.facilityId }),
      '2026-11-01',
    );
    const cardId = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: eagle.tenantId });
    await makeAutopay(api.owner, id, cardId, api.ctx.clock.now());

    expect((await nextBillsOf([id])).get(id)).toMatchObject({
      dueOn: '2026-11-14',
      cents: 25_350,
      lines: [
        { description: 'Rent 11/14/2026 - 12/13/2026', cents: 24_000 },
        { description: 'Protection plan 11/14/2026 - 12/13/2026', cents: 1400 },
        { description: 'Discount', cents: -2400 },
        { description: 'Taxes', cents: 1850 },
      ],
      cardFeeCents: 500,
    });
    expect(await eagle.bill('2026-11-14')).toEqual({
      ledgers: 1,
      periods: 1,
      rentCents: 24_000,
      discountCents: 2400,
      insuranceCents: 1400,
      feeCents: 500,
      taxCents: 1350 + 432 + 68,
      totalCents: 25_350,
      parked: 0,
    });
    const billed = await chargesOf(id);
    expect(billed.map(({ description, period_end }) => [description, period_end])).toEqual([
      ['Rent 11/14/2026 - 12/13/2026', '2026-12-13'],
      ['Protection plan 11/14/2026 - 12/13/2026', '2026-12-13'],
      ['Card fee', '2026-12-13'],
    ]);

    // From card to bank account: the fee ends with the next period.
    const type = 'ach' as const;
    const accountId = await makePaymentMethod(api.owner, api.ctx.vault, {
      tenant_id: eagle.tenantId,
      type,
    });
    await changeRows(api.owner, 'autopays', { payment_method_id: accountId }, { ledger_id: id });
    expect(await eagle.bill('2026-12-14')).toMatchObject({ feeCents: 0, totalCents: 24_850 });
  });

  test('is read by its periods where it was made before charges had them', async () => {
    const eagle = await facilityWith({ card_fee_cents: 500 });
    const id = await eagle.rental();
    await givePlan(
      id,
      await makeProtectionPlan(api.owner, { facility_id: eagle.facilityId }),
      '2026-11-01',
    );
    const cardId = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: eagle.tenantId });
    await makeAutopay(api.owner, id, cardId, api.ctx.clock.now());
    await eagle.bill('2026-12-14');
    const byHand = { dueOn: '2026-11-14', priceCents: 900 };
    await postCharges(api.owner, id, [
      { ...byHand, category: 'insurance', description: 'Protection plan claim' },
      { ...byHand, category: 'fee', description: 'Card fee' },
    ]);
    const billed = await chargesOf(id);
    await sql`UPDATE charges SET period_end = NULL WHERE ledger_id = ${id} AND category <> 'rent'`.execute(
      api.owner,
    );
    const migration = await readFile(join(migrationsFolder, '0014_charges.sql'), 'utf8');
    const [backfill] = migration.slice(migration.indexOf('UPDATE charges')).split(';');
    await sql.raw(backfill!).execute(api.owner);
    expect(await chargesOf(id)).toEqual(billed);
    expect(billed.filter(({ period_end }) => period_end === null)).toHaveLength(2);
  });

  test.each(['debit', 'prepaid', 'unknown'] as const)(
    'adds no card fee to a %s card',
    async (funding) => {
      const eagle = await facilityWith({ card_fee_cents: 500 });
      const id = await eagle.rental();
      const cardId = await makePaymentMethod(api.owner, api.ctx.vault, {
        tenant_id: eagle.tenantId,
        funding,
      });
      await makeAutopay(api.owner, id, cardId, api.ctx.clock.now());
      expect(await eagle.bill('2026-11-14')).toMatchObject({ feeCents: 0 });
    },
  );

  test.each<[string, (id: string, cardId: string) => Promise<unknown>]>([
    [
      'without a consent',
      (ledger_id, payment_method_id) =>
        addRows(api.owner, 'autopays', { ledger_id, payment_method_id, active: true }),
    ],
    [
      'that its bank refused',
      async (id, cardId) => {
        await makeAutopay(api.owner, id, cardId, api.ctx.clock.now());
        await changeRows(api.owner, 'payment_methods', { refused_at: now }, { id: cardId });
      },
    ],
    [
      'of a rental on hold',
      async (id, cardId) => {
        await makeAutopay(api.owner, id, cardId, api.ctx.clock.now());
        await changeRows(api.owner, 'ledgers', { is_on_hold: true }, { id });
      },
    ],
  ])('adds no card fee for a card %s: autopay does not charge it', async (_name, set) => {
    const eagle = await facilityWith({ card_fee_cents: 500 });
    const id = await eagle.rental();
    await set(id, await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: eagle.tenantId }));
    expect(await eagle.bill('2026-11-14')).toMatchObject({ feeCents: 0 });
  });

  test('bills a protection plan from the first period that begins while it is active', async () => {
    const eagle = await facilityWith();
    const id = await eagle.rental();
    const planId = await makeProtectionPlan(api.owner, { facility_id: eagle.facilityId });
    await givePlan(id, planId, '2026-11-15', '2027-01-13');
    await eagle.bill('2027-02-14');
    const plans = (await chargesOf(id)).filter(({ category }) => category === 'insurance');
    expect(plans.map(({ due_on }) => due_on)).toEqual(['2026-12-14']);
  });
});

describe('what cannot be billed is left as it is, with an alarm', () => {
  test('at a facility whose time zone does not exist', async () => {
    const eagle = await facilityWith({ time_zone: 'America/Fort_Worth' });
    const id = await eagle.rental();
    expect(await eagle.bill('2026-11-14')).toMatchObject({ ledgers: 0 });
    expect(await dueDates(id)).toEqual([]);
    expect(await alarmsOf(eagle.facilityId)).toMatchObject([{ kind: 'unknown_zone' }]);
  });

  test('under a discount plan without terms, while the others are billed and once it is put right', async () => {
    const eagle = await facilityWith();
    const discount_plan_id = await discountPlan(eagle.facilityId, {});
    const ids = [
      await eagle.rental({ discount_plan_id }),
      await eagle.rental({ discount_plan_id }),
    ];
    const other = await eagle.rental();
    expect(await nextBillsOf([ids[0]!])).toEqual(new Map());
    for (const _run of [1, 2]) await eagle.bill('2026-11-14');
    expect(await dueDates(other)).toEqual(['2026-11-14']);
    expect(await dueDates(ids[0]!)).toEqual([]);
    expect(await alarmsOf(eagle.facilityId)).toMatchObject([
      { kind: 'billing_discount_plan', facts: { units: ['U1', 'U2'] } },
    ]);

    await changeRows(api.owner, 'ledgers', { discount_plan_id: null }, { id: ids });
    await eagle.bill('2026-11-20');
    expect(await dueDates(ids[0]!)).toEqual(['2026-11-14']);
  });

  test('where the books of one ledger take no posting: the others are billed', async () => {
    const eagle = await facilityWith();
    const ids = [await eagle.rental(), await eagle.rental(), await eagle.rental()];
    // A period that was billed already, of a ledger whose row says that it was not.
    const period = {
      ledger_id: ids[1]!,
      due_on: '2026-11-14',
      period_end: '2026-12-13',
      rate_cents: 1,
      posted_at: now,
    };
    await addRows(api.owner, 'billed_periods', period);
    expect(await eagle.bill('2026-11-14')).toMatchObject({ ledgers: 2, parked: 1 });
    expect(await dueDates(ids[0]!)).toEqual(['2026-11-14']);
    expect(await dueDates(ids[1]!)).toEqual([]);
    expect(await alarmsOf(eagle.facilityId)).toMatchObject([{ kind: 'billing_failed' }]);
    await api.owner.deleteFrom('billed_periods').where('ledger_id', '=', ids[1]!).execute();
  });
});

describe('of a plan that has ended only its own line is left out', () => {
  test('a discount: the rent is billed without it, as foreseen, with one alarm a month', async () => {
    const eagle = await facilityWith({ rent_tax1_basis_points: 625 });
    const discount_plan_id = await discountPlan(eagle.facilityId, {
      basis_points: 1000,
      ended_on: '2026-12-13',
    });
    const ids = [
      await eagle.rental({ discount_plan_id, is_taxed: true }),
      await eagle.rental({ discount_plan_id, is_taxed: true }),
    ];
    expect(await eagle.bill('2026-11-14')).toMatchObject({ discountCents: 4000, parked: 0 });
    expect(await alarmsOf(eagle.facilityId)).toEqual([]);
    expect([...(await nextBillsOf(ids)).values()]).toMatchObject(
      ids.map(() => ({ dueOn: '2026-12-14', cents: 21_250 })),
    );
    for (const _run of [1, 2]) await eagle.bill('2026-12-14');
    expect(
      (await chargesOf(ids[0]!)).map(({ price_cents, tax1_cents }) => [price_cents, tax1_cents]),
    ).toEqual([
      [20_000, 1125],
      [20_000, 1250],
    ]);
    expect(await alarmsOf(eagle.facilityId)).toMatchObject([
      {
        kind: 'billing_discount_plan',
        sentence:
          'The discount plan "Military 10%" ended on 2026-12-13, and rentals still have it: their rent is billed without it until that is put right.',
        facts: { units: ['U1', 'U2'] },
      },
    ]);
    await eagle.bill('2027-01-14');
    expect(await alarmsOf(eagle.facilityId)).toHaveLength(2);
  });

  test('a protection plan: the rent is billed without its premium, as foreseen and as the rate notice says', async () => {
    const eagle = await facilityWith();
    const id = await eagle.rental({
      scheduled_rate_cents: 21_000,
      scheduled_rate_on: '2027-01-01',
    });
    const planId = await makeProtectionPlan(api.owner, {
      facility_id: eagle.facilityId,
      ended_on: '2026-12-01',
    });
    await givePlan(id, planId, '2026-01-01');
    await sendRateNotices(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-21' });
    expect((await noticeMails(id))[0]!.text).toContain('In all: $210.00');
    expect(await eagle.bill('2026-11-14')).toMatchObject({ totalCents: 21_400, parked: 0 });
    expect((await nextBillsOf([id])).get(id)).toMatchObject({
      dueOn: '2026-12-14',
      cents: 20_000,
    });
    expect(await eagle.bill('2026-12-14')).toMatchObject({
      periods: 1,
      totalCents: 20_000,
      parked: 0,
    });
    expect(await dueDates(id)).toEqual(['2026-11-14', '2026-12-14']);
    expect(await alarmsOf(eagle.facilityId)).toMatchObject([
      {
        kind: 'billing_protection_plan',
        sentence: expect.stringContaining('billed without its premium'),
      },
    ]);
  });
});

describe('a scheduled rate change', () => {
  const raise = { scheduled_rate_cents: 21_000, scheduled_rate_on: '2027-01-01' };

  test('is applied to the first period that is due on its day or later, when its notice went out in time', async () => {
    const eagle = await facilityWith();
    const id = await eagle.rental(raise);
    expect(
      await sendRateNotices(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-21' }),
    ).toBe(1);
    expect(
      await sendRateNotices(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-21' }),
    ).toBe(0);
    await markSent(id, '2026-12-02T18:00:00Z');
    expect(await eagle.bill('2026-12-14')).toMatchObject({ rentCents: 40_000 });
    expect((await nextBillsOf([id])).get(id)).toMatchObject({
      dueOn: '2027-01-14',
      cents: 21_000,
    });
    expect(await eagle.bill('2027-01-14')).toMatchObject({ rentCents: 21_000 });
    expect(await eagle.bill('2027-02-14')).toMatchObject({ rentCents: 21_000 });
    expect(await ledgerRow(id)).toMatchObject({
      rental_rate_cents: 21_000,
      scheduled_rate_cents: null,
      scheduled_rate_on: null,
    });
    const changes = await api.owner
      .selectFrom('rate_changes')
      .selectAll()
      .where('ledger_id', '=', id)
      .execute();
    expect(changes).toMatchObject([
      {
        from_cents: 20_000,
        to_cents: 21_000,
        effective_on: '2027-01-01',
        applied_on: '2027-01-14',
      },
    ]);
    expect(await alarmsOf(eagle.facilityId)).toEqual([]);
  });

  test('of a rental without a bill leaves its books as the check expects them', async () => {
    const eagle = await facilityWith();
    const through = { billed_through: '2027-01-13', paid_through: '2027-01-13' };
    const id = await eagle.rental({ ...raise, ...through });
    await sendRateNotices(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-21' });
    await markSent(id, '2026-11-21T18:00:00Z');
    expect(await eagle.bill('2027-01-14')).toMatchObject({ rentCents: 21_000 });
    expect(await findBookFaults(api.ctx.db, [id], now)).toEqual([]);
    expect(await ledgerRow(id)).toMatchObject({ rate_since: null });
  });

  test('is applied once by several workers, also to periods that a late run bills', async () => {
    const eagle = await facilityWith();
    const ids = await Promise.all(Array.from({ length: 5 }, () => eagle.rental(raise)));
    await sendRateNotices(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-21' });
    for (const id of ids) await markSent(id, '2026-11-21T18:00:00Z');
    await Promise.all([1, 2, 3].map(() => eagle.bill('2027-02-14')));
    for (const id of ids) {
      const charges = await chargesOf(id);
      expect(charges.map(({ price_cents }) => price_cents)).toEqual([
        20_000, 20_000, 21_000, 21_000,
      ]);
    }
  });

  test.each([
    ['is not mailed', null],
    // 2 December is the last day of 30 before 1 January; in Chicago it ends at 6:00 UTC.
    ['was mailed a day too late', '2026-12-03T06:00:00Z'],
  ])('whose notice %s is not applied: the old rate stays, with one alarm', async (_, sentAt) => {
    const eagle = await facilityWith();
    const id = await eagle.rental(raise);
    await sendRateNotices(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-21' });
    if (sentAt !== null) await markSent(id, sentAt);
    for (const date of ['2027-01-14', '2027-02-14']) await eagle.bill(date);
    expect((await chargesOf(id)).map(({ price_cents }) => price_cents)).toEqual([
      20_000, 20_000, 20_000, 20_000,
    ]);
    expect(await ledgerRow(id)).toMatchObject({
      rental_rate_cents: 20_000,
      scheduled_rate_cents: 21_000,
    });
    expect(await alarmsOf(eagle.facilityId)).toMatchObject([
      { kind: 'rate_change_without_notice' },
    ]);
  });

  test('whose notice was mailed in the last minute of its last day is applied', async () => {
    const eagle = await facilityWith();
    const id = await eagle.rental(raise);
    await sendRateNotices(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-21' });
    await markSent(id, '2026-12-03T05:59:59Z');
    expect(await eagle.bill('2027-01-14')).toMatchObject({ rentCents: 61_000 });
  });

  test('that is scheduled too late for its notice is told to the operator, not to the tenant', async () => {
    const eagle = await facilityWith();
    const id = await eagle.rental(raise);
    expect(
      await sendRateNotices(api.ctx, { facilityId: eagle.facilityId, date: '2026-12-03' }),
    ).toBe(0);
    expect(await noticeMails(id)).toEqual([]);
    expect(await alarmsOf(eagle.facilityId)).toMatchObject([
      { kind: 'rate_change_without_notice' },
    ]);
  });

  test('is told with old and new rate, the day, and the next bill in full', async () => {
    const eagle = await facilityWith({ rent_tax1_basis_points: 625 });
    const id = await eagle.rental({ ...raise, is_taxed: true });
    await givePlan(
      id,
      await makeProtectionPlan(api.owner, { facility_id: eagle.facilityId }),
      '2026-01-01',
    );
    await sendRateNotices(api.ctx, { facilityId: eagle.facilityId, date: '2026-11-21' });
    const [mail] = await noticeMails(id);
    expect(mail).toMatchObject({
      to_address: 'dana@example.com',
      subject: 'The rent of unit U1 changes on 1/1/2027',
    });
    for (const line of [
      'Rent now: $200.00',
      'New rent: $210.00',
      'Your first bill at the new rent, due on 1/14/2027:',
      'Tax on rent: $13.13',
      'Protection plan: $14.00',
      'In all: $237.13',
    ])
      expect(mail!.text).toContain(line);
    expect(mail!.text).not.toContain('Autopay');
  });
});

test('the books are sound after all of it', () => expectSoundBooks(api.owner));

async function discountPlan(facility_id: string, terms: object): Promise<string> {
  const row = { facility_id, name: 'Military 10%', ...terms };
  return (
    await api.owner
      .insertInto('discount_plans')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

async function givePlan(
  ledger_id: string,
  protection_plan_id: string,
  starts_on: string,
  ends_on: string | null = null,
) {
  await addRows(api.owner, 'ledger_protection_plans', {
    ledger_id,
    protection_plan_id,
    starts_on,
    ends_on,
  });
}

async function markSent(ledgerId: string, sentAt: string): Promise<void> {
  await sql`UPDATE mails SET sent_at = ${sentAt} WHERE id IN (SELECT mail_id FROM rate_notices WHERE ledger_id = ${ledgerId})`.execute(
    api.owner,
  );
}

async function noticeMails(ledgerId: string) {
  const notices = await findRows(api.owner, 'rate_notices', 'mail_id', { ledger_id: ledgerId });
  const ids = notices.map(({ mail_id }) => mail_id);
  return (await readMails(api)).filter(({ id }) => ids.includes(id));
}
