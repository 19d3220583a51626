import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { deleteFolders, importInto, NOW, onOwner, sound } from '../import.fixture.ts';
import { importSheets, type Sheets, type SheetsResult } from './import-sheets.ts';
import { workbook } from './sheets.fixture.ts';

let api: TestApp;
beforeEach(async () => {
  api = await openTestApp('empty_template', { clock: { now: () => NOW } });
  const { 'corporation.csv': corporation, 'facilities.csv': facilities } = sound;
  await importInto(api, { 'corporation.csv': corporation!, 'facilities.csv': facilities! });
});
afterEach(() => api.close());
afterAll(deleteFolders);

/** Imports a sheet as the command does. */
async function sheet(
  file: string | Uint8Array,
  remedies: [string, string][] = [],
  { isDryRun = false, columns = {} }: { isDryRun?: boolean; columns?: Sheets['columns'] } = {},
): Promise<SheetsResult> {
  const bytes = typeof file === 'string' ? new Uint8Array(Buffer.from(file)) : file;
  const { vault, clock } = api.ctx;
  const given = { corporationCode: 'ANCHOR', lateFrom: null, joined: [], onProgress: () => {} };
  const sheets = {
    files: [{ name: 'leases', bytes }],
    facility: null,
    columns,
    remedies: new Map(remedies),
  };
  return onOwner(api, (db) =>
    importSheets({ ...given, vault, clock, mail: api.ctx, db }, sheets, isDryRun),
  );
}

/** Who rents what, and what is owed. */
async function rentals() {
  const { rows } = await sql<{ is: string }>`
    SELECT t.name || ' ' || u.name || ' ' || l.paid_through || ' ' || l.balance_cents AS is
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id ORDER BY u.name`.execute(
    api.owner,
  );
  return rows.map(({ is }) => is);
}

const kindsOf = ({ faults }: SheetsResult) =>
  faults.map(({ kind, count, says }) => [kind, count, says]);

/** As SiteLink's reports have it: a title, headings, one row a unit, and a row of totals. */
const siteLink = () =>
  workbook([
    ['Consolidated Rent Roll', '', '', ''],
    [
      'Unit',
      'Size',
      'Type',
      'Tenant',
      'Move In',
      'Paid Thru',
      'Rent',
      'Std Rate',
      'Balance',
      'Gate Code',
      'Phone',
      'Email',
      'ZIP',
      'State',
      'Address',
      'City',
    ],
    [
      'A101',
      '12x40',
      'RV',
      'Reyes, Dana',
      { day: 46000 },
      { day: 46325 },
      200,
      210,
      215,
      482100,
      '(817) 555-0142 ext. 7',
      'dana@example.com',
      76020,
      'Texas',
      '18 Heron Lane',
      'Azle',
    ],
    [
      'A102',
      '12x40',
      'RV',
      'Reyes, Dana',
      { day: 46000 },
      { day: 46370 },
      200,
      210,
      0,
      12345,
      '(817) 555-0142 ext. 7',
      'dana@example.com',
      76020,
      'Texas',
      '18 Heron Lane',
      'Azle',
    ],
    [
      'A103',
      '12x40',
      'RV',
      'Tri-County HVAC, Inc.',
      { day: 46000 },
      { day: 46370 },
      '$200.00',
      210,
      '(50.00)',
      735502,
      '',
      '',
      2139,
      'Massachusetts',
      '1 Main Street',
      'Cambridge',
    ],
    ['A104', '12x40', 'RV', 'VACANT', '', '', '', 210, '', '', '', '', '', '', '', ''],
    ['4 Units', '', '', 'Totals', '', '', 600, '', 165, '', '', '', '', '', '', ''],
  ]);

test('a rent roll as SiteLink exports it becomes tenants, units, rentals, balances and gate codes', async () => {
  const first = await sheet(siteLink());
  expect(kindsOf(first)).toEqual([
    ['gate-zeros', 1, expect.stringContaining('shorter than the others')],
    ['zip-zeros', 1, expect.stringContaining('short of a digit')],
  ]);
  expect(first.left).toMatchObject({ totals: ['leases, row 7'], vacant: 1 });
  expect(first.faultyRows.split('\r\n')[1]).toMatch(/^"Gate Code: .*shorter.*,A102,/);
  expect(await rentals()).toEqual([]);
  const { faults, leases, withoutSignIn } = await sheet(siteLink(), [
    ['zip-zeros', ''],
    ['gate-zeros', ''],
  ]);
  expect([faults, leases, withoutSignIn]).toEqual([[], 3, ['Tri-County HVAC, Inc.']]);
  expect(await rentals()).toEqual([
    'Dana Reyes A101 2026-10-30 21500',
    'Dana Reyes A102 2026-12-14 0',
    'Tri-County HVAC, Inc. A103 2026-12-14 -5000',
  ]);
  const { rows } = await sql`SELECT name FROM units ORDER BY name`.execute(api.owner);
  expect(rows).toHaveLength(4);
  const tenants = await api.owner
    .selectFrom('tenants')
    .select(['phone', 'region', 'postal_code'])
    .orderBy('first_name')
    .execute();
  expect(tenants).toEqual([
    { phone: '8175550142 ext. 7', region: 'TX', postal_code: '76020' },
    { phone: null, region: 'MA', postal_code: '02139' },
  ]);
  const again = await sheet(siteLink(), [
    ['zip-zeros', ''],
    ['gate-zeros', ''],
  ]);
  expect([again.left.here, again.faults, (await rentals()).length]).toEqual([3, [], 3]);
});

const storEdge =
  'Tenant;Unit;Start;Paid Through;Rent Rate;Deposit;Rent Due;Insurance Due;Fees Due;Other Due;Prepaid\r\n' +
  'Lee Okafor;B1;3/5/24;10/31/26;150,00;50,00;150,00;0;20,00;0;0\r\n' +
  'Lee Okafor;B2;3/5/24;11/30/26;150,00;0;0;0;0;0;25,00\r\n';

test('dates with two digits for the year are one group of faults, and one remedy reads all of them', async () => {
  const found = await sheet(storEdge);
  expect(found.faults.filter(({ kind }) => kind === 'two-digit-year')).toMatchObject([
    { heading: 'Start', count: 2 },
    { heading: 'Paid Through', count: 2 },
  ]);
  expect(found.faults.find(({ heading }) => heading === 'Start')!.first[0]).toEqual({
    file: 'leases',
    line: 2,
    value: '3/5/24',
    tenant: 'Lee Okafor',
    unit: 'B1',
  });
  const remedies: [string, string][] = [
    ['two-digit-year', ''],
    ['no-size', '10x20'],
    ['no-type', 'Storage'],
  ];
  expect(kindsOf(await sheet(storEdge, remedies))).toEqual([]);
  expect(await rentals()).toEqual([
    'Lee Okafor B1 2026-10-31 17000',
    'Lee Okafor B2 2026-11-30 -2500',
  ]);
});

const sixStorage =
  'Facility Name\tUnit Type\tUnit number\tMove-In Date\tTenant Name\tTenant Phone number 1\tTenant Email\tStorage Price per period\tPaid Thru Date\tNext Billing Date\tAmt\tType of Tenant\n' +
  'Eagle Mountain\tBoat\tC1\t2025-02-01\tMaria Castellanos\t555-0199\tmaria@example.com\t175\t2026-11-30\t2026-12-01\t0\tPersonal\n';

test('a column that is not understood is said, and a finished import keeps the map for its form', async () => {
  const remedies: [string, string][] = [
    ['no-size', '12x30'],
    ['area-code', '817'],
  ];
  const utf16 = new Uint8Array(Buffer.from(`\uFEFF${sixStorage}`, 'utf16le'));
  const first = await sheet(utf16, remedies);
  expect(first.files[0]).toMatchObject({ missing: ['the balance (balance)'] });
  expect(first.files[0]!.columns.find(({ heading }) => heading === 'Amt')).toMatchObject({
    field: null,
    by: 'unknown',
    samples: ['0'],
  });
  expect(first.import).toBeNull();
  const columns = { Amt: 'balance' } as const;
  await sheet(utf16, remedies, { isDryRun: true, columns });
  expect(await rentals()).toEqual([]);
  const unsaid = await sheet(utf16, remedies);
  expect(unsaid.files[0]).toMatchObject({ missing: ['the balance (balance)'] });
  await sheet(utf16, remedies, { columns });
  expect(await rentals()).toEqual(['Maria Castellanos C1 2026-11-30 0']);
  const next = await sheet(utf16, remedies, { isDryRun: true });
  expect([kindsOf(next), next.files[0]!.missing]).toEqual([[], []]);
});

test('what the importer refuses is said at the row of the sheet, with its tenant and unit', async () => {
  const twice = `${storEdge}Ana Ruiz;B1;4/5/24;11/30/26;150,00;0;0;0;0;0;0\r\n`;
  const { faults } = await sheet(twice, [
    ['two-digit-year', ''],
    ['no-size', '10x20'],
    ['no-type', 'Storage'],
  ]);
  expect(faults).toMatchObject([
    {
      kind: 'refused',
      count: 1,
      says: 'unit is rented in row 2',
      first: [{ line: 4, tenant: 'Ana Ruiz', unit: 'B1' }],
    },
  ]);
  expect(await rentals()).toEqual([]);
});

test('a lease that comes twice is a fault, and its remedy leaves the second row out', async () => {
  const twice = `${storEdge}Lee Okafor;B1;3/5/24;10/31/26;150,00;0;0;0;0;0;0\r\n`;
  const remedies: [string, string][] = [
    ['two-digit-year', ''],
    ['no-size', '10x20'],
    ['no-type', 'Storage'],
  ];
  expect(kindsOf(await sheet(twice, remedies))).toEqual([
    ['twice', 1, 'a unit with the same move-in as in another row'],
  ]);
  const { left } = await sheet(twice, [...remedies, ['twice', 'leave-out']]);
  expect([left.byRemedy, (await rentals()).length]).toEqual([1, 2]);
});

test('a tenant without an email is kept without a sign-in, and is not mailed', async () => {
  await sheet(siteLink(), [
    ['zip-zeros', ''],
    ['gate-zeros', ''],
  ]);
  const { rows } = await sql<{
    email: string;
  }>`SELECT email FROM tenants WHERE first_name LIKE 'Tri%'`.execute(api.owner);
  expect(rows[0]!.email).toMatch(/^no-email\+[0-9a-f]{12}@example\.invalid$/);
});

const HEADINGS = 'Unit,Size,Unit Type,Tenant,Move In,Paid Thru,Rent,Balance,Email';
const leaseOf = (unit: string, tenant: string, email = '') =>
  `${unit},10x20,RV,${tenant},11/1/2025,11/30/2026,100,0,${email}`;
const emails = async () => {
  const { rows } = await sql<{ is: string }>`
    SELECT u.name || ' ' || t.email AS is FROM ledgers l JOIN tenants t ON t.id = l.tenant_id
    JOIN units u ON u.id = l.unit_id ORDER BY u.name`.execute(api.owner);
  return rows.map(({ is }) => is);
};

test.each(['stranger@example.com', ''])(
  'a later sheet’s tenant of the same name with the email “%s” is asked for: one tenant keeps the record’s email, two are two',
  async (email) => {
    const first = [HEADINGS, leaseOf('A1', 'Kay Brown', 'kay@example.com')];
    await sheet(first.join('\n'));
    const second = [...first, leaseOf('A2', 'Kay Brown', email)].join('\n');
    expect(kindsOf(await sheet(second)).map(([kind]) => kind)).toEqual(['same-name']);
    expect(await emails()).toEqual(['A1 kay@example.com']);
    await sheet(second, [['same-name', 'two']]);
    expect(await emails()).toEqual([
      'A1 kay@example.com',
      email === '' ? expect.stringMatching(/^A2 no-email/) : `A2 ${email}`,
    ]);
    const third = [HEADINGS, leaseOf('A3', 'Kay Brown', email)].join('\n');
    await sheet(third, [['same-name', 'one']]);
    expect((await emails()).at(-1)).toBe('A3 kay@example.com');
    expect(
      kindsOf(await sheet([HEADINGS, leaseOf('A4', 'Kay Brown', 'kay@example.com')].join('\n'))),
    ).toEqual([]);
  },
);

test('names in other letters are different tenants', async () => {
  await sheet([HEADINGS, leaseOf('A1', 'Иван Петров'), leaseOf('A2', 'Ольга Сидорова')].join('\n'));
  expect(new Set((await emails()).map((one) => one.split(' ')[1])).size).toBe(2);
});
