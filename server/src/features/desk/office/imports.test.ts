import { expect, test } from 'vitest';
import { createLeaseImporter } from '#app/lease-importer.ts';
import { urlOf } from '#operator/imports/import.fixture.ts';
import { workbook } from '#operator/imports/sheets/sheets.fixture.ts';
import { hashToken } from '#http/token.ts';
import { useTestApp } from '#test/app.ts';
import { callOffice, signInStaff } from '#test/office.ts';

const api = useTestApp('demo_template');

const sheet = [
  'Unit,Type,Size,Tenant,Move In,Paid Thru,Rent,Balance,Email,Notes',
  'N901,RV,12x40,Novak Iva,1/15/24,11/30/26,200,0,iva.novak@example.com,likes boats',
  'N902,RV,12x40,Novak Jan,2/15/24,11/30/26,210,50,jan.novak@example.com,',
  'N903,RV,12x40,Kim Sun,3/15/24,11/30/26,220,0,,',
].join('\n');

type Wanted = { remedies?: string[]; isPreview?: boolean; locationCode?: string; as?: string };

async function send(
  files: { name: string; bytes: Uint8Array }[],
  { remedies = [], isPreview = true, locationCode = 'TXDFW03', as }: Wanted = {},
) {
  return callOffice(api, 'POST', '/office/imports', {
    as: as ?? (await signInStaff(api, 'owner')),
    body: {
      isPreview,
      files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
      data: `data:application/octet-stream;base64,${Buffer.concat(files.map(({ bytes }) => bytes)).toString('base64')}`,
      locationCode,
      columns: {},
      remedies,
      joined: [],
      lateFrom: null,
    },
  });
}

const csv = (text = sheet) => [{ name: 'rent-roll.csv', bytes: new Uint8Array(Buffer.from(text)) }];
const countUnits = async () =>
  (await api.sql<{ count: number }>`SELECT count(*) FROM units WHERE name LIKE 'N90%'`)[0]!.count;

test('an owner uploads a sheet, reads its map and faults, applies a remedy and imports it', async () => {
  const { body: first } = await send(csv());
  expect(first.files[0].columns.map((one: { field: string }) => one.field)).toEqual([
    ...['unit', 'unit_type', 'size', 'name', 'moved_in_on', 'paid_through', 'rental_rate'],
    ...['balance', 'email', null],
  ]);
  expect(first.faults.map((one: { kind: string; count: number }) => [one.kind, one.count])).toEqual(
    [
      ['two-digit-year', 3],
      ['two-digit-year', 3],
    ],
  );
  expect(first.faultyRows).toContain('Why,Unit');
  const remedies = ['two-digit-year'];
  const { body: ready } = await send(csv(), { remedies });
  expect([ready.faults, ready.leases, ready.withoutSignIn]).toEqual([[], 3, ['Kim Sun']]);
  expect(ready.balances).toEqual([expect.objectContaining({ facility: 'TXDFW03', charged: 50 })]);
  expect(ready.firstDays).toHaveLength(1);
  expect([ready.isDone, await countUnits()]).toEqual([false, 0]);
  const { body: done } = await send(csv(), { remedies, isPreview: false });
  expect([done.isDone, await countUnits()]).toEqual([true, 3]);
  const { body: again } = await send(csv(), { remedies, isPreview: false });
  expect([again.isDone, again.left]).toEqual([
    false,
    ['3 rentals are here already and were left as they are.'],
  ]);
});

test('the audit trail says of the facility who imported which files', async () => {
  await send(csv(sheet.replaceAll('N90', 'M90')), {
    remedies: ['two-digit-year'],
    isPreview: false,
  });
  const events = await api.sql<{ code: string; by: string; files: string; staff: string }>`
    SELECT f.location_code AS code, e.details->>'by' AS by, e.details->>'files' AS files, m.role AS staff
    FROM audit_events e JOIN facilities f ON f.id = e.facility_id JOIN staff_members m ON m.id = e.staff_id
    WHERE e.details->>'verb' = 'import' ORDER BY e.id DESC LIMIT 1`;
  expect(events).toEqual([
    {
      code: 'TXDFW03',
      by: expect.any(String),
      files: expect.stringMatching(/^rent-roll\.csv [0-9a-f]{64}$/),
      staff: 'owner',
    },
  ]);
});

test('a file that would be read for minutes holds no other call, and is refused in a sentence', async () => {
  const importer = createLeaseImporter(await urlOf(api), api.ctx.config, 3000);
  const before = api.ctx.importLeases;
  api.ctx.importLeases = importer;
  // An attribute of 10 MB, in which the reader of a workbook looks for its end again and again.
  const cell = `<row r="1"><c r="A1" t="${'x'.repeat(10 * 1024 * 1024)}"><v>1</v></c></row>`;
  const bytes = workbook([], cell);
  const waiting = send([{ name: 'rent-roll.xlsx', bytes }]);
  const meanwhile = await callOffice(api, 'GET', '/office/me', {
    as: await signInStaff(api, 'clerk'),
  });
  expect(meanwhile.status).toBe(200);
  const second = await send(csv());
  expect([second.status, second.body.message]).toEqual([
    422,
    'Another import is under way. Wait until it is through.',
  ]);
  const { status, body } = await waiting;
  api.ctx.importLeases = before;
  expect([status, body.message]).toEqual([
    422,
    'The files take longer than 3 seconds: save them as CSV, import fewer at once, or use the command.',
  ]);
});

test.each([
  [
    'no sheet',
    'hello',
    'rent-roll.csv has no row with headings such as Unit, Tenant Name and Balance in its first 30 rows.',
  ],
  ['a broken workbook', 'PK\u0003\u0004x', 'rent-roll.csv is no .xlsx file.'],
])('%s is refused in a sentence', async (_, text, message) => {
  const { status, body } = await send(csv(text));
  expect([status, body.message]).toEqual([422, message]);
});

test('an import by whom an owner has disabled meanwhile keeps nothing', async () => {
  const as = await signInStaff(api, 'owner');
  const before = api.ctx.importLeases;
  api.ctx.importLeases = async (order, refusalOf) => {
    await api.sql`DELETE FROM staff_sessions WHERE token_hash = ${hashToken(as)}`;
    return before(order, refusalOf);
  };
  const text = sheet.replaceAll('N90', 'K90');
  const { status } = await send(csv(text), { as, remedies: ['two-digit-year'], isPreview: false });
  api.ctx.importLeases = before;
  expect(status).toBe(401);
  expect(await api.sql`SELECT FROM units WHERE name LIKE 'K90%'`).toEqual([]);
});
