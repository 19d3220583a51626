import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import {
  deposits,
  lateLedgers,
  type Deposits,
  type LateLedgers,
} from '@gatehouse/contract/reports';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSandboxGateway } from '#adapters/payments/sandbox-gateway.ts';
import { openSandboxDashboard } from '#adapters/payments/sandbox-dashboard.fixture.ts';
import { applyDispute } from '#features/money/payments/disputes.ts';
import { applyRefund } from '#features/money/payments/gateway-refunds.ts';
import { reconcileToday } from '#features/money/reconciliation/reconciliation.ts';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  postCharges,
  postPastPayments,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { cliOf, words } from '#test/cli.ts';
import { findRows } from '#test/rows.ts';

const zone = 'America/Chicago';
const api = useTestApp('empty_template');
let facilityId: string;
let tenantId: string;
let today: string;

beforeAll(async () => {
  facilityId = await makeFacility(api.owner, { time_zone: zone });
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  const elsewhere = await makeFacility(api.owner, { location_code: 'AZPHX01' });
  const lee = await makeTenant(api.owner, { facility_id: elsewhere, first_name: 'Lee' });
  today = calendarDateIn(zone, api.ctx.clock.now());
  const own = (name: string) => ({ tenant_id: tenantId, unit: { facility_id: facilityId, name } });
  const rented = await Promise.all(
    ['RENT', 'FEE', 'PAID'].map((name) => makeLedger(api.owner, api.ctx.vault, own(name))),
  );
  const [rent, fee, paid] = rented.map(({ ledgerId }) => ledgerId);
  const other = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: lee,
    unit: { facility_id: elsewhere, name: 'LEE' },
  });
  const feeOf = (priceCents: number) => ({
    category: 'fee' as const,
    description: 'Cleaning',
    dueOn: addDays(today, -3),
    priceCents,
  });
  const dueOn = addDays(today, -20);
  const month = {
    category: 'rent' as const,
    description: 'Rent',
    dueOn,
    periodEnd: addDays(today, 9),
  };
  await postCharges(api.owner, rent!, [{ ...month, priceCents: 20_050 }]);
  await postCharges(api.owner, fee!, [feeOf(1500)]);
  const [cleaning] = await postCharges(api.owner, paid!, [feeOf(1000)]);
  await postCharges(api.owner, other.ledgerId, [feeOf(500)]);
  await postPastPayments(api.owner, [
    { tenantId, ledgerId: paid!, paidOn: today, charges: [{ id: cleaning!, cents: 1000 }] },
  ]);
  await makeAutopay(
    api.owner,
    rent!,
    await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: tenantId }),
    api.ctx.clock.now(),
  );
  const payments = cliOf(api, 'payments');
  const record = (...args: string[]) => payments('record', ...args, '--json');
  await record('--ledger', rent!, fee!, '--type', 'cash', '--amount', '0.50');
  const check = await record(...words`--ledger ${fee!} --type check --number 7 --amount 10`);
  const { receiptNumber } = JSON.parse(check) as { receiptNumber: string };
  await payments('reverse', '--receipt-number', receiptNumber, '--reason', 'nsf');
  await record(...words`--ledger ${other.ledgerId} --type moneyOrder --number 9 --amount 2.25`);
  const credits = cliOf(api, 'credits');
  await credits(...words`add --ledger ${fee!} --amount 1 --description Goodwill`);
});

describe('ledgers late', () => {
  const cli = cliOf(api, 'ledgers');
  const late = async (...more: string[]) => {
    const answer = JSON.parse(await cli('late', ...more, '--json')) as LateLedgers;
    expect(lateLedgers.parse(answer)).toEqual(answer);
    return answer;
  };

  test('is in the audit trail with how many', async () => {
    const { count } = await late('--by', 'Ana');
    const noted = await findRows(api.owner, 'audit_events', 'details', { kind: 'staff_action' });
    expect(noted.map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ by: 'Ana', shows: 'ledgers late', rows: String(count) }),
    );
  });

  test('says who owes how long, the longest first, with sums to the cent', async () => {
    const { ledgers, count, balance } = await late();
    expect(ledgers).toMatchObject([
      {
        unitName: 'RENT',
        balance: 200,
        daysPastDue: 20,
        autopay: 'on',
        firstName: 'Dana',
        phone: '8175550142',
      },
      {
        unitName: 'LEE',
        balance: 2.75,
        daysPastDue: 0,
        owedSince: addDays(today, -3),
        autopay: 'off',
      },
      { unitName: 'FEE', balance: 14, daysPastDue: 0 },
    ]);
    expect([count, balance]).toEqual([3, 216.75]);
  });

  test('says those of one facility or of so many days alone', async () => {
    expect((await late('--days', '20')).ledgers.map(({ unitName }) => unitName)).toEqual(['RENT']);
    expect((await late('--days', '21')).count).toBe(0);
    expect((await late('--facility', 'AZPHX01')).ledgers.map(({ unitName }) => unitName)).toEqual([
      'LEE',
    ]);
    await expect(cli('late', '--days', 'two')).rejects.toThrow('It must be a whole number.');
  });
});

describe('deposits', () => {
  const cli = cliOf(api, 'deposits');
  const of = async (...more: string[]) => {
    const answer = JSON.parse(await cli('show', '--on', today, ...more, '--json')) as Deposits;
    expect(deposits.parse(answer)).toEqual(answer);
    return answer;
  };

  test('says a day’s takings by facility, type and who took them, and what was taken back apart', async () => {
    expect(await of()).toEqual({
      on: today,
      facilities: [
        {
          locationCode: 'AZPHX01',
          takings: [{ type: 'moneyOrder', via: 'counter', payout: null, count: 1, amount: 2.25 }],
          takenBack: [],
          taken: 2.25,
          back: 0,
        },
        {
          locationCode: 'TXDFW03',
          takings: [
            { type: 'cash', via: 'counter', payout: null, count: 1, amount: 0.5 },
            { type: 'check', via: 'counter', payout: null, count: 1, amount: 10 },
            { type: 'creditCard', via: 'gateway', payout: null, count: 1, amount: 10 },
          ],
          takenBack: [{ type: 'check', reason: 'nsf', count: 1, amount: 10 }],
          taken: 20.5,
          back: 10,
        },
      ],
      taken: 22.75,
      back: 10,
    });
    expect((await of('--facility', 'AZPHX01')).facilities).toHaveLength(1);
  });

  test('says the gateway’s takings by its payout, from the daily comparison on, with the same sums', async () => {
    const before = await of();
    const later = new Date(api.ctx.clock.now().getTime() + 6 * 86_400_000);
    const clock = { now: () => later };
    const gateway = createSandboxGateway(api.ctx.db, clock, api.ctx.config.secret);
    for (let run = 0; run < 2; run++) await reconcileToday({ ...api.ctx, clock, gateway });
    const after = await of();
    // The sandbox goes by the days of UTC; the payment is of noon UTC.
    const payout = {
      payoutId: `sandbox_po_${addDays(today, 2)}`,
      arrivesOn: addDays(today, 2),
      standing: 'paid',
    };
    const own = ({ facilities }: Deposits) =>
      facilities.find(({ locationCode }) => locationCode === 'TXDFW03')!.takings;
    expect(own(after)).toEqual(
      own(before).map((row) => (row.via === 'gateway' ? { ...row, payout } : row)),
    );
    expect([after.taken, after.back]).toEqual([before.taken, before.back]);
  });

  test('equals the entries of the day to the cent', async () => {
    const rows = await api.sql<{ kind: string; cents: number }>`
      SELECT kind, sum(amount_cents)::bigint AS cents FROM entries WHERE posted_on = ${today} GROUP BY kind`;
    const cents = (kind: string) => rows.find((row) => row.kind === kind)?.cents;
    const { taken, back } = await of();
    expect([taken, back]).toEqual([-cents('payment')! / 100, cents('reversal')! / 100]);
  });

  test('says what came and went by how it did: a refund in cash as cash, a dispute that was won, and nothing moved', async () => {
    const facility_id = await makeFacility(api.owner, {
      location_code: 'FLORL01',
      time_zone: zone,
    });
    const tenant_id = await makeTenant(api.owner, { facility_id });
    const rental = async (priceCents: number) => {
      const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
        tenant_id,
        unit: { facility_id, name: `D${priceCents}` },
      });
      const fee = { category: 'fee' as const, description: 'Cleaning', dueOn: today, priceCents };
      const [id] = await postCharges(api.owner, ledgerId, [fee]);
      return { ledgerId, charges: [{ id: id!, cents: priceCents }] };
    };
    const paidByCard = async (priceCents: number) => {
      const { ledgerId, charges } = await rental(priceCents);
      await postPastPayments(api.owner, [
        { tenantId: tenant_id, ledgerId, paidOn: today, charges },
      ]);
      return api.owner
        .selectFrom('payment_intents as i')
        .innerJoin('payments as p', 'p.intent_id', 'i.id')
        .select(['i.id', 'i.receipt_number'])
        .where('p.ledger_id', '=', ledgerId)
        .executeTakeFirstOrThrow();
    };
    const payments = cliOf(api, 'payments');
    const dashboard = openSandboxDashboard(api.owner);
    const where = { customer: null, since: new Date(0) };
    const hear = async (chargeReference: string) => {
      for await (const one of api.ctx.gateway.listDisputes({ chargeReference, where }))
        await applyDispute(api.ctx, one);
      for await (const one of api.ctx.gateway.listRefunds({ chargeReference, where }))
        await applyRefund(api.ctx, one);
    };

    const refunded = await paidByCard(10_000);
    await payments(
      ...words`refund --receipt-number ${refunded.receipt_number!} --way cash --amount 20`,
    );
    const disputed = await paidByCard(5000);
    const dispute = await dashboard.dispute(disputed.id, 5000);
    await hear(disputed.id);
    await dashboard.decide(dispute, 'won');
    await hear(disputed.id);
    await dashboard.refund(disputed.id, 3000);
    await hear(disputed.id);
    const [prepaid, other] = [await rental(2500), await rental(2000)];
    const cash = await payments(
      ...words`record --ledger ${prepaid.ledgerId} --type cash --amount 40 --prepaid --json`,
    );
    const credits = cliOf(api, 'credits');
    await credits(
      ...words`move --from-ledger ${prepaid.ledgerId} --to-ledger ${other.ledgerId} --amount 10`,
    );
    const { receiptNumber } = JSON.parse(cash) as { receiptNumber: string };
    await payments(
      ...words`refund --receipt-number ${receiptNumber} --way check --number 2001 --amount 5`,
    );

    const { facilities } = await of('--facility', 'FLORL01');
    const taking = { payout: null };
    expect(facilities).toEqual([
      {
        locationCode: 'FLORL01',
        takings: [
          { ...taking, type: 'cash', via: 'counter', count: 1, amount: 40 },
          { ...taking, type: 'creditCard', via: 'dispute', count: 1, amount: 50 },
          { ...taking, type: 'creditCard', via: 'gateway', count: 2, amount: 150 },
        ],
        takenBack: [
          { type: 'cash', reason: 'refund', count: 1, amount: 20 },
          { type: 'check', reason: 'refund', count: 1, amount: 5 },
          { type: 'creditCard', reason: 'chargeback', count: 1, amount: 50 },
          { type: 'creditCard', reason: 'refund', count: 1, amount: 30 },
        ],
        taken: 240,
        back: 105,
      },
    ]);
  });

  test('of a day without any is empty, and a day that does not exist is refused', async () => {
    const nothing = { on: '2020-01-01', facilities: [], taken: 0, back: 0 };
    expect(JSON.parse(await cli('show', '--on', nothing.on, '--json'))).toEqual(nothing);
    await expect(cli('show', '--on', '2026-02-30')).rejects.toThrow(
      'It must be a day such as 2026-12-01.',
    );
  });
});
