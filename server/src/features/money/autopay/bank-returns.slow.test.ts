import { addDays } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { runBilling } from '#features/money/billing/billing.ts';
import { makePayment } from '#features/money/payments/payments.ts';
import { notifyOfPayments } from '#features/money/payments/notify.ts';
import { refundPayment } from '#features/money/payments/refunds.fixture.ts';
import { lookUpPending } from '#features/money/payments/resolve.ts';
import { settleReturn } from '#features/money/payments/returns.ts';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  makeUser,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { runAutopay } from './run.ts';

const PAID_ON = '2026-11-14';
const FEE = 2500;
const timeZone = 'America/Chicago';

let now = at(PAID_ON);
let made = 0;
const api = useTestApp('empty_template', { clock: { now: () => now } });
afterAll(() => expectSoundBooks(api.owner));

function at(date: string): Date {
  return new Date(`${date}T15:00:00Z`);
}

/** A tenant with two rentals that owe their rent, a saved account, and autopay of the first. */
async function makeRenter() {
  const name = `R${(made += 1)}`;
  const email = `${name}@example.com`;
  const facility_id = await makeFacility(api.owner, {
    location_code: name,
    time_zone: timeZone,
    return_fee_cents: FEE,
  });
  const tenantId = await makeTenant(api.owner, { facility_id, email });
  const userId = await makeUser(api.owner, {
    email,
    password: 'harbor gate 81',
    tenantIds: [tenantId],
  });
  const rental = (unit: string) =>
    makeLedger(api.owner, api.ctx.vault, {
      tenant_id: tenantId,
      unit: { facility_id, name: unit },
      moved_in_on: '2026-01-14',
      billed_through: '2026-11-13',
      paid_through: '2026-11-13',
    });
  const rentals = [await rental('A1'), await rental('A2')];
  const accountId = await makePaymentMethod(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    type: 'ach',
  });
  await makeAutopay(api.owner, rentals[0]!.ledgerId, accountId, now);
  await runBilling(api.ctx, { facilityId: facility_id, date: PAID_ON });
  return { facilityId: facility_id, tenantId, userId, rentals, accountId };
}
type Renter = Awaited<ReturnType<typeof makeRenter>>;

async function pay({ facilityId, tenantId, userId, rentals, accountId }: Renter, by: string) {
  if (by === 'autopay') return runAutopay(api.ctx, { facilityId, date: PAID_ON });
  const payments = rentals.map((rental) => ({ ...rental, amount: 200 }));
  const params = { payments, ach: { paymentMethodId: accountId } };
  return makePayment(api.ctx, { userId, tenantId, timeZone, idempotencyKey: undefined, params });
}

const balanceOf = async ({ tenantId }: Renter) => {
  const { rows } = await sql<{ cents: number }>`
    SELECT sum(balance_cents)::bigint AS cents FROM ledgers WHERE tenant_id = ${tenantId}`.execute(
    api.owner,
  );
  return rows[0]!.cents;
};
const debitsOf = ({ tenantId }: Renter) =>
  api.owner
    .selectFrom('payment_intents')
    .select(['id', 'state', 'amount_cents', 'return_code'])
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .execute();

async function takenBack({ tenantId }: Renter) {
  const { rows } = await sql`
    SELECT count(*) FILTER (WHERE r.reason = 'return')::int AS returns,
      count(*) FILTER (WHERE r.reason = 'refund')::int AS refunds, sum(b.amount_cents)::bigint AS cents,
      (SELECT count(*)::int FROM charges c JOIN ledgers l ON l.id = c.ledger_id
        WHERE l.tenant_id = ${tenantId} AND c.description = 'Returned payment fee') AS fees
    FROM payments p JOIN payment_intents i ON i.id = p.intent_id
      JOIN taken_back r ON r.payment_entry_id = p.entry_id JOIN entries b ON b.id = r.entry_id
    WHERE i.tenant_id = ${tenantId}`.execute(api.owner);
  return rows[0];
}

async function standingOf({ rentals, accountId }: Renter) {
  const { rows } = await sql`
    SELECT a.active, e.mandate_id IS NULL AS "isLive", m.refused_at IS NOT NULL AS "isRefused"
    FROM autopays a JOIN payment_methods m ON m.id = ${accountId}
      JOIN mandates d ON d.ledger_id = a.ledger_id LEFT JOIN mandate_ends e ON e.mandate_id = d.id
    WHERE a.ledger_id = ${rentals[0]!.ledgerId}`.execute(api.owner);
  return rows;
}

/** Answers how many cents. */
async function refundThird({ tenantId }: Renter): Promise<number> {
  const { entry_id, cents } = await api.owner
    .selectFrom('payments as p')
    .innerJoin('entries as e', 'e.id', 'p.entry_id')
    .innerJoin('ledgers as l', 'l.id', 'e.ledger_id')
    .select(['p.entry_id', 'e.amount_cents as cents'])
    .where('l.tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  const third = { paymentEntryId: entry_id, cents: Math.floor(-cents / 3), reason: 'Overcharged' };
  expect((await refundPayment(api.ctx, third)).outcome).toBe('succeeded');
  return third.cents;
}

/** Autopay runs for weeks, and each debit that it presents again comes back again. */
async function presentAgain(renter: Renter, code: string, from: string): Promise<void> {
  const [first] = await debitsOf(renter);
  for (let week = 1; week <= 5; week += 1) {
    const known = (await debitsOf(renter)).length;
    const date = addDays(from, week * 9);
    now = at(date);
    await runAutopay(api.ctx, { facilityId: renter.facilityId, date });
    now = at(addDays(date, 2));
    for (const { id, amount_cents } of (await debitsOf(renter)).slice(known)) {
      expect(amount_cents).toBeLessThanOrEqual(first!.amount_cents);
      await settleReturn(api.ctx, id, code);
    }
  }
}

/** After the first three the account may be charged again; two of them are presented again. */
const continuing = ['R01', 'R09', 'R11'];
const presentedAgain = ['R01', 'R09'];
const stopping = ['R02', 'R03', 'R04', 'R05', 'R07', 'R08', 'R10', 'R16', 'R20', 'R29'];
const cases = [2, 5, 59, 60].flatMap((day) =>
  [false, true].flatMap((isRefunded) =>
    ['its tenant', 'autopay'].map((by) => [day, isRefunded, by] as const),
  ),
);

describe.each([...continuing, ...stopping])(
  'a bank debit that comes back with %s (R15)',
  (code) => {
    test.each(cases)(
      'on day %i, after a refund: %s, paid by %s, is taken back once, and followed as its code says',
      async (day, isRefunded, by) => {
        now = at(PAID_ON);
        const renter = await makeRenter();
        const owed = await balanceOf(renter);
        await pay(renter, by);
        await notifyOfPayments(api.ctx);
        const [debit] = await debitsOf(renter);
        const returnedOn = addDays(PAID_ON, day);
        now = at(returnedOn);
        if (day > 2 || isRefunded) {
          await lookUpPending(api.ctx, debit!.id);
          expect(await debitsOf(renter)).toMatchObject([{ state: 'settled' }]);
        }
        const refunded = isRefunded ? await refundThird(renter) : 0;
        for (let times = 0; times < 2; times += 1) {
          await settleReturn(api.ctx, debit!.id, code);
          expect(await takenBack(renter)).toEqual({
            // The bank takes the whole: what was refunded of it is owed again, as a charge.
            returns: (by === 'autopay' ? 1 : 2) + (isRefunded ? 1 : 0),
            refunds: isRefunded ? 1 : 0,
            cents: debit!.amount_cents + refunded,
            fees: 1,
          });
          expect(await debitsOf(renter)).toMatchObject([{ state: 'returned', return_code: code }]);
          expect(await balanceOf(renter)).toBe(owed + refunded + FEE);
        }
        const goesOn = continuing.includes(code);
        expect(await standingOf(renter)).toEqual([
          { active: goesOn, isLive: goesOn, isRefused: !goesOn },
        ]);
        if (by !== 'autopay') return;
        await presentAgain(renter, code, returnedOn);
        // In its own amount or not at all: what was refunded is owed ten days later, by ourselves.
        const isPresented = presentedAgain.includes(code) && !isRefunded;
        expect(await debitsOf(renter)).toHaveLength(isPresented ? 3 : 1);
      },
    );
  },
);
