import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { authorizePersonFor } from '#features/service/gate-access/authorized-persons.ts';
import { writeGateCode } from '#features/service/gate-access/codes.ts';
import { runFacilityDay } from '#jobs/facility-day.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { staffCall } from '#test/staff-call.ts';
import { deleteFolders, faultsOf, importInto, NOW, rowsOf, sound } from './import.fixture.ts';

let api: TestApp;
let now = NOW;
beforeEach(async () => {
  now = NOW;
  api = await openTestApp('empty_template', { clock: { now: () => now } });
});
afterEach(() => api.close());
afterAll(deleteFolders);

/** L1 of Dana and L2 of Lee have the same code. */
const shared = 'facility,ledger_id,access_code\nTXDFW03,L1,4821#\nTXDFW03,L2,4821#\n';

/** The row of Lee's rental L2 with this end. */
const endOn = (movedOutOn: string) => ({
  'ledgers.csv':
    'facility,ledger_id,tenant_id,unit,moved_in_on,moved_out_on,rental_rate,paid_through,balance\n' +
    `TXDFW03,L2,T2,B207,2025-01-31,${movedOutOn},168,2026-11-29,0\n`,
});

const bring = async (files: Record<string, string>, isDryRun = false) =>
  expect(faultsOf(await importInto(api, files, isDryRun))).toEqual([]);

async function codes(): Promise<Record<string, string>> {
  const rows = await api.owner
    .selectFrom('gate_codes as c')
    .innerJoin('ledgers as l', 'l.id', 'c.ledger_id')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .select(['u.name', 'c.ledger_id as id', 'c.access_code as sealed'])
    .execute();
  return Object.fromEntries(
    rows.map(({ name, id, sealed }) => [name, api.ctx.vault.open('gateCode', id, sealed)]),
  );
}

const mailsOfCodes = async () =>
  (await readMails(api))
    .filter(({ subject }) => subject.startsWith('The gate code of unit'))
    .map(({ to_address, subject }) => [to_address, subject]);

const mailToDana = [
  ['dana@example.com', 'The gate code of unit A101 at Eagle Mountain has changed'],
];

const FOREIGN = 'is or was until a year ago the code of another tenant or person of the facility';

/** As a database may have them from before such codes were refused. */
async function shareCode(): Promise<void> {
  const { id } = await api.owner
    .selectFrom('ledgers as l')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .select('l.id')
    .where('u.name', '=', 'B207')
    .executeTakeFirstOrThrow();
  await api.owner.transaction().execute((trx) => writeGateCode(api.ctx, trx, id, '4821#'));
}

beforeEach(async () => {
  await bring(sound);
  await shareCode();
});

test('a code of another tenant is a fault, and one that was shared before is none', async () => {
  await bring({ 'gate-codes.csv': shared });
  const given = async (code: string) =>
    faultsOf(
      await importInto(api, {
        'gate-codes.csv': `facility,ledger_id,access_code\nTXDFW03,L2,${code}\n`,
      }),
    );
  expect(await given('7777#')).toEqual([]);
  const faults = await given('*4821');
  expect(faults).toEqual([`gate-codes.csv, line 2, access_code: ${FOREIGN}.`]);
  expect(await codes()).toEqual({ A101: '4821#', B207: '7777#' });
});

test('two tenants of one file may not have one code, one tenant may for units that are not overlocked', async () => {
  const both = shared.replaceAll('4821#', '7777#');
  expect(faultsOf(await importInto(api, { 'gate-codes.csv': both }, true))).toEqual(
    [2, 3].map((line) => `gate-codes.csv, line ${line}, access_code: ${FOREIGN}.`),
  );
  const third = {
    'units.csv': 'facility,unit,width_feet,length_feet,unit_type\nTXDFW03,A102,12,40,RV\n',
    'ledgers.csv':
      'facility,ledger_id,tenant_id,unit,moved_in_on,rental_rate,paid_through,balance\n' +
      'TXDFW03,L3,T1,A102,2026-01-31,168,2026-11-29,0\n',
    'gate-codes.csv':
      'facility,ledger_id,access_code\nTXDFW03,L1,5555#\nTXDFW03,L3,5555#\nTXDFW03,L2,1733#\n',
  };
  expect(faultsOf(await importInto(api, third, true))).toEqual([]);
  await api.sql`UPDATE ledgers SET overlocked_at = ${NOW}`;
  expect(faultsOf(await importInto(api, third, true))).toEqual([
    'gate-codes.csv, line 3, access_code: is the code of a rental of the tenant that is overlocked.',
  ]);
});

test('a move-out by the files gives rentals of others with the same code another one, once, and their tenants a mail', async () => {
  await bring(endOn('2026-11-20'), true);
  expect(await codes()).toEqual({ A101: '4821#', B207: '4821#' });
  await bring(endOn('2026-11-20'));
  const { A101 } = await codes();
  expect(A101).toMatch(/^\d{4}#$/);
  expect(A101).not.toBe('4821#');
  expect(await mailsOfCodes()).toEqual(mailToDana);
  const before = await rowsOf(api.owner);
  // The files still have the code that both had.
  await bring({ ...endOn('2026-11-20'), 'gate-codes.csv': shared });
  expect(await rowsOf(api.owner)).toEqual(before);
});

test('the code that the files give with the move-out is renewed where they give it to both', async () => {
  const other = shared.replaceAll('4821#', '7777#');
  await bring({ ...endOn('2026-11-20'), 'gate-codes.csv': other });
  const { A101, B207 } = await codes();
  expect(B207).toBe('7777#');
  expect(A101).not.toBe('7777#');
});

test('a move-out ahead changes nothing until its day', async () => {
  await bring(endOn('2026-11-23'));
  const { id: facilityId } = await api.owner
    .selectFrom('facilities')
    .select('id')
    .executeTakeFirstOrThrow();
  const dayOf = async (date: string) => {
    now = new Date(`${date}T15:00:00Z`);
    await runFacilityDay(api.ctx, { facilityId, date });
  };
  await dayOf('2026-11-22');
  expect((await codes())['A101']).toBe('4821#');
  await dayOf('2026-11-23');
  expect((await codes())['A101']).not.toBe('4821#');
  expect(await mailsOfCodes()).toEqual(mailToDana);
});

test('a rental that had ended before the files first brought it leaves the codes as they are', async () => {
  const ended =
    'facility,ledger_id,tenant_id,unit,moved_in_on,moved_out_on,rental_rate,paid_through,balance\n' +
    'TXDFW03,L0,T2,A101,2025-01-31,2026-09-01,168,2026-08-31,0\n';
  const code = 'facility,ledger_id,access_code\nTXDFW03,L0,4821#\n';
  await bring({ 'ledgers.csv': ended, 'gate-codes.csv': code });
  expect((await codes())['B207']).toBe('4821#');
  expect(await mailsOfCodes()).toEqual([]);
});

test('a rental with a further person is given another code by the files', async () => {
  const { id: ledgerId } = await api.owner
    .selectFrom('ledgers as l')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .select('l.id')
    .where('u.name', '=', 'A101')
    .executeTakeFirstOrThrow();
  const call = staffCall();
  await authorizePersonFor(api.ctx, call, { ledgerId, name: 'Ada Okafor', gateCode: '5555#' });
  await bring({ 'gate-codes.csv': 'facility,ledger_id,access_code\nTXDFW03,L1,6666#\n' });
  expect((await codes())['A101']).toBe('6666#');
});
