import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { openSandboxDashboard } from '#adapters/payments/sandbox-dashboard.fixture.ts';
import type { Dashboard } from '#adapters/payments/gateway.contract.ts';
import { addChargeTo, waiveChargeOf } from '#features/money/counter/charges.ts';
import { addCreditTo, moveCreditTo } from '#features/money/counter/credits.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { refundPaymentOf } from '#features/money/payments/refund-payment.ts';
import { reversePaymentOf } from '#features/money/counter/reverse-payment.ts';
import { applyDispute } from '#features/money/payments/disputes.ts';
import { yearStatementPaper, type YearOfPayments } from '#papers/year-statement.ts';
import { makeFacility, makeLedger } from '#seeds/builders.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { card } from '#test/card.ts';
import { makePerson } from '#test/people.ts';
import { fromNow } from '#test/test-day.ts';
import { findYear } from './year-data.ts';
import { getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

const DAY = 24 * 60 * 60_000;
/** From the test day to December 28. */
const LAST_DAYS = 33 * DAY;

const clock = { now: () => fromNow(aheadMs) };
const api = useTestApp('empty_template', { clock });
let facilityId: string;
let dashboard: Dashboard;
let aheadMs = 0;

beforeAll(async () => {
  dashboard = openSandboxDashboard(api.owner, () => clock.now());
  facilityId = await makeFacility(api.owner, {});
});
beforeEach(() => {
  aheadMs = LAST_DAYS;
});

const today = () => calendarDateIn('America/Chicago', api.ctx.clock.now());

let count = 0;
/** A tenant record with two rentals, its user signed in. */
async function newRecord() {
  const email = `year${(count += 1)}@example.com`;
  const tenantId = await makePerson(api, facilityId, email);
  const rental = (name: string) =>
    makeLedger(api.owner, api.ctx.vault, {
      tenant_id: tenantId,
      unit: { facility_id: facilityId, name },
    });
  const [one, other] = [await rental(`Y${count}A`), await rental(`Y${count}B`)];
  return { tenantId, units: [one, other] as const, email };
}

type Unit = { ledgerId: string; unitId: string };

async function charge({ ledgerId }: Unit, dollars: number, category = 'service') {
  const body = { ledgerId, category, description: 'Battery', amount: dollars };
  return (await addChargeTo(api.ctx, staffCall(), body)).chargeId;
}

async function payByCheck({ ledgerId }: Unit, dollars: number, rest = {}): Promise<string> {
  const reply = await recordPaymentFor(api.ctx, staffCall(), {
    ledgerIds: [ledgerId],
    type: 'check',
    number: '7',
    amount: dollars,
    isPrepaid: true,
    ...rest,
  });
  return reply.receiptNumber!;
}

/** Answers the intent. */
async function payByCard(email: string, unit: Unit, dollars: number): Promise<string> {
  const session = await signIn(api, email);
  const path = `${session.prefix}/tenants/${session.tenantIds[0]}/payments`;
  const { status, body } = await api.call('POST', path, {
    token: session.token,
    body: {
      payments: [{ ledgerId: unit.ledgerId, unitId: unit.unitId, amount: dollars }],
      creditCard: card,
    },
    headers: { 'idempotency-key': randomUUID() },
  });
  expect([status, body.message]).toEqual([200, undefined]);
  const { id } = await getRow(api.owner, 'payment_intents', 'id', {
    receipt_number: body.receiptNumber,
  });
  return id;
}

async function hear(intentId: string): Promise<void> {
  const which = { chargeReference: intentId, where: { customer: null, since: new Date(0) } };
  for await (const dispute of api.ctx.gateway.listDisputes(which))
    await applyDispute(api.ctx, dispute);
}

async function yearOf(tenantId: string, year: string): Promise<YearOfPayments | null> {
  return findYear(api.owner, year, { tenantId, today: today(), now: api.ctx.clock.now() });
}

/** The rows of what was paid for, as the paper has them. */
async function partsOf(tenantId: string, year: string): Promise<[string, number][]> {
  const { blocks } = yearStatementPaper((await yearOf(tenantId, year))!);
  const rows = blocks.flatMap((block) => (block.kind === 'rows' ? [block.rows] : []))[0]!;
  return rows.map(({ cells: [name, sum] }) => [name as string, (sum as { cents: number }).cents]);
}

// spec 10.12
test('a credit that was moved is followed to what it paid', async () => {
  const {
    tenantId,
    units: [one, other],
  } = await newRecord();
  await charge(one, 100);
  await payByCheck(one, 300);
  await charge(other, 200, 'insurance');
  await moveCreditTo(api.ctx, staffCall(), {
    fromLedgerId: one.ledgerId,
    toLedgerId: other.ledgerId,
    amount: 200,
  });
  expect(await partsOf(tenantId, '2026')).toEqual([
    ['Protection plans', 20_000],
    ['Services', 10_000],
    ['In all', 30_000],
  ]);
});

// spec 10.12
test('a won dispute counts as paid again, and says so', async () => {
  const {
    tenantId,
    units: [one],
    email,
  } = await newRecord();
  await charge(one, 200);
  const intentId = await payByCard(email, one, 200);
  const dispute = await dashboard.dispute(intentId, 20_000);
  await hear(intentId);
  await dashboard.decide(dispute, 'won');
  await hear(intentId);
  expect(await partsOf(tenantId, '2026')).toEqual([
    ['Services', 20_000],
    ['In all', 20_000],
  ]);
  const { lines } = (await yearOf(tenantId, '2026'))!;
  expect(lines.map(({ description, cents }) => [description, cents])).toEqual([
    ['Visa ending in 4242', 20_000],
    ['Disputed with the card issuer', -20_000],
    ['Card dispute won', 20_000],
  ]);
});

// spec 10.12
test('a year that is over stays as it is: what a credit of it pays later is in the later year', async () => {
  const {
    tenantId,
    units: [one],
  } = await newRecord();
  await payByCheck(one, 200);
  const battery = await charge(one, 50);
  const before = await partsOf(tenantId, '2026');
  expect(before).toEqual([
    ['Services', 5000],
    ['Not used for a charge in 2026', 15_000],
    ['In all', 20_000],
  ]);
  aheadMs += 10 * DAY;
  await waiveChargeOf(api.ctx, staffCall(), { chargeId: battery });
  await charge(one, 120, 'insurance');
  await payByCheck(one, 10);
  expect(await partsOf(tenantId, '2026')).toEqual(before);
  expect(await partsOf(tenantId, '2027')).toEqual([
    ['Protection plans', 12_000],
    ['Services', -5000],
    ['Not used for a charge in 2027', 9000],
    ['Less what was not used before 2027', -15_000],
    ['In all', 1000],
  ]);
});

// spec 10.12
test('a payment that came in the last days of a year is in it, and the paper says how long that can be', async () => {
  const {
    tenantId,
    units: [one],
  } = await newRecord();
  await payByCheck(one, 100);
  aheadMs += 6 * DAY;
  const notices = async () => {
    const { blocks } = yearStatementPaper((await yearOf(tenantId, '2026'))!);
    return blocks.flatMap((block) => (block.kind === 'notice' ? [block.text] : []));
  };
  await payByCheck(one, 50, { on: '2026-12-31' });
  expect(await partsOf(tenantId, '2026')).toEqual([
    ['Not used for a charge in 2026', 15_000],
    ['In all', 15_000],
  ]);
  expect(await notices()).toEqual([
    'A payment that came in 2026 can still be recorded until 1/7/2027.',
  ]);
  aheadMs += 5 * DAY;
  expect(await notices()).toEqual([]);
});

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'charge',
      'check',
      'card',
      'move',
      'waive',
      'goodwill',
      'refund',
      'bounce',
      'dispute',
      'win',
    ),
    unit: fc.nat(1),
    dollars: fc.integer({ min: 1, max: 300 }),
    days: fc.nat(2),
  }),
  { minLength: 6, maxLength: 14 },
);

// spec 10.12
test('its parts come to its whole and one year goes on where the other ends, whatever was posted', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (todo) => {
      aheadMs = LAST_DAYS;
      const record = await newRecord();
      const { tenantId, units, email } = record;
      const charges: string[] = [];
      const checks: string[] = [];
      const cards: string[] = [];
      const disputes: { intentId: string; id: string }[] = [];
      const isRefused = (error: Error & { status?: number }) => {
        if (error.name !== 'Refusal' && error.status === undefined) throw error;
      };
      let closed: unknown = null;
      for (const { kind, unit, dollars, days } of todo) {
        aheadMs += days * DAY;
        if (closed === null && today() > '2026-12-31') closed = await moneyOf(tenantId, '2026');
        const own = units[unit]!;
        const last = checks.at(-1);
        if (kind === 'charge') charges.push(await charge(own, dollars));
        if (kind === 'check') checks.push(await payByCheck(own, dollars));
        if (kind === 'card') {
          charges.push(await charge(own, dollars));
          const { balance_cents } = await getRow(api.owner, 'ledgers', 'balance_cents', {
            id: own.ledgerId,
          });
          if (balance_cents > 0) cards.push(await payByCard(email, own, balance_cents / 100));
        }
        if (kind === 'move')
          await moveCreditTo(api.ctx, staffCall(), {
            fromLedgerId: own.ledgerId,
            toLedgerId: units[1 - unit]!.ledgerId,
            amount: dollars,
          }).catch(isRefused);
        if (kind === 'waive' && charges.length > 0)
          await waiveChargeOf(api.ctx, staffCall(), {
            chargeId: charges[dollars % charges.length],
          }).catch(isRefused);
        if (kind === 'goodwill')
          await addCreditTo(api.ctx, staffCall(), {
            ledgerId: own.ledgerId,
            amount: dollars,
            description: 'Goodwill',
          });
        if (kind === 'refund' && last !== undefined)
          await refundPaymentOf(api.ctx, staffCall(), {
            receiptNumber: last,
            way: 'cash',
            amount: dollars,
          }).catch(isRefused);
        if (kind === 'bounce' && last !== undefined)
          await reversePaymentOf(api.ctx, staffCall(), {
            receiptNumber: last,
            reason: 'nsf',
          }).catch(isRefused);
        const intentId = cards.shift();
        if (kind === 'dispute' && intentId !== undefined) {
          disputes.push({ intentId, id: await dashboard.dispute(intentId, dollars * 100) });
          await hear(intentId);
        } else if (intentId !== undefined) cards.unshift(intentId);
        const open = kind === 'win' ? disputes.shift() : undefined;
        if (open !== undefined) {
          await dashboard.decide(open.id, 'won');
          await hear(open.intentId);
        }
      }
      const first = await moneyOf(tenantId, '2026');
      if (closed !== null) expect(first).toEqual(closed);
      // A year without a payment has no paper.
      const papers = [first, await moneyOf(tenantId, '2027')].filter((one) => one !== null);
      for (const { total, paidFor, before, left } of papers) {
        expect(paidFor + left - before).toBe(total);
        expect(Math.min(left, before)).toBeGreaterThanOrEqual(0);
      }
      if (papers.length === 2) expect(papers[1]!.before).toBe(papers[0]!.left);
      // Goodwill is none of what was paid, and has no mark once it was moved.
      const isAllPaid = !todo.some(({ kind }) => kind === 'goodwill');
      if (isAllPaid && (papers.length === 2 || (papers.length === 1 && today() <= '2026-12-31')))
        expect(papers.at(-1)!.left).toBe(await openOf(tenantId));
    }),
    { numRuns: 10 },
  );
});

/** A year's sums, in cents; null where it has no paper. */
async function moneyOf(tenantId: string, year: string) {
  const found = await yearOf(tenantId, year);
  if (found === null) return null;
  const sum = (some: { cents: number }[]) => some.reduce((all, { cents }) => all + cents, 0);
  const { lines, paidFor, beforeCents: before, leftCents: left } = found;
  return { total: sum(lines), paidFor: sum(paidFor), before, left };
}

/** What settles nothing yet. */
async function openOf(tenantId: string): Promise<number> {
  const rows = await api.sql<{ cents: number }>`
    SELECT coalesce(sum(o.left_cents), 0)::bigint AS cents
    FROM open_credits o JOIN ledgers l ON l.id = o.ledger_id WHERE l.tenant_id = ${tenantId}`;
  return rows[0]!.cents;
}
