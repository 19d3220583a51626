import { workbook } from '../../server/src/operator/imports/sheets/sheets.fixture.ts';

/** A file as another system exports it, with invented people; one row in twenty is at fault. */
export type Export = { name: string; bytes: Buffer };

export const LEASES = Number(process.env.LEASES ?? 900);
const FIRST_NAMES = ['Ana', 'Ben', 'Cora', 'Dev', 'Ela', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jun'];
const LAST_NAMES = ['Novak', 'Okafor', 'Reyes', 'Kim', 'Lund', 'Moreau', 'Patel', 'Silva', 'Weiss'];

/** A lease as its values are usually written; money in dollars. */
type Lease = {
  at: number;
  first: string;
  last: string;
  unit: string;
  movedIn: [year: number, month: number, day: number];
  rate: number;
  balance: number;
  email: string;
  phone: string;
};

function leasesOf(form: string): Lease[] {
  return Array.from({ length: LEASES }, (_, at) => {
    const last = `${LAST_NAMES[at % LAST_NAMES.length]!}${letters(at)}`;
    const first = FIRST_NAMES[at % FIRST_NAMES.length]!;
    return {
      at,
      first,
      last,
      unit: `${form.toUpperCase()}${1000 + at}`,
      movedIn: [2020 + (at % 6), 1 + (at % 12), 1 + (at % 28)],
      rate: 90 + 5 * (at % 30),
      balance: at % 9 === 0 ? 90 + 5 * (at % 30) : 0,
      email: `${first}.${last}.${form}@example.com`.toLowerCase(),
      phone: `817${2_345_678 + 7 * at}`,
    };
  });
}

/** Makes each name one of its own: `a`, `b`, … `za`. */
function letters(at: number): string {
  const letter = String.fromCharCode(97 + (at % 26));
  return at < 26 ? letter : `${letters(Math.floor(at / 26) - 1)}${letter}`;
}

/** Every twentieth value of a column is another one, which is at fault. */
const faulty = (at: number, offset: number) => at % 100 === offset * 20;
const two = (value: number) => String(value).padStart(2, '0');
const us = ([year, month, day]: Lease['movedIn']) => `${month}/${day}/${year}`;
const short = ([year, month, day]: Lease['movedIn']) => `${month}/${day}/${String(year).slice(2)}`;
const iso = ([year, month, day]: Lease['movedIn']) => `${year}-${two(month)}-${two(day)}`;
const dashed = (phone: string) => phone.replace(/(\d{3})(\d{3})(\d{4})/, '($1) $2-$3');
const sized = (at: number) => (faulty(at, 4) ? 'large' : '12x40');
const dollars = (sum: number) => `$${sum.toFixed(2)}`;
const THRU = '11/30/2026';

const quoted = (cell: string) => (/[",;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const text = (rows: string[][], comma = ',') =>
  rows.map((row) => row.map(quoted).join(comma)).join('\r\n');

/** Faults that every form has: no email, a phone without area code, a name of one word. */
const emailOf = ({ at, email }: Lease) => (faulty(at, 0) ? 'none' : email);
const phoneOf = ({ at, phone }: Lease) => dashed(phone).slice(faulty(at, 1) ? 6 : 0);
const nameOf = ({ at, first, last }: Lease) => (faulty(at, 2) ? last : `${last}, ${first}`);
const stateOf = ({ at }: Lease) => (faulty(at, 3) ? 'Texico' : 'TX');

type Form = { headings: string[]; row: (lease: Lease) => string[] };

const address = ['Address', 'City', 'State', 'ZIP'];
const addressOf = (lease: Lease) => [
  `${lease.at + 1} Main Street`,
  'Azle',
  stateOf(lease),
  '76020',
];

const siteLink: Form = {
  headings: [
    ...['Unit', 'Size', 'Type', 'Tenant', 'Move In', 'Paid Thru', 'Rent', 'Std Rate', 'Balance'],
    ...['Gate Code', 'Phone', 'Email', ...address],
  ],
  row: (lease) => [
    ...[lease.unit, sized(lease.at), 'RV', nameOf(lease), us(lease.movedIn), THRU],
    ...[dollars(lease.rate), dollars(lease.rate + 10), dollars(lease.balance)],
    ...[String(400_000 + lease.at), phoneOf(lease), emailOf(lease), ...addressOf(lease)],
  ],
};

const siteLinkShort: Form = {
  headings: siteLink.headings.with(4, 'Move-In Date').with(5, 'Paid-Thru Date'),
  row: (lease) => siteLink.row(lease).with(4, short(lease.movedIn)).with(5, '11/30/26'),
};

const storEdge: Form = {
  headings: [
    ...['Tenant', 'Unit', 'Start', 'Paid Through', 'Rent Rate', 'Deposit', 'Rent Due'],
    ...['Insurance Due', 'Fees Due', 'Other Due', 'Prepaid', 'Phone', 'Email', 'State'],
  ],
  row: (lease) => [
    ...[nameOf(lease), lease.unit, short(lease.movedIn), '11/30/26', String(lease.rate), '50'],
    ...[String(lease.balance), '0', '0', '0', '0', phoneOf(lease), emailOf(lease), stateOf(lease)],
  ],
};

const easyStorage: Form = {
  headings: [
    ...['Space', 'Space Size', 'Space Type', 'First Name', 'Last Name', 'Cell Phone'],
    ...['Email Address', 'Lease Start', 'Paid Until', 'Monthly Rate', 'Total Due', ...address],
  ],
  row: (lease) => [
    ...[lease.unit, sized(lease.at), 'Boat', lease.first, lease.last, phoneOf(lease)],
    ...[emailOf(lease), us(lease.movedIn), THRU, String(lease.rate), String(lease.balance)],
    ...addressOf(lease),
  ],
};

const sixStorage: Form = {
  headings: [
    ...['Unit Type', 'Unit number', 'Move-In Date', 'Tenant Name', 'Tenant Phone number 1'],
    ...['Tenant Email', 'Storage Price per period', 'Paid Thru Date', 'Amt', 'Tenant State'],
  ],
  row: (lease) => [
    ...['Boat', lease.unit, iso(lease.movedIn), nameOf(lease), phoneOf(lease), emailOf(lease)],
    ...[String(lease.rate), '2026-11-30', String(lease.balance), stateOf(lease)],
  ],
};

const storeganise: Form = {
  headings: [
    ...['Unit Name', 'Width', 'Length', 'Unit Category', 'Customer Name', 'Primary Email'],
    ...['Mobile', 'Start Date', 'Paid To', 'Price', 'Outstanding Balance', 'Region'],
  ],
  row: (lease) => [
    ...[lease.unit, '12', '40', 'RV', nameOf(lease), emailOf(lease), phoneOf(lease)],
    ...[
      iso(lease.movedIn),
      '2026-11-30',
      String(lease.rate),
      String(lease.balance),
      stateOf(lease),
    ],
  ],
};

const byHand: Form = {
  headings: [
    ...['Space #', 'Dims', 'Type', 'Renter', 'Moved In', 'PTD', 'Rent/Month', 'Owes', 'Cell'],
    ...['E-mail', 'St', 'Notes'],
  ],
  row: (lease) => [
    ...[lease.unit, sized(lease.at), 'RV', nameOf(lease), short(lease.movedIn), '11/30/26'],
    ...[dollars(lease.rate), lease.balance === 0 ? '-' : dollars(lease.balance)],
    ...[phoneOf(lease), emailOf(lease), stateOf(lease), faulty(lease.at, 2) ? 'boat' : ''],
  ],
};

const rows = (form: Form, tag: string) => [form.headings, ...leasesOf(tag).map(form.row)];
const utf8 = (sheet: string) => Buffer.from(sheet);

/** Eight files, each of 900 leases, by what they are exports of. */
export const exports: Record<string, () => Export> = {
  'SiteLink, .xlsx': () => ({
    name: 'rent-roll.xlsx',
    bytes: Buffer.from(workbook([['Consolidated Rent Roll'], ...rows(siteLink, 'a')])),
  }),
  'SiteLink, CSV with short years': () => ({
    name: 'rent-roll.csv',
    bytes: utf8(text(rows(siteLinkShort, 'b'))),
  }),
  'storEDGE, CSV with semicolons': () => ({
    name: 'ledgers.csv',
    bytes: utf8(text(rows(storEdge, 'c'), ';')),
  }),
  'Easy Storage, CSV': () => ({
    name: 'customers.csv',
    bytes: utf8(text(rows(easyStorage, 'd'))),
  }),
  '6Storage, tabs in UTF-16': () => ({
    name: 'tenants.txt',
    bytes: Buffer.from(`\uFEFF${text(rows(sixStorage, 'e'), '\t')}`, 'utf16le'),
  }),
  'Storeganise, CSV': () => ({
    name: 'units.csv',
    bytes: utf8(text(rows(storeganise, 'f'))),
  }),
  'by hand, .xlsx': () => ({
    name: 'tenants.xlsx',
    bytes: Buffer.from(workbook(rows(byHand, 'g'))),
  }),
  'by hand, CSV in Windows-1252 with totals': () => ({
    name: 'tenants.csv',
    bytes: Buffer.from(
      text([
        ...rows(byHand, 'h'),
        ['Totals', '', '', '', '', '', '$150,000.00', '', '', '', '', ''],
      ]),
      'latin1',
    ),
  }),
};
