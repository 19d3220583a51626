import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runBilling } from '#features/money/billing/billing.ts';
import { sendRateNotices } from '#features/money/billing/rate-notices.ts';
import { moveInOf } from '#features/rentals/rentals/move-in.ts';
import { moveOutOf } from '#features/rentals/rentals/move-out.ts';
import { changeRateOf } from '#features/rentals/rentals/rate.ts';
import { changeEmailOf } from '#features/rentals/tenants/staff-records.ts';
import { makeUser } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { openTestApp, signIn, type TestApp } from '#test/app.ts';
import { getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';
import {
  deleteFolders,
  exported,
  faultsOf,
  importInto,
  NOW,
  rowsOf,
  sound,
} from './import.fixture.ts';

let api: TestApp;
beforeEach(async () => {
  api = await openTestApp('empty_template', { clock: { now: () => NOW } });
});
afterEach(() => api.close());
afterAll(deleteFolders);

const HEADER =
  'facility,ledger_id,tenant_id,unit,moved_in_on,rental_rate,paid_through,balance,scheduled_rate,scheduled_rate_on\n';
/** The row of the rental L2, whose next period begins on 2026-11-30. */
const rowOf = (rate: string, scheduled = ',', balance = '0') =>
  `TXDFW03,L2,T2,B207,2025-01-31,${rate},2026-11-29,${balance},${scheduled}\n`;
const files = (...rows: string[]) => ({ 'ledgers.csv': HEADER + rows.join('') });

/** What the rental L2 is billed by. */
async function termsOf() {
  return api.owner
    .selectFrom('ledgers')
    .select([
      'rental_rate_cents as rate',
      'scheduled_rate_cents as toCents',
      'scheduled_rate_on as on',
      'rate_since as since',
      'version',
    ])
    .where('moved_in_on', '=', '2025-01-31')
    .executeTakeFirstOrThrow();
}

/**
 * Bills the first period of the scheduled rate of L2, with its notice mailed on the day of the
 * import.
 */
async function applyChange(): Promise<void> {
  const { id: facilityId } = await api.owner
    .selectFrom('facilities')
    .select('id')
    .executeTakeFirstOrThrow();
  expect(await sendRateNotices(api.ctx, { facilityId, date: '2026-11-21' })).toBe(1);
  await sql`UPDATE mails SET sent_at = ${NOW}`.execute(api.owner);
  expect(await runBilling(api.ctx, { facilityId, date: '2026-12-31' })).toMatchObject({
    parked: 0,
  });
  expect(await termsOf()).toMatchObject({
    rate: 19_000,
    toCents: null,
    on: null,
    since: '2026-12-31',
  });
}

describe('the rent of a rental that is here already', () => {
  test('stays as it is here where the same file comes again after a rate change took effect', async () => {
    const kept = ['corporation.csv', 'facilities.csv', 'units.csv', 'tenants.csv'];
    const world = Object.fromEntries(kept.map((name) => [name, sound[name]!]));
    const first = { ...world, ...files(rowOf('168', '190,2026-12-30')) };
    expect(faultsOf(await importInto(api, first))).toEqual([]);
    const folder = await exported(api);
    await applyChange();
    const before = await rowsOf(api.owner);
    expect(faultsOf(await importInto(api, first))).toEqual([]);
    expect(await rowsOf(api.owner)).toEqual(before);
    // So does what was exported before, though no file was ever taken over here.
    await sql`DELETE FROM imported_ledgers`.execute(api.owner);
    await importInto(api, folder);
    expect(await termsOf()).toMatchObject({ rate: 19_000, toCents: null, on: null });
  });

  test('does not rise at once, and says how it does', async () => {
    await importInto(api, sound);
    const result = await importInto(api, files(rowOf('180')));
    expect(faultsOf(result)).toEqual([
      'ledgers.csv, line 2, rental_rate: is 180.00, above the 168.00 that is charged here: a rise needs its notice, so give it ' +
        'as scheduled_rate, and as scheduled_rate_on a day at least 30 days ahead.',
    ]);
    expect(await termsOf()).toMatchObject({ rate: 16_800 });
  });

  test('falls at once, is scheduled in time to notify the tenant, and raises the version', async () => {
    await importInto(api, sound);
    const { version } = await termsOf();
    await sql`INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
      SELECT id, '2026-10-31', '2026-11-29', 16800, ${NOW} FROM ledgers WHERE moved_in_on = '2025-01-31'`.execute(
      api.owner,
    );
    expect(faultsOf(await importInto(api, files(rowOf('150', '190,2026-12-20'))))).toEqual([
      'ledgers.csv, line 2, scheduled_rate_on: is 2026-12-20, and a rate change needs a day at least 30 days ahead for its notice.',
    ]);
    expect(faultsOf(await importInto(api, files(rowOf('150', '190,2026-12-21'))))).toEqual([]);
    expect(await termsOf()).toEqual({
      rate: 15_000,
      toCents: 19_000,
      on: '2026-12-21',
      since: '2026-11-30',
      version: version + 1,
    });
  });

  test('keeps the change that staff scheduled where no file ever said its rent', async () => {
    await importInto(api, {
      ...sound,
      'units.csv': `${sound['units.csv']}TXDFW03,C301,12,30,Boat\n`,
    });
    const { id: tenantId } = await api.owner
      .selectFrom('tenants')
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const { ledgers } = await moveInOf(api.ctx, staffCall(), {
      tenantId,
      unit: 'C301',
      on: '2026-11-21',
      rate: 168,
    });
    const { ledgerId } = ledgers[0]!;
    const scheduleAfterExport = async (amount: number, on: string) => {
      const folder = await exported(api);
      await changeRateOf(api.ctx, staffCall(), { ledgerId, amount, on });
      return folder;
    };
    const changedBy = async (folder: string) => {
      const result = await importInto(api, folder, true);
      expect(faultsOf(result)).toEqual([]);
      return result.files.find(({ file }) => file === 'ledgers.csv')!.changed;
    };
    expect(await changedBy(await scheduleAfterExport(190, '2026-12-21'))).toBe(0);
    const { id: facilityId } = await api.owner
      .selectFrom('facilities')
      .select('id')
      .executeTakeFirstOrThrow();
    await sql`UPDATE mails SET sent_at = ${NOW}`.execute(api.owner);
    expect(await runBilling(api.ctx, { facilityId, date: '2026-12-21' })).toMatchObject({
      parked: 0,
    });
    expect(await changedBy(await scheduleAfterExport(210, '2027-01-21'))).toBe(0);
  });
});

describe('the move-out of a rental that is here already', () => {
  const header =
    'facility,ledger_id,tenant_id,unit,moved_in_on,moved_out_on,rental_rate,paid_through,balance\n';
  /** Takes over a file with this day of L2 and answers the faults. */
  const bring = async (movedOutOn: string, ...others: string[]) => {
    const row = `TXDFW03,L2,T2,B207,2025-01-31,${movedOutOn},168,2026-11-29,0\n`;
    return faultsOf(await importInto(api, { 'ledgers.csv': header + row + others.join('') }));
  };
  const endOf = async () =>
    api.owner
      .selectFrom('ledgers')
      .select(['id', 'moved_out_on as on', 'version'])
      .where('moved_in_on', '=', '2025-01-31')
      .executeTakeFirstOrThrow();
  const byStaff = async (asked: { on: string } | { cancel: true }) =>
    moveOutOf(api.ctx, staffCall(), { ledgerId: (await endOf()).id, ...asked });

  test('raises the version', async () => {
    await importInto(api, sound);
    const { version } = await endOf();
    expect(await bring('2026-12-31')).toEqual([]);
    expect(await endOf()).toMatchObject({ on: '2026-12-31', version: version + 1 });
  });

  test('stays cancelled where the file that said its day comes again', async () => {
    await importInto(api, sound);
    await bring('2026-12-31');
    await byStaff({ cancel: true });
    const before = await rowsOf(api.owner);
    expect(await bring('2026-12-31')).toEqual([]);
    expect(await rowsOf(api.owner)).toEqual(before);
    expect(await bring('2026-12-30')).toEqual([]);
    expect(await endOf()).toMatchObject({ on: '2026-12-30' });
  });

  test('stays planned where a file without a day comes again', async () => {
    await importInto(api, sound);
    await bring('');
    await byStaff({ on: '2026-12-10' });
    expect(await bring('')).toEqual([]);
    expect(await endOf()).toMatchObject({ on: '2026-12-10' });
  });

  test('stays on the day that staff moved it to, and its unit is the next tenant’s from then on', async () => {
    await importInto(api, sound);
    await bring('2026-12-31');
    await byStaff({ on: '2026-12-10' });
    const next = 'TXDFW03,L9,T1,B207,2026-12-10,,180,2026-12-09,0\n';
    expect(await bring('2026-12-31', next)).toEqual([]);
    expect(await bring('2026-12-31')).toEqual([]);
    expect(await endOf()).toMatchObject({ on: '2026-12-10' });
  });

  test('stays settled where an old file comes again, and no file changes its day', async () => {
    await importInto(api, sound);
    await bring('2026-12-31');
    await byStaff({ on: '2026-11-20' });
    const before = await rowsOf(api.owner);
    expect(await bring('2026-12-31')).toEqual([]);
    expect(await rowsOf(api.owner)).toEqual(before);
    expect(await bring('2026-12-30')).toEqual([
      'ledgers.csv, line 2, moved_out_on: is 2026-12-30, but the move-out on 2026-11-20 is settled here.',
    ]);
    expect(await rowsOf(api.owner)).toEqual(before);
    expect(await bring('2026-11-20')).toEqual([]);
    expect(await endOf()).toMatchObject({ on: '2026-11-20' });
  });
});

describe('the balance of a rental that is here already', () => {
  test('is a fault where it is not what the books come to, and both are named', async () => {
    await importInto(api, sound);
    expect(faultsOf(await importInto(api, files(rowOf('168', ',', '25'))))).toEqual([
      'ledgers.csv, line 2, balance: is 25.00, but the books here come to 0.00.',
    ]);
    const fee = {
      'charges.csv': `${sound['charges.csv']}TXDFW03,C4,L2,fee,Lock cut,2026-11-20,,25.00,\n`,
    };
    expect(faultsOf(await importInto(api, { ...files(rowOf('168')), ...fee }))).toEqual([
      'ledgers.csv, line 2, balance: is 0.00, but the books here come to 25.00.',
    ]);
    expect(faultsOf(await importInto(api, { ...files(rowOf('168', ',', '25')), ...fee }))).toEqual(
      [],
    );
  });
});

describe('a cover that ended or was replaced here', () => {
  test('is not begun again by an older file', async () => {
    await importInto(api, sound);
    await sql`UPDATE ledger_protection_plans SET ends_on = '2026-11-20'`.execute(api.owner);
    await sql`UPDATE private_policies SET replaced_at = ${NOW}`.execute(api.owner);
    const before = await rowsOf(api.owner);
    expect(faultsOf(await importInto(api, sound))).toEqual([]);
    expect(await rowsOf(api.owner)).toEqual(before);
    const later = sound['insurance.csv']!.replace('2026-09-14,\n', '2026-09-14,2027-09-14\n');
    expect(faultsOf(await importInto(api, { 'insurance.csv': later }))).toEqual([]);
    expect(await rowsOf(api.owner)).toEqual(before);
  });

  test('may have another next to it', async () => {
    await importInto(api, sound);
    await sql`
      WITH ended AS (UPDATE ledger_protection_plans SET ends_on = '2026-11-20' RETURNING *)
      INSERT INTO ledger_protection_plans (ledger_id, protection_plan_id, starts_on)
      SELECT ledger_id, protection_plan_id, '2026-11-21' FROM ended`.execute(api.owner);
    expect(faultsOf(await importInto(api, sound))).toEqual([]);
  });
});

test('another number of a tenant at the gateway is refused, because saved methods and open payments are under the old one', async () => {
  await importInto(api, sound);
  const tokens = sound['gateway-tokens.csv']!;
  const other = tokens.replace('cus_9s6XKzkNRiz8i3', 'cus_another');
  const says =
    'is not the number that the tenant has here, under which saved methods and open payments are';
  expect(faultsOf(await importInto(api, { 'gateway-tokens.csv': other }))).toEqual([
    `gateway-tokens.csv, line 2, customer: ${says}.`,
  ]);
  const second = other.split('\n')[1]!.replace('M1', 'M2').replace('T2', 'T1');
  const first = tokens.split('\n')[1]!.replace('M1', 'M3').replace('T2', 'T1');
  expect(
    faultsOf(await importInto(api, { 'gateway-tokens.csv': `${tokens}${first}\n${second}\n` })),
  ).toEqual([
    'gateway-tokens.csv, line 4, customer: is another than in line 3, and a tenant has one.',
  ]);
  const { customer } = await api.owner
    .selectFrom('gateway_customers')
    .select('customer')
    .executeTakeFirstOrThrow();
  expect(customer).toBe('cus_9s6XKzkNRiz8i3');
});

describe('another email of a tenant', () => {
  test('takes the record from the old address, ends its sessions and notifies both, but not in a dry run', async () => {
    await importInto(api, sound);
    const { id } = await getRow(api.owner, 'tenants', 'id', { email: 'lee@example.com' });
    const user = {
      email: 'lee@example.com',
      password: DEMO_PASSWORD,
      tenantIds: [id],
    };
    await makeUser(api.owner, user);
    const lee = await signIn(api, 'lee@example.com');
    const read = () => api.call('GET', `${lee.prefix}/tenants/${id}`, { token: lee.token });
    const changed = {
      'tenants.csv': sound['tenants.csv']!.replace('lee@example.com', 'lee@new.example'),
    };
    expect(faultsOf(await importInto(api, changed, true))).toEqual([]);
    expect((await read()).status).toBe(200);
    const again = await importInto(api, changed);
    expect(again.files).toMatchObject([{ rows: 2, made: 0, changed: 1 }]);
    expect((await read()).status).toBe(401);
    expect(await api.owner.selectFrom('user_tenants').selectAll().execute()).toEqual([]);
    const mails = await api.owner
      .selectFrom('mails')
      .select('to_address')
      .orderBy('to_address')
      .execute();
    expect(mails.map(({ to_address }) => to_address)).toEqual([
      'lee@example.com',
      'lee@new.example',
    ]);
    const { email } = await api.owner
      .selectFrom('tenants')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(email).toBe('lee@new.example');
  });

  test('that staff gave the record stays where the same file comes again, until a file says yet another', async () => {
    await importInto(api, sound);
    const { id: tenantId } = await api.owner
      .selectFrom('tenants')
      .select('id')
      .where('email', '=', 'lee@example.com')
      .executeTakeFirstOrThrow();
    await changeEmailOf(api.ctx, staffCall(), { tenantId, email: 'lee@new.example' });
    const before = await rowsOf(api.owner);
    expect(faultsOf(await importInto(api, sound))).toEqual([]);
    expect(await rowsOf(api.owner)).toEqual(before);
    const emailBy = async (inFile: string) => {
      const tenants = sound['tenants.csv']!.replace('lee@example.com', inFile);
      expect(faultsOf(await importInto(api, { 'tenants.csv': tenants }))).toEqual([]);
      const { email } = await api.owner
        .selectFrom('tenants')
        .select('email')
        .where('id', '=', tenantId)
        .executeTakeFirstOrThrow();
      return email;
    };
    expect(await emailBy('LEE@example.com')).toBe('lee@new.example');
    expect(await emailBy('lee@third.example')).toBe('lee@third.example');
    expect(await emailBy('Lee@third.example')).toBe('Lee@third.example');
  });
});

test('a rental is taxed where its facility has a tax on rent, unless the file or staff say otherwise', async () => {
  const taxed = { ...sound };
  taxed['facilities.csv'] = sound['facilities.csv']!.replace('late_fee', 'rent_tax1').replace(
    '$15.00',
    '8.25%',
  );
  const rows = sound['ledgers.csv']!.trimEnd().split('\n');
  const withTaxed = (...cells: string[]) => ({
    'ledgers.csv': rows.map((row, line) => `${row},${['taxed', ...cells][line]}\n`).join(''),
  });
  const isTaxed = async () =>
    (
      await api.owner
        .selectFrom('ledgers')
        .select('is_taxed')
        .orderBy('rental_rate_cents')
        .execute()
    ).map(({ is_taxed }) => is_taxed);
  expect(faultsOf(await importInto(api, { ...taxed, ...withTaxed('', 'no') }))).toEqual([]);
  expect(await isTaxed()).toEqual([false, true]);
  await sql`UPDATE ledgers SET is_taxed = NOT is_taxed`.execute(api.owner);
  expect(faultsOf(await importInto(api, { ...taxed, ...withTaxed('', '') }))).toEqual([]);
  expect(await isTaxed()).toEqual([true, false]);
  expect(faultsOf(await importInto(api, withTaxed('yes', 'no')))).toEqual([]);
  expect(await isTaxed()).toEqual([false, true]);
});
