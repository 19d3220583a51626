import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { sendReminders } from '#features/rentals/reminders/send.ts';
import {
  gateDebtColumns,
  isSuspended,
  isSuspendedOn,
  payBy,
  type GateDebt,
} from '#features/service/gate-access/suspension.ts';
import { runFacilityDay } from '#jobs/facility-day.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { deleteFolders, faultsOf, importInto, NOW, rowsOf, type Files } from './import.fixture.ts';

let api: TestApp;
let now: Date;
beforeEach(async () => {
  now = NOW;
  api = await openTestApp('empty_template', { clock: { now: () => now } });
});
afterEach(() => api.close());
afterAll(deleteFolders);

const numbers = [1, 2, 3, 4, 5];
const lines = (of: (number: number) => string) => numbers.map((one) => `${of(one)}\n`).join('');

/**
 * Leases of which 1 to 3 owe their rent since 11/1, and 4 and 5 are paid; the rent of 3 is to rise,
 * and autopay charges that of 5.
 */
const behind: Files = {
  'corporation.csv': 'code,name\nANCHOR,Anchor & Axle\n',
  'facilities.csv':
    'facility,name,street1,city,region,postal_code,time_zone,late_fee,late_fee_after_days,sends_reminders\n' +
    'TXDFW03,Eagle Mountain,4100 Marina Drive,Fort Worth,TX,76135,America/Chicago,20,5,yes\n',
  'units.csv': `facility,unit,width_feet,length_feet,unit_type\n${lines((n) => `TXDFW03,A10${n},12,40,RV`)}`,
  'tenants.csv': `facility,tenant_id,first_name,last_name,email,street1,city,region,postal_code\n${lines(
    (n) => `TXDFW03,T${n},Dana,Reyes,dana${n}@example.com,18 Heron Lane,Azle,TX,76020`,
  )}`,
  'ledgers.csv': `facility,ledger_id,tenant_id,unit,moved_in_on,rental_rate,paid_through,balance,scheduled_rate,scheduled_rate_on\n${lines(
    (n) =>
      `TXDFW03,L${n},T${n},A10${n},2026-10-01,200,${n >= 4 ? '2026-11-20,0' : '2026-10-31,200'},${n === 3 ? '220,2027-02-01' : ','}`,
  )}`,
  'charges.csv': `facility,charge_id,ledger_id,category,description,due_on,period_end,price\n${[
    1, 2, 3,
  ]
    .map((n) => `TXDFW03,C${n},L${n},rent,Rent,2026-11-01,2026-11-30,200\n`)
    .join('')}`,
  'gateway-tokens.csv':
    'facility,payment_method_id,tenant_id,type,gateway_token,brand,last_four,expires_on\n' +
    'TXDFW03,M1,T5,creditCard,pm_1Nv0FGQ9RKHgCVdK,Visa,4242,04/2030\n',
  'autopay.csv':
    'facility,ledger_id,payment_method_id,agreed_on,consent_text\nTXDFW03,L5,M1,2026-10-01,"I authorize it"\n',
};

/** Runs a day of the facility as the server does, and answers what tenants felt of it. */
async function live(date: string) {
  const { id: facilityId } = await api.owner
    .selectFrom('facilities')
    .select('id')
    .executeTakeFirstOrThrow();
  now = new Date(`${date}T15:00:00Z`);
  await runFacilityDay(api.ctx, { facilityId, date });
  await sendReminders(api.ctx);
  const fees = await sql<{ count: number; cents: number }>`
    SELECT count(*)::int AS count, coalesce(sum(price_cents), 0)::int AS cents FROM charges
    WHERE description = 'Late fee'`.execute(api.owner);
  const gates = await sql<GateDebt & { isSuspended: boolean }>`
    SELECT ${gateDebtColumns(api.ctx, date)}, ${isSuspendedOn(api.ctx, date)} AS "isSuspended"
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    ORDER BY u.name`.execute(api.owner);
  for (const gate of gates.rows) expect(isSuspended(gate, date)).toBe(gate.isSuspended);
  const mails = await api.owner.selectFrom('mails').select('kind').execute();
  const notices = await api.owner.selectFrom('rate_notices').select('id').execute();
  const charges = await sql<{ count: number; cents: number }>`
    SELECT count(*)::int AS count, coalesce(sum(amount_cents), 0)::int AS cents FROM payment_intents
    WHERE initiator = 'autopay'`.execute(api.owner);
  return {
    lateFees: fees.rows[0]!.count,
    lateFeesSum: fees.rows[0]!.cents / 100,
    autopayCharges: charges.rows[0]!.count,
    autopaySum: charges.rows[0]!.cents / 100,
    suspensions: gates.rows.filter((gate) => gate.isSuspended).length,
    reminders: mails.filter(({ kind }) => kind === 'reminder').length,
    rateNotices: notices.length,
    payBy: payBy(gates.rows[0]!, date)?.date ?? null,
  };
}

test('a dry run says what the first day will do to tenants who are behind, and it does that', async () => {
  const before = await rowsOf(api.owner);
  const dry = await importInto(api, behind, true);
  expect(faultsOf(dry)).toEqual([]);
  // The rents of A104 and A105 are due on this day, and close their gates.
  const autopay = { autopayCharges: 1, autopaySum: 200 };
  const felt = {
    ...autopay,
    lateFees: 3,
    lateFeesSum: 60,
    suspensions: 5,
    reminders: 1,
    rateNotices: 1,
  };
  expect(dry.firstDays).toEqual([{ facility: 'TXDFW03', bills: 2, billed: 400, ...felt }]);
  expect(await rowsOf(api.owner)).toEqual(before);
  expect((await importInto(api, behind)).firstDays).toEqual([]);
  expect(await live('2026-11-21')).toMatchObject(felt);
  // What is here already is not said of another import.
  const again = await importInto(api, { 'facilities.csv': behind['facilities.csv']! }, true);
  expect(again.firstDays).toEqual([
    expect.objectContaining({ lateFees: 0, suspensions: 0, rateNotices: 0 }),
  ]);
});

test('nothing is done because imported rentals are late before the day that the import names', async () => {
  const none = { lateFees: 0, lateFeesSum: 0, suspensions: 0, reminders: 0, rateNotices: 0 };
  const dry = await importInto(api, behind, true, '2026-12-15');
  expect(dry.firstDays).toMatchObject([{ bills: 2, billed: 400, ...none }]);
  await importInto(api, behind, false, '2026-12-15');
  for (const day of ['2026-11-21', '2026-12-14'])
    expect(await live(day)).toMatchObject({ ...none, payBy: '2026-12-14' });
  // For the rents of 11/1 and those of A104 and A105; those of 12/1 were billed on 12/14.
  expect(await live('2026-12-15')).toMatchObject({
    lateFees: 5,
    suspensions: 5,
    rateNotices: 1,
    payBy: null,
  });
});

test('a rise whose notice would wait for that day for too long is a fault', async () => {
  const result = await importInto(api, behind, true, '2027-01-05');
  expect(faultsOf(result)).toEqual([
    'ledgers.csv, line 4, scheduled_rate_on: is 2027-02-01, and a rate change needs a day at least 30 days ahead of 2027-01-05 for its notice.',
  ]);
});

test('months that are paid ahead keep their rent, and other taxes on them are said', async () => {
  const { 'autopay.csv': _, 'gateway-tokens.csv': __, ...others } = behind;
  const paid: Files = {
    ...others,
    'ledgers.csv': `facility,ledger_id,tenant_id,unit,moved_in_on,rental_rate,paid_through,balance\nTXDFW03,L1,T1,A101,2026-10-01,200,2026-11-30,-400\n`,
    'charges.csv':
      'facility,charge_id,ledger_id,category,description,due_on,period_end,price\nTXDFW03,C1,L1,rent,Rent,2026-11-01,2026-11-30,200\n',
    'payments.csv':
      'facility,payment_id,ledger_id,kind,amount,paid_on,description\nTXDFW03,P1,L1,payment,600,2026-11-01,Cash\n',
  };
  expect(faultsOf(await importInto(api, paid))).toEqual([]);
  const rising = (on: string) => ({
    'ledgers.csv': `facility,ledger_id,tenant_id,unit,moved_in_on,rental_rate,paid_through,balance,scheduled_rate,scheduled_rate_on\nTXDFW03,L1,T1,A101,2026-10-01,200,2026-11-30,-400,220,${on}\n`,
  });
  expect(faultsOf(await importInto(api, rising('2027-01-01'), true))).toEqual([
    'ledgers.csv, line 2, scheduled_rate_on: is 2027-01-01, and the months through 2027-01-31 are paid ahead and keep their rent: give 2027-02-01 or later.',
  ]);
  expect(faultsOf(await importInto(api, rising('2027-02-01'), true))).toEqual([]);
  await api.owner.updateTable('ledgers').set({ is_taxed: true }).execute();
  const taxed = behind['facilities.csv']!.replace('sends_reminders', 'rent_tax1').replace(
    'yes',
    '5',
  );
  expect((await importInto(api, { 'facilities.csv': taxed }, true)).prepaidRises).toEqual([
    'TXDFW03: Unit A101 is paid ahead through 1/31/2027: $20.00 more will be owed for that.',
  ]);
});
