import { expect, test } from 'vitest';
import { HEADINGS, fieldOf } from './headings.ts';
import { mapColumns } from './column-map.ts';
import { readLeases, type SheetOrder } from './leases.ts';
import {
  isFirmName,
  readDay,
  readEmail,
  readPhone,
  readSize,
  readState,
  readSum,
  readYesNo,
  readZip,
  splitName,
} from './people-values.ts';
import { holdsCardNumber } from '#telemetry/scrub.ts';
import { manyLeases } from '#test/many-leases.ts';
import { groupFaults } from './sheet-faults.ts';
import { workbook } from './sheets.fixture.ts';
import { readTable } from './table.ts';

const TODAY = '2026-11-21';
const none = new Map<string, string>();
const text = 'Unit,Tenant Name,Balance\nÑ1,Núñez,"$1,200.50"\n';
const bytes = (value: string, encoding: BufferEncoding) =>
  new Uint8Array(Buffer.from(value, encoding));

test('the dictionary has at least 150 of the usual headings', () => {
  expect(HEADINGS).toBeGreaterThanOrEqual(150);
  const said = [
    'Unit #',
    'Space',
    'Move In',
    'Paid Thru',
    'Paid-Through Date',
    'Monthly Rate',
    'Std Rate',
    'Balance Due',
    'Tenant Name',
    'First',
    'Last',
    'Company',
    'Cell',
    'ZIP',
    'Gate Code',
  ];
  expect(said.map(fieldOf)).toEqual([
    'unit',
    'unit',
    'moved_in_on',
    'paid_through',
    'paid_through',
    'rental_rate',
    'street_rate',
    'balance',
    'name',
    'first_name',
    'last_name',
    'company',
    'phone',
    'postal_code',
    'access_code',
  ]);
});

test.each<[string, Uint8Array]>([
  ['UTF-8', bytes(text, 'utf8')],
  ['UTF-8 with a mark', bytes(`\uFEFF${text}`, 'utf8')],
  ['UTF-16 with a mark', bytes(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 without a mark', bytes(text, 'utf16le')],
  ['Windows-1252', bytes(text, 'latin1')],
  ['UTF-8 with semicolons', bytes(text.replace(/,(?!\d{3}\.)/g, ';'), 'utf8')],
  ['UTF-8 with tabs', bytes(text.replace(/,(?!\d{3}\.)/g, '\t'), 'utf8')],
  [
    'an .xlsx file',
    workbook([
      ['Unit', 'Tenant Name', 'Balance'],
      ['Ñ1', 'Núñez', '$1,200.50'],
    ]),
  ],
])('a sheet is read from %s', async (_, file) => {
  const { headings, rows } = await readTable('leases', file);
  expect(headings).toEqual(['Unit', 'Tenant Name', 'Balance']);
  expect(rows.map(({ cells }) => cells)).toEqual([['Ñ1', 'Núñez', '$1,200.50']]);
});

test('the headings of a report are found below its title, and days and formulas of a workbook are values', async () => {
  const file = workbook([
    ['Rent Roll'],
    [],
    ['Unit', 'Move In', 'Rent'],
    ['A1', { day: 46340 }, 129.29999999999998],
  ]);
  const { rows } = await readTable('roll.xlsx', file);
  expect(rows).toEqual([{ line: 4, cells: ['A1', '2026-11-14', '129.3'] }]);
  const late = await readTable(
    'late.xlsx',
    workbook([
      ['Unit', 'Move In'],
      ['A1', { day: 1e9 }],
    ]),
  );
  expect(late.rows[0]!.cells).toEqual(['A1', '####']);
  const formula =
    '<row r="1"><c r="A1" t="str"><f>1</f><v>Unit</v></c><c r="B1" t="str"><v>Balance</v></c></row><row r="2"><c r="A2" t="str"><f>HYPERLINK("x")</f><v>A1</v></c><c r="B2"><f>1+1</f><v>2</v></c></row>';
  expect((await readTable('f.xlsx', workbook([], formula))).rows[0]!.cells).toEqual(['A1', '2']);
});

/** A workbook whose directory says of its largest part that it unpacks to so many bytes. */
function saysSize(size: number): Uint8Array {
  const file = Buffer.from(
    workbook([
      ['Unit', 'Balance'],
      ['A1', 'x'.repeat(1000)],
    ]),
  );
  file.writeUInt32LE(size, file.lastIndexOf('PK\u0001\u0002', 0xffff_ffff, 'latin1') + 24);
  return new Uint8Array(file);
}

test.each<[string, () => Uint8Array, RegExp]>([
  ['unpacks to too much', () => saysSize(300_000_000), /more than 200 MB/],
  ['unpacks to more than it says', () => saysSize(10), /is no .xlsx file/],
  [
    'has a cell of 200,000 characters',
    () =>
      workbook([
        ['Unit', 'Balance'],
        ['x'.repeat(200_000), '1'],
      ]),
    /row longer than 100000/,
  ],
  ['is cut off', () => workbook([['Unit', 'Balance']]).slice(0, 300), /is no .xlsx file/],
  ['is no workbook', () => bytes('PK\u0003\u0004nothing', 'latin1'), /is no .xlsx file/],
  ['is an old Excel file', () => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), /before 2007/],
  ['has no headings', () => bytes('a,b\n1,2\n', 'utf8'), /no row with headings/],
  [
    'is a CSV with a cell of 10 MB',
    () => bytes(`Unit,Balance\n${'x'.repeat(10_000_000)},1\n`, 'utf8'),
    /row is longer/,
  ],
])('a file that %s is refused with a sentence', async (_, file, says) => {
  await expect(readTable('hostile', file())).rejects.toThrow(says);
});

test('columns are proposed by their headings, with what is in them; what is not understood is unknown', async () => {
  const table = await readTable(
    'a.csv',
    bytes(
      'Unit,Balance Due,Total Due,Color,Card\nA1,5,7,red,4111 1111 1111 1111\nA2,5,7,,\n',
      'utf8',
    ),
  );
  const columns = mapColumns(table, {}, { color: 'unit_type' });
  expect(columns.map(({ field, by }) => [field, by])).toEqual([
    ['unit', 'dictionary'],
    ['balance', 'dictionary'],
    [null, 'unknown'],
    ['unit_type', 'given'],
    [null, 'unknown'],
  ]);
  expect(columns[3]).toMatchObject({ samples: ['red'], values: 1, filled: 1 });
  expect(columns[4]!.samples).toEqual(['(a card number)']);
});

test.each([
  ['2026-11-01', '2026-11-01'],
  ['11/1/2026', '2026-11-01'],
  ['11-01-2026', '2026-11-01'],
  ['46340', '2026-11-14'],
  ['Nov 3, 2026', '2026-11-03'],
  ['3-Nov-2026', '2026-11-03'],
  ['11/1/2026 12:00:00 AM', '2026-11-01'],
  ['11/1/26', 'two-digit-year'],
  ['25/12/2026', 'day-first'],
  ['2/30/2026', 'day'],
  ['12/31/9999', 'day'],
  ['1899-12-31', 'day'],
  ['00001', 'day'],
  ['soon', 'day'],
])('the day %s is %s', (typed, is) => {
  expect(Object.values(readDay(typed, none, TODAY))).toEqual([is]);
});

test('a year of two digits is 20YY by its remedy, and 19YY where that is over ten years ahead', () => {
  const read = (typed: string) => readDay(typed, new Map([['two-digit-year', '']]), TODAY);
  expect(['3/5/26', '3/5/36', '3/5/37', '3/5/98'].map(read)).toEqual(
    ['2026', '2036', '1937', '1998'].map((year) => ({ value: `${year}-03-05` })),
  );
  expect(
    readDay(
      '5/3/26',
      new Map([
        ['two-digit-year', ''],
        ['day-first', ''],
      ]),
      TODAY,
    ),
  ).toEqual({ value: '2026-03-05' });
});

test.each([
  ['$1,234.50', 123450],
  ['(15.00)', -1500],
  ['15.00-', -1500],
  ['-$15', -1500],
  ['$ 15.00 CR', -1500],
  ['USD 7', 700],
  ['1.234,50', 123450],
  ['-', 0],
  ['$-', 0],
  ['.5', 50],
  ['ten', 'sum'],
  ['1,2', 'sum'],
])('the sum %s is %s', (typed, is) => {
  expect(Object.values(readSum(typed))).toEqual([is]);
});

test('phones, states, ZIP codes, sizes, yes and no and emails are read as people write them', () => {
  const of = (...reads: object[]) => reads.map((read) => Object.values(read)[0] as unknown);
  expect(
    of(
      readPhone('817.555.0142 ext 12', none),
      readPhone('555-0142', none),
      readPhone('555-0142', new Map([['area-code', '817']])),
      readPhone('call me', none),
    ),
  ).toEqual(['8175550142 ext. 12', 'area-code', '8175550142', 'phone']);
  expect(of(readState('texas'), readState('tx'), readState('Tejas'))).toEqual([
    'TX',
    'TX',
    'state',
  ]);
  const zeros = new Map([['zip-zeros', '']]);
  expect(
    of(
      readZip('76020', none),
      readZip('760201234', none),
      readZip('2139', none),
      readZip('2139', zeros),
      readZip('21391234', zeros),
    ),
  ).toEqual(['76020', '76020-1234', 'zip-zeros', '02139', '02139-1234']);
  expect(of(readSize("10' x 20'"), readSize('12X40 RV'), readSize('big'))).toEqual([
    [10, 20],
    [12, 40],
    'size',
  ]);
  expect(of(readYesNo('X'), readYesNo('Exempt'), readYesNo('maybe'))).toEqual([
    true,
    false,
    'yes-no',
  ]);
  expect(
    of(
      readEmail('N/A', none),
      readEmail('a@example.com; b@example.com', none),
      readEmail('a@', none),
      readEmail('Dana@example.com ', none),
    ),
  ).toEqual([null, 'two-emails', 'email', 'Dana@example.com']);
});

test('a name is split into its parts, and a firm’s known', () => {
  expect([splitName('Dana M. Reyes Jr.'), splitName('Reyes, Dana'), splitName('Dana')]).toEqual([
    { first: 'Dana M.', last: 'Reyes Jr.' },
    { first: 'Dana', last: 'Reyes' },
    null,
  ]);
  expect(['Tri-County HVAC, Inc.', 'Reyes Marine LLC', 'Church, Dana'].map(isFirmName)).toEqual([
    true,
    true,
    false,
  ]);
});

test('faults are grouped by kind, with the first places and remedies for all, and no cap hides a kind', () => {
  const fault = (line: number, kind: 'sum' | 'two-digit-year') => ({
    kind,
    file: 'a.csv',
    line,
    field: 'moved_in_on' as const,
    heading: 'Move In',
    value: '3/5/26',
    tenant: 'Dana Reyes',
    unit: 'A1',
  });
  const [days, sums] = groupFaults([
    ...Array.from({ length: 5000 }, (_, line) => fault(line, 'two-digit-year')),
    fault(9, 'sum'),
  ]);
  expect(days).toMatchObject({ count: 5000, heading: 'Move In' });
  expect(days!.first).toHaveLength(5);
  expect(days!.remedies.map(({ remedy }) => remedy)).toEqual([
    'two-digit-year',
    'two-digit-year=leave-out',
  ]);
  expect(sums).toMatchObject({ count: 1, kind: 'sum' });
});

/** What the rows of a sheet become for a facility that is empty. */
async function leasesOf(
  rows: string[],
  remedies: SheetOrder['remedies'] = none,
  headings = 'Unit,Size,Unit Type,Tenant,Move In,Paid Thru,Rent,Balance,Deposit,Gate Code',
) {
  const table = await readTable('a.csv', bytes([headings, ...rows].join('\n'), 'utf8'));
  const facility = {
    ...{ code: 'TXDFW03', name: 'Eagle Mountain', billingKind: 'anniversary' as const },
    ...{ today: TODAY, units: new Set<string>(), ledgers: new Set<string>() },
    emails: new Map<string, string>(),
  };
  const order = { facilities: [facility], facility: facility.code, remedies };
  return readLeases([table], { ...order, keptOf: () => ({}), given: {} });
}

test.each([
  ['sum', 'A1,10x20,RV,Dana Reyes,11/1/2026,11/30/2026,100,0,oops,1234'],
  ['sum', 'A1,10x20,RV,Dana Reyes,11/1/2026,11/30/2026,oops,0,0,1234'],
  ['day', 'A1,10x20,RV,Dana Reyes,11/1/2026,12/31/9999,100,50,0,1234'],
  ['no-type', 'A1,10x20,,Dana Reyes,11/1/2026,11/30/2026,100,0,0,1234'],
  ['no-type', 'A1,10x20,,,,,,,,'],
])(
  'nothing of a row that the remedy %s=leave-out leaves out is imported: %s',
  async (kind, row) => {
    const found = await leasesOf([row]);
    expect(found.faults.map((fault) => fault.kind)).toEqual([kind]);
    const { files, left, leases, withoutSignIn } = await leasesOf(
      [row],
      new Map([[kind, 'leave-out']]),
    );
    expect([[...files.keys()], left.byRemedy, leases, withoutSignIn]).toEqual([[], 1, 0, []]);
  },
);

test('the tenant and unit of a row that is left out are those of the next row that names them', async () => {
  const rows = ['11/1/2026,oops', '11/1/2025,100'].map((terms) => {
    const [day, rent] = terms.split(',');
    return `A1,10x20,RV,Dana Reyes,${day},11/30/2026,${rent},0,0,1234`;
  });
  const { files } = await leasesOf(rows, new Map([['sum', 'leave-out']]));
  expect(
    ['units.csv', 'tenants.csv', 'ledgers.csv'].map((file) => files.get(file)!.length),
  ).toEqual([1, 1, 1]);
});

test('a sheet has more rows with gate codes than a call has arguments', async () => {
  const rows = Array.from({ length: 130_000 }, () => 'Total,1234');
  const { left } = await leasesOf(rows, none, 'Unit,Gate Code');
  expect(left.totals).toHaveLength(130_000);
});

test('no id of a unit and a move-in looks like a card’s number, so that no row is refused for it', async () => {
  const [headings, ...rows] = manyLeases(20_000).split('\n');
  const { files, faults } = await leasesOf(rows, none, headings);
  const ids = files.get('ledgers.csv')!.map(({ cells }) => cells['ledger_id']!);
  expect([faults, ids.filter(holdsCardNumber), new Set(ids).size]).toEqual([[], [], 20_000]);
});
