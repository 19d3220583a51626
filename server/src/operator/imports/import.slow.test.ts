import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '@gatehouse/contract/endpoints';
import { pathOf } from '@gatehouse/contract/endpoint';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '#db/database.ts';
import { runBilling } from '#features/money/billing/billing.ts';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import { refundPayment } from '#features/money/payments/refunds.fixture.ts';
import { reconcileDay } from '#features/money/reconciliation/reconciliation.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { makeUser } from '#seeds/builders.ts';
import { openTestApp, signIn, type SignedIn, type TestApp, useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { patience } from '#test/patience.ts';
import { exportFolder } from './export.ts';
import {
  both,
  deleteFolders,
  exported,
  faultsOf,
  importInto,
  newFolder,
  NOW,
  onOwner,
  rowsOf,
  sound,
  written,
  type Files,
} from './import.fixture.ts';

const api = useTestApp('empty_template', { clock: { now: () => NOW } });
afterAll(() => deleteFolders());

describe('bad files', () => {
  const change = (name: string, from: string, to: string): Files => {
    expect(sound[name]).toContain(from);
    return { ...sound, [name]: sound[name]!.replace(from, to) };
  };

  test('that cannot be read as what they should be are named', async () => {
    const result = await importInto(api, {
      ...sound,
      'corporation.csv': 'code,name\nOTHER,Anchor & Axle\n',
      'units.csv': sound['units.csv']!.replace(',unit_type', ''),
      'tenants.csv': sound['tenants.csv']!.replace('TXDFW03,T2', 'TXDFW03,"T2'),
      'unit-contents.csv': sound['unit-contents.csv']!.replaceAll(',', ';'),
      'vehicles.csv': sound['vehicles.csv']!.replace('license_plate', 'Plate No.'),
      'gate-codes.csv': '',
    });
    expect(faultsOf(result)).toEqual([
      'corporation.csv, line 2: has another code than CORPORATION_CODE of the settings, which is ANCHOR.',
      'units.csv, line 1: has no column unit_type.',
      'tenants.csv, line 3: cannot be read from about here on: a quotation mark is not closed, or stands inside a cell by itself.',
      'unit-contents.csv, line 1: has other separators than commas: save the sheet as "CSV UTF-8 (comma delimited)".',
      'vehicles.csv, line 1: has a column 3, "Plate No.", that is none of facility, ledger_id, license_plate, description.',
      'vehicles.csv, line 1: has no column license_plate.',
      'gate-codes.csv: is empty: its first line must name the columns.',
    ]);
    expect(result).toMatchObject({ imported: [], refused: ['TXDFW03'] });
  });

  test('whose rows do not fit each other are named by the row that can be put right', async () => {
    const result = await importInto(api, {
      ...sound,
      'tenants.csv': sound['tenants.csv']!.replace('19384756,TX', '19384756,'),
      'ledgers.csv': `${sound['ledgers.csv']}TXDFW03,L3,T9,A101,2026-01-01,100,2026-12-31,,0,\n`,
      'charges.csv': sound['charges.csv']!.replace(',C2', ',C9'),
      'vehicles.csv': `${sound['vehicles.csv']}TXDFW03,L2,X,Y\nTXDFW04,L1,X,Y\nTXDFW03,L1,X,Y,Z\n`,
      'further-vehicles.csv':
        'facility,ledger_id,contents,license_plate,description\n' +
        ['none:', ...[1, 2, 3, 4, 5, 5].map((nth) => `vehicle:V${nth}`)]
          .map((contents) => `TXDFW03,L2,${contents},P,D\n`)
          .join(''),
      'autopay.csv': sound['autopay.csv']!.replace('L2,M1', 'L1,M1'),
    });
    expect(faultsOf(result)).toEqual([
      'vehicles.csv, line 5: has 5 cells, and the header 4 columns.',
      'ledgers.csv, line 4, tenant_id: names no tenant of this facility.',
      'charges.csv, line 4, late_for: names no rent charge of this rental.',
      'vehicles.csv, line 3, ledger_id: is the same as in line 2.',
      'vehicles.csv, line 4, facility: is no facility of facilities.csv or of the database.',
      'vehicles.csv, line 4, ledger_id: names no ledger of this facility.',
      'further-vehicles.csv, line 8, ledger_id: is the same as in line 7.',
      'tenants.csv, line 2, drivers_license_state: belongs together with drivers_license_number: both or neither.',
      'further-vehicles.csv, line 2, contents: is no vehicle or boat.',
      'further-vehicles.csv, line 7, ledger_id: has five further vehicles and boats without this one.',
      'further-vehicles.csv, line 8, ledger_id: has five further vehicles and boats without this one.',
      'ledgers.csv, line 4, unit: is rented in line 2.',
      'autopay.csv, line 2, payment_method_id: is of another tenant than the rental.',
    ]);
    expect(result.imported).toEqual([]);
  });

  test('with one unit in two writings are named; in another file it is the same unit', async () => {
    const units = sound['units.csv']!;
    const twice = await importInto(api, {
      ...sound,
      'units.csv': `${units}TXDFW03,a101,12,40,RV\n`,
    });
    expect(faultsOf(twice)).toEqual(['units.csv, line 4, unit: is the same as in line 2.']);
    const ledgers = sound['ledgers.csv']!.replace(',A101,', ',a101,');
    expect(faultsOf(await importInto(api, { ...sound, 'ledgers.csv': ledgers }, true))).toEqual([]);
  });

  test('whose sums and days do not come out are named', async () => {
    const rent = (id: string, days: string) => `TXDFW03,${id},L2,rent,Rent,${days},168,\n`;
    const result = await importInto(api, {
      ...sound,
      'ledgers.csv': sound['ledgers.csv']!.replace('12/14/2026,215.00', '11/14/2026,200.00'),
      'charges.csv': `${sound['charges.csv']}${rent('C5', '2026-10-20,2026-11-19')}${rent('C6', '2026-11-19,')}`,
      'payments.csv':
        'facility,payment_id,ledger_id,paid_on,amount,taken_back,taken_back_on,taken_back_reason\n' +
        'TXDFW03,PAY1,L1,2026-10-14,200,,,\nTXDFW03,PAY2,L2,2026-10-30,336,337,2026-11-01,refund\n',
    });
    expect(faultsOf(result)).toEqual([
      'charges.csv, line 6, period_end: is missing, and rent needs it.',
      'payments.csv, line 3, taken_back: is more than the amount.',
      'ledgers.csv, line 2, next_billing_on: is not the day after what was billed, which is 2026-12-14.',
      'charges.csv, line 6, due_on: is within the period of another rent charge of this rental.',
      'ledgers.csv, line 2, balance: is 200.00, but charges less payments are 215.00.',
      'ledgers.csv, line 3, balance: is 0.00, but charges less payments are 337.00.',
    ]);
    const late = {
      ...sound,
      'ledgers.csv': sound['ledgers.csv']!.replace(',11/13/2026', ',12/13/2026'),
    };
    expect(faultsOf(await importInto(api, late, true))).toEqual([
      'ledgers.csv, line 2, paid_through: is 2026-12-13, but by the charges and payments rent is paid through 2026-11-13.',
    ]);
  });

  test('have all their faults listed in one look', async () => {
    const files = {
      ...change('tenants.csv', 'dana@example.com', 'dana'),
      'ledgers.csv': sound['ledgers.csv']!.replace('$200.00', 'two hundred').replace('168', '-1'),
      'charges.csv': sound['charges.csv']!.replace('fee,Late fee', 'fine,Late fee'),
    };
    const { faults } = await importInto(api, files, true);
    expect(faults.listed.map(({ file, line, column }) => [file, line, column])).toEqual([
      ['tenants.csv', 2, 'email'],
      ['ledgers.csv', 2, 'rental_rate'],
      ['ledgers.csv', 3, 'rental_rate'],
      ['charges.csv', 4, 'category'],
    ]);
  });

  test('with card numbers are refused, and those are repeated nowhere', async () => {
    const result = await importInto(api, {
      ...change('tenants.csv', 'Dana', 'Dana 4242 4242 4242 4242'),
      'payments.csv': sound['payments.csv']!.replace('Visa ending in 4242', '4242424242424242'),
      'gateway-tokens.csv': sound['gateway-tokens.csv']!.replace(
        'pm_1Nv0FGQ9RKHgCVdK',
        '4242-4242-4242-4242',
      ),
    });
    expect(result).toMatchObject({ imported: [], faults: { total: 3 } });
    expect(result.faults.listed.map(({ says }) => says)).toEqual(
      Array.from({ length: 3 }, () => 'holds what looks like a card number, which is never taken'),
    );
    const named = await importInto(
      api,
      change('vehicles.csv', 'description', '4242424242424242'),
      true,
    );
    expect(named.faults.total).toBeGreaterThan(0);
    for (const said of [result, named, await rowsOf(api.owner)])
      expect(JSON.stringify(said)).not.toMatch(/4242[ -]?4242/);
  });

  test('without any of the files, or in no folder, are refused', async () => {
    await expect(importInto(api, {})).rejects.toThrow(
      /^The folder .+ has none of the files: facilities\.csv, /,
    );
    await expect(importInto(api, { 'Units.CSV': sound['units.csv']! })).rejects.toThrow(
      /Not taken in, .+: Units\.CSV \(did you mean units\.csv\?\)\.$/,
    );
    await expect(importInto(api, '/nowhere')).rejects.toThrow('There is no folder /nowhere.');
    await expect(importInto(api, '/dev/null')).rejects.toThrow('/dev/null is no folder.');
  });

  test('that no import knows are named, with the name that may be meant', async () => {
    const strangers = {
      'Vehicles.csv': '',
      'leases.csv': '',
      'Gate_Codes.CSV': '',
      'notes.txt': '',
      'corporation.csv.bak': '',
    };
    const { unknownFiles } = await importInto(api, { ...sound, ...strangers }, true);
    expect(unknownFiles).toEqual([
      { file: 'Gate_Codes.CSV', meant: 'gate-codes.csv' },
      { file: 'leases.csv', meant: null },
      { file: 'Vehicles.csv', meant: 'vehicles.csv' },
    ]);
  });

  test('that cannot be read are named', async () => {
    const folder = await written({ 'facilities.csv': sound['facilities.csv']! });
    await mkdir(join(folder, 'units.csv'));
    await symlink('corporation.csv', join(folder, 'corporation.csv'));
    expect(faultsOf(await importInto(api, folder))).toEqual([
      'corporation.csv: cannot be read (ELOOP).',
      'units.csv: cannot be read (EISDIR).',
    ]);
  });

  test('list a thousand faults and count all', async () => {
    const lines = Array.from({ length: 1500 }, (_, index) => `TXDFW03,X${index},none,1,RV\n`).join(
      '',
    );
    const { faults } = await importInto(
      api,
      { ...sound, 'units.csv': sound['units.csv']! + lines },
      true,
    );
    expect(faults).toMatchObject({ total: 1500, byFile: { 'units.csv': 1500 } });
    expect(faults.listed).toHaveLength(1000);
  });

  test('left nothing behind', async () => {
    const rows = await rowsOf(api.owner);
    expect(
      rows.filter((row) =>
        /^(corporations|facilities|tenants|ledgers|entries|external_ids) /.test(row),
      ),
    ).toEqual([]);
  });
});

describe('sound files', () => {
  let target: TestApp;
  beforeEach(async () => {
    target = await openTestApp('empty_template', { clock: { now: () => NOW } });
    return () => target.close();
  });

  test('dry, are counted and nothing is kept', async () => {
    const before = await rowsOf(target.owner);
    const result = await importInto(target, sound, true);
    expect(faultsOf(result)).toEqual([]);
    expect(result.imported).toEqual(['TXDFW03']);
    expect(result.files.find(({ file }) => file === 'charges.csv')).toEqual({
      file: 'charges.csv',
      rows: 3,
      made: 3,
      changed: 0,
    });
    expect(await rowsOf(target.owner)).toEqual(before);
  });

  test('make sound books, seal what is secret, and a second time change nothing', async () => {
    expect(faultsOf(await importInto(target, sound))).toEqual([]);
    await expectSoundBooks(target.owner);
    const rows = await rowsOf(target.owner);
    for (const secret of ['19384756', '4821#', 'pm_1Nv0FGQ9RKHgCVdK'])
      expect(rows.join()).not.toContain(secret);
    const again = await importInto(target, sound);
    expect(faultsOf(again)).toEqual([]);
    for (const { made, changed } of again.files) expect([made, changed]).toEqual([0, 0]);
    expect(await rowsOf(target.owner)).toEqual(rows);
  });

  test('may have a byte order mark, CRLF, quotes over lines, empty rows and headers as people write them', async () => {
    const units =
      '\uFEFF"Facility","Unit","Width Feet","length-feet",UNIT_TYPE\r\nTXDFW03,A101,12,40,"RV, ""big""\r\nor small"\r\n,,,,\r\n\r\nTXDFW03,B207,12,30,Boat';
    const result = await importInto(target, { ...sound, 'units.csv': units });
    expect(faultsOf(result)).toEqual([]);
    const types = await target.owner
      .selectFrom('units')
      .select('type_name')
      .orderBy('name')
      .execute();
    expect(types.map(({ type_name }) => type_name)).toEqual(['RV, "big"\r\nor small', 'Boat']);
    const late = units.replace('TXDFW03,B207,12', 'TXDFW03,B207,no');
    expect(faultsOf(await importInto(target, { ...sound, 'units.csv': late }))).toEqual([
      'units.csv, line 6, width_feet: must be a whole number.',
    ]);
  });

  test('change what may be changed, and only what differs', async () => {
    await importInto(target, sound);
    const changed = {
      ...sound,
      'tenants.csv': sound['tenants.csv']!.replace('18 Heron Lane', '19 Heron Lane').replace(
        '19384756',
        '28840917',
      ),
      'units.csv': sound['units.csv']!.replace('12,40', '14,50'),
      'gate-codes.csv': sound['gate-codes.csv']!.replace('1733#', '9999#'),
      'charges.csv': `${sound['charges.csv']}TXDFW03,C4,L2,fee,Lock cut,2026-11-20,,25.00,\n`,
      'ledgers.csv': sound['ledgers.csv']!.replace('2026-11-29,,0', '2026-11-29,,25'),
    };
    const result = await importInto(target, changed);
    expect(faultsOf(result)).toEqual([]);
    expect(
      Object.fromEntries(
        result.files.map(({ file, made, changed: count }) => [file, [made, count]]),
      ),
    ).toMatchObject({
      'tenants.csv': [0, 1],
      'units.csv': [0, 1],
      'gate-codes.csv': [0, 1],
      'charges.csv': [1, 0],
      'ledgers.csv': [0, 0],
      'payments.csv': [0, 0],
    });
    await expectSoundBooks(target.owner);
    const folder = await exported(target);
    expect(faultsOf(await importInto(target, folder))).toEqual([]);
  });

  test('change no entry: one that differs is a fault, and nothing of its facility is touched', async () => {
    await importInto(target, sound);
    const before = await rowsOf(target.owner);
    const files = {
      ...sound,
      'charges.csv': sound['charges.csv']!.replace('15.00', '20.00'),
      'payments.csv': sound['payments.csv']!.replace('2026-10-14', '2026-10-15'),
      'ledgers.csv': sound['ledgers.csv']!.replace('215.00', '220.00'),
      'tenants.csv': sound['tenants.csv']!.replace('18 Heron Lane', '19 Heron Lane'),
    };
    const never =
      'entries are never changed, so a correction is a further charge, payment or credit.';
    expect(faultsOf(await importInto(target, files))).toEqual([
      `charges.csv, line 4, charge_id: is there already with another price: ${never}`,
      `payments.csv, line 2, payment_id: is there already with another paid_on: ${never}`,
    ]);
    expect(await rowsOf(target.owner)).toEqual(before);
  });

  test('leave out a facility with a wrong row as a whole, and take the others', async () => {
    const files = both();
    files['payments.csv'] = `${files['payments.csv']}TXDFW03,PAY2,L1,2026-10-15,none,x,\n`;
    const result = await importInto(target, files);
    expect(result).toMatchObject({
      imported: ['AZPHX01'],
      refused: ['TXDFW03'],
      faults: { total: 1 },
    });
    const codes = await target.owner.selectFrom('facilities').select('location_code').execute();
    expect(codes).toEqual([{ location_code: 'AZPHX01' }]);
    const tenants = await target.owner.selectFrom('tenants').select('email').execute();
    expect(tenants).toEqual([{ email: 'maria@example.com' }]);
    await expectSoundBooks(target.owner);
    expect(await importInto(target, both())).toMatchObject({
      imported: ['AZPHX01', 'TXDFW03'],
      refused: [],
    });
  });

  test('leave out a facility that the database refuses in the middle', async () => {
    await sql`ALTER TABLE vehicles ADD CHECK (license_plate <> 'TX - 4471KB')`.execute(
      target.owner,
    );
    const result = await importInto(target, both());
    expect(faultsOf(result)).toEqual([
      'facilities.csv: TXDFW03 does not fit the database (vehicles_license_plate_check).',
    ]);
    expect(result).toMatchObject({ imported: ['AZPHX01'], refused: ['TXDFW03'] });
    expect(await target.owner.selectFrom('tenants').select('email').execute()).toEqual([
      { email: 'maria@example.com' },
    ]);
  });

  test('leave nothing half done where the import is killed in the middle of a facility', async () => {
    await sql`
      CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END $$`.execute(
      target.owner,
    );
    await sql`CREATE TRIGGER stop BEFORE INSERT ON vehicles FOR EACH ROW EXECUTE FUNCTION stop_here()`.execute(
      target.owner,
    );
    const before = await rowsOf(target.owner);
    await sql`SELECT pg_advisory_lock(7)`.execute(target.owner);
    const files = await written({
      ...both(),
      'vehicles.csv': `${sound['vehicles.csv']}AZPHX01,L1,X,Y\n`,
    });
    const killed = importInto(target, files).catch((error: unknown) => error);
    const waiting = sql<{ pid: number }>`
      SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 7
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await vi.waitFor(
      async () => expect((await waiting.execute(target.ctx.db)).rows).toHaveLength(1),
      patience,
    );
    await sql`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`.execute(target.owner);
    expect(await killed).toBeInstanceOf(Error);
    expect(await rowsOf(target.owner)).toEqual(before);
    await sql`SELECT pg_advisory_unlock(7)`.execute(target.owner);
    expect(await importInto(target, files)).toMatchObject({ imported: ['AZPHX01', 'TXDFW03'] });
    await expectSoundBooks(target.owner);
  });

  test('are billed on from where they end: what is due next, once, and no late fee twice', async () => {
    await importInto(target, sound);
    const { id: facilityId } = await target.owner
      .selectFrom('facilities')
      .select('id')
      .executeTakeFirstOrThrow();
    const run = (date: string) => runBilling(target.ctx, { facilityId, date });
    expect(await run('2026-11-21')).toMatchObject({ periods: 0, parked: 0 });
    expect(await postLateFees(target.ctx, { facilityId, date: '2026-11-25' })).toBe(0);
    expect(await run('2026-12-14')).toMatchObject({ ledgers: 2, periods: 2, rentCents: 36_800 });
    const billed = await target.owner
      .selectFrom('billed_periods')
      .select(['due_on', 'period_end'])
      .where('due_on', '>', '2026-11-14')
      .orderBy('due_on')
      .execute();
    // A rental of the 31st, whose next day is the end of November.
    expect(billed).toEqual([
      { due_on: '2026-11-30', period_end: '2026-12-30' },
      { due_on: '2026-12-14', period_end: '2027-01-13' },
    ]);
    expect(await run('2026-12-14')).toMatchObject({ periods: 0 });
    await expectSoundBooks(target.owner);
    // The same files again bill nothing a second time either.
    expect(faultsOf(await importInto(target, sound))).toEqual([]);
  });

  test('hold payments that our gateway knows nothing of: it is asked neither to list nor to refund them', async () => {
    await importInto(target, sound);
    const { found } = await reconcileDay(target.ctx, new Date('2026-10-01'), NOW);
    expect(Object.values(found).every((count) => count === 0)).toBe(true);
    const { entry_id } = await target.owner
      .selectFrom('payments')
      .select('entry_id')
      .executeTakeFirstOrThrow();
    const refund = refundPayment(target.ctx, {
      paymentEntryId: entry_id,
      cents: 100,
      reason: 'Goodwill',
    });
    await expect(refund).rejects.toMatchObject({ status: 422 });
  });

  test('let no rental that has ended be begun again by an older file', async () => {
    await importInto(target, sound);
    const ledgers = (movedOut: string) =>
      'facility,ledger_id,tenant_id,unit,moved_in_on,moved_out_on,rental_rate,paid_through,balance\n' +
      `TXDFW03,L2,T2,B207,2025-01-31,${movedOut},168,2026-11-29,0\n`;
    const endOf = async () =>
      (
        await target.owner
          .selectFrom('ledgers')
          .select('moved_out_on')
          .orderBy('moved_in_on')
          .execute()
      )[0]!.moved_out_on;
    expect(faultsOf(await importInto(target, { 'ledgers.csv': ledgers('2026-11-20') }))).toEqual(
      [],
    );
    const before = await rowsOf(target.owner);
    expect(faultsOf(await importInto(target, { 'ledgers.csv': ledgers('') }))).toEqual([
      'ledgers.csv, line 2, moved_out_on: is empty, but the rental ends here on 2026-11-20: give that day or another one; ' +
        'whoever comes back has a new ledger_id.',
    ]);
    expect(await rowsOf(target.owner)).toEqual(before);
    // A file without the column says nothing of it, and another day puts a mistake right.
    expect(faultsOf(await importInto(target, sound))).toEqual([]);
    expect(await endOf()).toBe('2026-11-20');
    expect(faultsOf(await importInto(target, { 'ledgers.csv': ledgers('2026-12-31') }))).toEqual(
      [],
    );
    expect(await endOf()).toBe('2026-12-31');
  });

  test('let a unit be rented anew from the day of a move-out on and not before', async () => {
    await importInto(target, sound);
    const leaves = 'TXDFW03,L2,T2,B207,2025-01-31,2026-12-10,168,2026-11-29,0';
    const follows = (id: string, movedIn: string, paidThrough: string) =>
      `TXDFW03,${id},T1,B207,${movedIn},,180,${paidThrough},0`;
    const bring = async (...rows: string[]) => {
      const header =
        'facility,ledger_id,tenant_id,unit,moved_in_on,moved_out_on,rental_rate,paid_through,balance';
      return faultsOf(
        await importInto(target, { 'ledgers.csv': `${[header, ...rows].join('\n')}\n` }),
      );
    };
    expect(await bring(leaves, follows('L9', '2026-12-09', '2026-12-08'))).toEqual([
      'ledgers.csv, line 3, unit: is rented in line 2.',
    ]);
    expect(await bring(leaves, follows('L9', '2026-12-10', '2026-12-09'))).toEqual([]);
    expect(await bring(follows('L10', '2026-12-10', '2026-12-09'))).toEqual([
      'ledgers.csv, line 2, unit: is rented by somebody whom no row of this file names.',
    ]);
  });

  test('leave a tenant who was erased as the erasure left the record', async () => {
    const { 'autopay.csv': autopay, ...others } = sound;
    const former: Files = {
      ...others,
      'ledgers.csv':
        'facility,ledger_id,tenant_id,unit,moved_in_on,moved_out_on,rental_rate,paid_through,balance\n' +
        'TXDFW03,L1,T1,A101,2026-09-14,,200,2026-11-13,215\nTXDFW03,L2,T2,B207,2025-01-31,2026-11-01,168,2026-11-29,0\n',
    };
    expect(faultsOf(await importInto(target, former))).toEqual([]);
    const { id } = await target.owner
      .selectFrom('tenants')
      .select('id')
      .where('email', '=', 'lee@example.com')
      .executeTakeFirstOrThrow();
    // A column that a later version adds is forgotten without being named.
    await sql`ALTER TABLE tenants ADD COLUMN added_later text`.execute(target.owner);
    await sql`UPDATE tenants SET added_later = 'Lelo' WHERE id = ${id}`.execute(target.owner);
    const erasure = await readFile(
      new URL('../../../../ops/privacy/erase-tenant.sql', import.meta.url),
      'utf8',
    );
    await sql
      .raw(erasure.replace(/^\\.*$/gm, '').replace(":'tenant'", `'${id}'`))
      .execute(target.owner);
    const rows = await rowsOf(target.owner);
    expect(rows.join()).not.toMatch(
      /Okafor|Lelo|lee@example|Sunset Trail|FWC48217C414|4471KB|77 TRL|LSM-1/,
    );
    const again = await importInto(target, { ...former, 'autopay.csv': autopay! });
    expect(faultsOf(again)).toEqual([]);
    expect(again).toMatchObject({ erased: 1, imported: ['TXDFW03'] });
    expect(await rowsOf(target.owner)).toEqual(rows);
    const part = { 'vehicles.csv': sound['vehicles.csv']! };
    expect(await importInto(target, part)).toMatchObject({ erased: 1, imported: [] });
    expect(await rowsOf(target.owner)).toEqual(rows);
  });

  test('leave what a tenant has changed in the portal', async () => {
    await importInto(target, sound);
    const tenant = await target.owner
      .selectFrom('tenants')
      .select('id')
      .where('email', '=', 'lee@example.com')
      .executeTakeFirstOrThrow();
    await signUp(target, 'lee@example.com');
    const lee = await signIn(target, 'lee@example.com');
    const ada = { firstName: 'Ada', lastName: 'Okafor', email: 'ada@example.com' };
    const alternateContact = { ...ada, phone: '6825550119' };
    const body = { phone: { primary: '6825550118' }, alternateContact };
    await target.call('PATCH', `${lee.prefix}/tenants/${tenant.id}`, { token: lee.token, body });
    const files = {
      ...sound,
      'tenants.csv':
        'facility,tenant_id,first_name,last_name,email,phone,street1,city,region,postal_code,alternate_first_name,alternate_last_name,alternate_email,alternate_phone\n' +
        'TXDFW03,T2,Lee,Okafor,lee@example.com,8175550100,902 Sunset Trail,Saginaw,TX,76179,Bo,Okafor,bo@example.com,6825550111\n',
    };
    expect(faultsOf(await importInto(target, files))).toEqual([]);
    const answer = await target.call('GET', `${lee.prefix}/tenants/${tenant.id}`, {
      token: lee.token,
    });
    expect(answer.body).toMatchObject(body);
  });
});

/** A sign-in for every tenant record of the address, as the tenant would have by signing up. */
async function signUp(test: TestApp, email: string): Promise<void> {
  const rows = await test.owner
    .selectFrom('tenants')
    .select('id')
    .where('email', '=', email)
    .orderBy('last_name', 'desc')
    .execute();
  const tenantIds = rows.map(({ id }) => id);
  await makeUser(test.owner, {
    email,
    password: DEMO_PASSWORD,
    tenantIds,
  });
}

describe('what is exported of the demo world', () => {
  const tenants = [
    ['dana@example.com', 'TXDFW03'],
    ['lee@example.com', 'TXDFW03'],
    ['maria@example.com', 'AZPHX01'],
    ['pat@example.com', 'TXDFW03'],
    ['sam@example.com', 'TXDFW03'],
  ] as const;
  let source: TestApp;
  let target: TestApp;
  beforeAll(async () => {
    source = await openTestApp('demo_template');
    await source.owner.updateTable('facilities').set({ payment_days_back: 10 }).execute();
    // Statements are papers that were issued: they stay where they were.
    await source.owner.deleteFrom('statements').execute();
    await sql`
      INSERT INTO further_vehicles (ledger_id, contents, license_plate, description, created_at)
      SELECT v.ledger_id, more.contents, '77 TRL', more.description, timestamptz '2026-11-01' + more.after * interval '1 second'
      FROM vehicles v CROSS JOIN (VALUES ('vehicle:W2', 'Trailer', 1), ('boat:W1', 'Skiff', 2)) more (contents, description, after)`.execute(
      source.owner,
    );
    target = await openTestApp('empty_template');
    expect(faultsOf(await importInto(target, await exported(source)))).toEqual([]);
    for (const [email] of tenants) await signUp(target, email);
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });

  test('makes sound books', async () => {
    await expectSoundBooks(target.owner);
  });

  test('has the days back of a payment', async () => {
    const rows = await target.owner.selectFrom('facilities').select('payment_days_back').execute();
    expect(new Set(rows.map((row) => row.payment_days_back))).toEqual(new Set([10]));
  });

  test.each(tenants)('answers %s the same from every call that reads', async (email, location) => {
    const here = await signIn(source, email, location);
    const there = await signIn(target, email, location);
    const ours = await idsAtSource(target.owner, source.owner);
    const calls = await readingCalls(source, here);
    expect(calls.length).toBeGreaterThan(8);
    const sourceOf = (text: string) => text.replace(UUID, (id) => ours.get(id) ?? id);
    const targets = new Map([...ours].map(([id, at]) => [at, id]));
    for (const path of calls) {
      const answer = await source.call('GET', path, { token: here.token });
      const inTarget = path.replace(UUID, (id) => targets.get(id) ?? id);
      const other = await target.call('GET', inTarget, { token: there.token });
      expect([path, other.status, ordered(JSON.parse(sourceOf(other.text)))]).toEqual([
        path,
        200,
        // An export has no forms: of what is signed here it only has the state.
        ordered(JSON.parse(answer.text.replaceAll(',"isSignedHere":true', ''))),
      ]);
    }
  });

  test('is refused in a sentence where the folder cannot be made', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'taken'), '');
    const { vault, clock } = source.ctx;
    const order = {
      vault,
      clock,
      corporationCode: 'ANCHOR',
      facility: null,
      withSecrets: false,
      onProgress: () => {},
    };
    for (const place of ['taken', 'taken/below'])
      await expect(
        exportFolder({ ...order, db: source.owner, folder: join(folder, place) }),
      ).rejects.toThrow(/is no folder that can be exported to \(E\w+\)\.$/);
  });

  test('without secrets holds none, and imports too', async () => {
    const folder = await exported(source, false);
    const empty = await openTestApp('empty_template');
    const result = await importInto(empty, folder);
    expect(faultsOf(result)).toEqual([]);
    expect(result.files.map(({ file }) => file)).not.toContain('gate-codes.csv');
    expect((await rowsOf(empty.owner)).filter((row) => row.includes('sealed:'))).toEqual([]);
    await empty.close();
  });

  test('is refused where a file is there already', async () => {
    const folder = await exported(source, false);
    const { vault, clock } = source.ctx;
    const order = {
      vault,
      clock,
      corporationCode: 'ANCHOR',
      folder,
      facility: null,
      withSecrets: false,
    };
    const again = onOwner(source, (db) => exportFolder({ ...order, db, onProgress: () => {} }));
    await expect(again).rejects.toThrow(/facilities\.csv is there already\./);
  });
});

/** Forms of one name come in any order. */
function ordered(body: unknown): unknown {
  const text = (one: unknown) => JSON.stringify(one);
  const isOfForms = Array.isArray(body) && text(body).includes('"formId"');
  return isOfForms ? body.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)) : body;
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The ids of the imported rows, each with that of the row that it was exported from. */
async function idsAtSource(target: Database, source: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; at: string }>`
    SELECT row_id AS id, external_id AS at FROM external_ids`.execute(target);
  const named = async (db: Database) => {
    const { rows: all } = await sql<{ id: string; name: string }>`
      SELECT u.id, f.location_code || ' ' || u.name AS name FROM units u JOIN facilities f ON f.id = u.facility_id
      UNION ALL SELECT id, location_code FROM facilities
      UNION ALL SELECT v.id, concat_ws(' ', f.location_code, u.name, l.moved_in_on, v.description)
      FROM rental_vehicles v JOIN ledgers l ON l.id = v.ledger_id JOIN units u ON u.id = l.unit_id
      JOIN facilities f ON f.id = u.facility_id`.execute(db);
    return all;
  };
  const here = new Map((await named(source)).map(({ id, name }) => [name, id]));
  const units = (await named(target)).map(({ id, name }): [string, string] => [
    id,
    here.get(name)!,
  ]);
  return new Map([...rows.map(({ id, at }): [string, string] => [id, at]), ...units]);
}

/**
 * Papers are drawn and photos stored: what they hold is in the other answers, or no one's to
 * import. The overview is made of the others' answers.
 */
const leftOut = new Set([
  'getImage',
  'getOverview',
  'getReceiptPaper',
  'getSignedDocument',
  'getSigningLink',
  'getStatementPaper',
  'getTenantReceiptPaper',
  'getVehiclePaper',
  'getYearStatementPaper',
]);

/** The paths of all calls that read, for each record and rental of a signed-in user. */
async function readingCalls(
  test: TestApp,
  { tenantIds, prefix, token }: SignedIn,
): Promise<string[]> {
  const locationCode = prefix.split('/').at(-1)!;
  const tenantsPath = `${prefix}/tenants/${tenantIds.join()}/ledgers`;
  const ledgers = (await test.call('GET', tenantsPath, { token })).body as {
    id: string;
    unitId: string;
    tenantId: string;
  }[];
  const anyone = tenantIds.map((tenantId) => ({ tenantId, tenantIds: tenantIds.join() }));
  const rentals = ledgers.map(({ id, unitId, tenantId }) => ({
    ledgerId: id,
    ledgerIds: ledgers.map((ledger) => ledger.id).join(),
    unitId,
    tenantId,
    tenantIds: tenantIds.join(),
  }));
  const paths = new Set<string>();
  for (const { name, method, path, access } of Object.values(endpoints)) {
    if (method !== 'GET' || access !== 'tenant' || leftOut.has(name)) continue;
    const place = { corp: 'ANCHOR', locationCode };
    if (name === 'listCharges')
      for (const { ledgerId, ...ids } of rentals)
        paths.add(pathOf(path, { ...place, ...ids }, { ledgerId }));
    else
      for (const ids of /:(ledgerIds?|unitId)/.test(path) ? rentals : anyone)
        paths.add(pathOf(path, { ...place, ...ids }));
  }
  return [...paths];
}
