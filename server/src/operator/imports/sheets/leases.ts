import { createHash } from 'node:crypto';
import { plainText } from '@gatehouse/contract/typed';
import type { BillingKind } from '#db/tables.ts';
import { holdsCardNumber } from '#telemetry/scrub.ts';
import { mapColumns, type KeptMap, type MappedColumn } from './column-map.ts';
import { plainHeading, type SheetField } from './headings.ts';
import { openingOf } from './opening.ts';
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
  type Read,
} from './people-values.ts';
import { leavesOut, type FaultKind, type Remedies, type SheetFault } from './sheet-faults.ts';
import type { SheetRow, Table } from './table.ts';

/** A facility that is here, with the ids that it has: what of a sheet is here is not made again. */
export type KnownFacility = {
  code: string;
  name: string;
  billingKind: BillingKind;
  today: string;
  units: ReadonlySet<string>;
  ledgers: ReadonlySet<string>;
  /** The email of each tenant by the id of an import. */
  emails: ReadonlyMap<string, string>;
};

/** A row for a file of the import, by its columns, and the row of the sheet that it comes of. */
export type FileRow = { cells: Record<string, string>; from: { file: string; line: number } };

/** Where a row of a sheet is and whose it is, for a fault that is found later. */
type Origin = { table: Table; row: SheetRow; tenant: string; unit: string };

/** What lease sheets come to: rows for the files of the import, and what was not taken. */
export type Leases = {
  files: Map<string, FileRow[]>;
  /** The units that rows of the sheets name and that are not here yet. */
  units: Set<string>;
  ledgers: Set<string>;
  faults: SheetFault[];
  origins: Map<string, Origin>;
  columns: { file: string; columns: MappedColumn[] }[];
  leases: number;
  /**
   * Rows of totals, units without a tenant, headings that come again, and rentals that are here.
   */
  left: { totals: string[]; vacant: number; headings: number; here: number; byRemedy: number };
  /** Tenants without an email, who are kept without a sign-in. */
  withoutSignIn: string[];
};

/** What sheets are read by. */
export type SheetOrder = {
  facilities: KnownFacility[];
  /** The facility of rows that name none; null where each must. */
  facility: string | null;
  remedies: Remedies;
  /** The map that was kept of a form, and what is said of its columns now. */
  keptOf: (form: string) => KeptMap;
  given: KeptMap;
};

/** Names an origin. */
export const originKey = ({ file, line }: { file: string; line: number }) => `${file}:${line}`;

/** Turns lease sheets, one row a lease, into rows of the import's own files. */
export function readLeases(tables: Table[], order: SheetOrder): Leases {
  const leases: Leases = {
    files: new Map(),
    units: new Set(),
    ledgers: new Set(),
    faults: [],
    origins: new Map(),
    columns: [],
    leases: 0,
    left: { totals: [], vacant: 0, headings: 0, here: 0, byRemedy: 0 },
    withoutSignIn: [],
  };
  const tenants = new Map<string, Tenant>();
  for (const table of tables) {
    const given = Object.fromEntries(
      Object.entries(order.given).filter(([heading]) =>
        table.headings.some((one) => plainHeading(one) === plainHeading(heading)),
      ),
    );
    const columns = mapColumns(table, order.keptOf(table.form), given);
    leases.columns.push({ file: table.file, columns });
    const usual = usualCodeLength(table, columns);
    for (const row of table.rows) {
      const reader = new RowReader(table, columns, row, order);
      const skipped = skippedAs(reader, table);
      if (skipped === 'vacant') leases.left.vacant += 1;
      if (skipped === 'headings') leases.left.headings += 1;
      if (skipped === 'totals') leases.left.totals.push(`${table.file}, row ${row.line}`);
      if (skipped === 'vacant') addUnit(leases, reader);
      if (skipped === null) addLease(leases, reader, tenants, usual);
      if (reader.isLeftOut) leases.left.byRemedy += 1;
      else {
        for (const add of reader.adds) add();
        leases.faults.push(...reader.faults);
      }
    }
  }
  return leases;
}

const TOTALS = /^(grand|sub|report|page|site)?[ -]?totals?\b/i;
const VACANT = /^(vacant|available|unrented|empty|unoccupied|-+)$/i;

/** What a row is that is no lease; null for one. */
function skippedAs(row: RowReader, table: Table): 'totals' | 'vacant' | 'headings' | null {
  const { cells } = row.row;
  if (
    cells.every((cell, place) => plainHeading(cell) === plainHeading(table.headings[place] ?? ''))
  )
    return 'headings';
  const hasTenant = row.tenantName !== '';
  const hasDays = row.text('moved_in_on') !== '' || row.text('paid_through') !== '';
  if (!hasDays && cells.some((cell) => TOTALS.test(cell.trim()))) return 'totals';
  if (hasTenant || hasDays) return null;
  const numbers = cells.filter((cell) => cell.trim() !== '').map((cell) => readSum(cell));
  const isAllNumbers = numbers.length > 0 && numbers.every((read) => 'value' in read);
  if (row.text('unit') === '' || (isAllNumbers && row.row === table.rows.at(-1))) return 'totals';
  return 'vacant';
}

/** Reads the cells of a row, and keeps what is wrong with them. */
class RowReader {
  readonly faults: SheetFault[] = [];
  isLeftOut = false;
  /** What the row adds to the leases unless it is left out. */
  readonly adds: (() => void)[] = [];
  readonly table: Table;
  readonly row: SheetRow;
  readonly order: SheetOrder;
  /** The remedies that change values; the others leave rows out. */
  readonly fixes: Remedies;
  readonly #places: Map<SheetField, { place: number; heading: string }>;

  constructor(table: Table, columns: MappedColumn[], row: SheetRow, order: SheetOrder) {
    this.table = table;
    this.row = row;
    this.order = order;
    this.fixes = new Map([...order.remedies].filter(([, what]) => what !== 'leave-out'));
    this.#places = new Map(
      columns.flatMap(({ field, heading }, place) =>
        field === null ? [] : [[field, { place, heading }] as const],
      ),
    );
  }

  has(field: SheetField): boolean {
    return this.#places.has(field);
  }

  text(field: SheetField): string {
    const place = this.#places.get(field)?.place;
    return place === undefined
      ? ''
      : plainText(this.row.cells[place] ?? '')
          .replace(/\s+/g, ' ')
          .trim();
  }

  /** As the sheet has it. */
  get tenantName(): string {
    const name =
      this.text('company') ||
      this.text('name') ||
      `${this.text('first_name')} ${this.text('last_name')}`.trim();
    return VACANT.test(name) ? '' : name;
  }

  fault(kind: FaultKind, field: SheetField | null): void {
    if (leavesOut(this.order.remedies, kind)) this.isLeftOut = true;
    this.faults.push({
      kind,
      field,
      file: this.table.file,
      line: this.row.line,
      heading: field === null ? null : (this.#places.get(field)?.heading ?? null),
      value: field === null ? '' : this.text(field).slice(0, 80),
      tenant: this.tenantName,
      unit: this.text('unit'),
    });
  }

  /** The value of a cell, null for an empty one and for one that cannot be read. */
  read<T>(field: SheetField, by: (text: string) => Read<T>): T | null {
    const text = this.text(field);
    if (text === '') return null;
    const read = by(text);
    if ('value' in read) return read.value;
    // So `phone` leaves every phone empty that cannot be read.
    if (!this.fixes.has(read.fault)) this.fault(read.fault, field);
    return null;
  }

  day(field: SheetField, today: string): string | null {
    return this.read(field, (text) => readDay(text, this.fixes, today));
  }
}

function addRow(leases: Leases, file: string, reader: RowReader, cells: FileRow['cells']): void {
  const { table, row, tenantName: tenant } = reader;
  const from = { file: table.file, line: row.line };
  reader.adds.push(() => {
    const rows = leases.files.get(file) ?? [];
    rows.push({ cells, from });
    leases.files.set(file, rows);
    leases.origins.set(originKey(from), { table, row, tenant, unit: reader.text('unit') });
  });
}

function facilityOf(reader: RowReader): KnownFacility | null {
  const { facilities, facility } = reader.order;
  const text = reader.text('facility');
  const plain = plainHeading(text);
  const found = facilities.find(({ code, name }) =>
    text === '' ? code === facility : [code, name].some((one) => plainHeading(one) === plain),
  );
  const meant = facilities.find(
    ({ code }) =>
      code === (reader.fixes.get('facility') ?? (facilities.length === 1 ? facility : null)),
  );
  if (found === undefined && meant === undefined) reader.fault('facility', 'facility');
  return found ?? meant ?? null;
}

/** A unit that is not here yet, with its size and type. */
function addUnit(leases: Leases, reader: RowReader): KnownFacility | null {
  const facility = facilityOf(reader);
  const unit = reader.text('unit');
  if (facility === null || facility.units.has(unit)) return facility;
  const key = `${facility.code}|${unit}`;
  if (leases.units.has(key)) return facility;
  reader.adds.push(() => leases.units.add(key));
  const type = reader.text('unit_type') || (reader.fixes.get('no-type') ?? '');
  const sides = [reader.text('width'), reader.text('length')].filter(Boolean).join('x');
  const given = reader.text('size') || sides;
  const read = readSize(given);
  const meant = readSize(reader.fixes.get(given === '' ? 'no-size' : 'size') ?? '');
  const size = 'value' in read ? read : meant;
  if (type === '') reader.fault('no-type', 'unit_type');
  if ('fault' in size) reader.fault(given === '' ? 'no-size' : 'size', 'size');
  if (type === '' || 'fault' in size) return facility;
  const [width, length] = size.value;
  addRow(leases, 'units.csv', reader, {
    facility: facility.code,
    unit,
    width_feet: String(width),
    length_feet: String(length),
    unit_type: type,
  });
  return facility;
}

type Tenant = { id: string; name: string; contacts: Set<string>; cells: FileRow['cells'] };

function addLease(
  leases: Leases,
  reader: RowReader,
  tenants: Map<string, Tenant>,
  usualLength: number,
): void {
  const unit = reader.text('unit');
  if (unit === '') {
    reader.fault('no-unit', 'unit');
    return;
  }
  const facility = addUnit(leases, reader);
  if (facility === null) return;
  const { today } = facility;
  const movedIn = needed(reader, 'moved_in_on', reader.day('moved_in_on', today));
  const id = reader.text('ledger_id') || asNoCard(`${unit} ${movedIn ?? ''}`);
  if (facility.ledgers.has(id)) {
    leases.left.here += 1;
    return;
  }
  const key = `${facility.code}|${id}`;
  if (leases.ledgers.has(key)) reader.fault('twice', 'unit');
  reader.adds.push(() => leases.ledgers.add(key));
  const tenant = addTenant(leases, reader, facility, tenants);
  const rate = needed(reader, 'rental_rate', reader.read('rental_rate', readSum));
  const nextBill = reader.day('next_billing_on', today);
  const paid = reader.has('paid_through') ? reader.day('paid_through', today) : null;
  const balance = balanceOf(reader);
  const code = accessCode(reader, usualLength);
  const movedOut = reader.day('moved_out_on', today);
  const taxed = reader.read('taxed', readYesNo);
  const billingDay = /^(\d{1,2})(st|nd|rd|th)?$/.exec(reader.text('billing_day'))?.[1] ?? '';
  const paidField = reader.has('paid_through') ? 'paid_through' : 'next_billing_on';
  if (paid === null && nextBill === null) needed(reader, paidField, null);
  if (tenant === null || movedIn === null || rate === null || reader.faults.length > 0) return;
  reader.adds.push(() => (leases.leases += 1));
  const common = { facility: facility.code, ledger_id: id };
  const opening = openingOf({
    id,
    facility,
    rate,
    balance,
    billingDay,
    movedIn,
    paidThrough: paid,
    nextBill,
    deposit: reader.read('deposit', readSum) ?? 0,
  });
  addRow(leases, 'ledgers.csv', reader, {
    ...common,
    tenant_id: tenant.id,
    unit,
    moved_in_on: movedIn,
    moved_out_on: movedOut ?? '',
    rental_rate: dollars(rate),
    paid_through: opening.paidThrough,
    billing_day: billingDay,
    balance: dollars(balance),
    ...(taxed !== null && { taxed: taxed ? 'yes' : 'no' }),
  });
  for (const charge of opening.charges)
    addRow(leases, 'charges.csv', reader, { ...common, ...charge });
  for (const payment of opening.payments)
    addRow(leases, 'payments.csv', reader, { ...common, ...payment });
  if (code !== null) addRow(leases, 'gate-codes.csv', reader, { ...common, access_code: code });
}

const dollars = (cents: number) => (cents / 100).toFixed(2);

function needed<T>(reader: RowReader, field: SheetField, value: T | null): T | null {
  if (value === null && reader.text(field) === '') reader.fault('empty', field);
  return value;
}

/** The balance, or what rent, fees, insurance and the rest of it come to, less what is prepaid. */
function balanceOf(reader: RowReader): number {
  if (reader.has('balance')) return reader.read('balance', readSum) ?? 0;
  const due = (['rent_due', 'fees_due', 'insurance_due', 'other_due'] as const).map(
    (field) => reader.read(field, readSum) ?? 0,
  );
  const prepaid = Math.abs(reader.read('prepaid', readSum) ?? 0);
  return due.reduce((sum, cents) => sum + cents, 0) - prepaid;
}

/** How many digits most codes of a table have; 0 where that is not clear. */
function usualCodeLength(table: Table, columns: MappedColumn[]): number {
  const place = columns.findIndex(({ field }) => field === 'access_code');
  const lengths = table.rows
    .map(({ cells }) => (cells[place] ?? '').trim())
    .filter((code) => /^\d+$/.test(code))
    .map((code) => code.length);
  const most = lengths.reduce((longest, length) => Math.max(longest, length), 0);
  return lengths.filter((length) => length === most).length * 2 > lengths.length ? most : 0;
}

function accessCode(reader: RowReader, usualLength: number): string | null {
  return reader.read<string>('access_code', (text) => {
    const code = text.replace(/\s/g, '');
    const isShort = /^\d+$/.test(code) && code.length < usualLength;
    const fix = reader.fixes.get('gate-zeros');
    if (isShort && fix === undefined) return { fault: 'gate-zeros' };
    const whole = isShort && fix !== 'as-is' ? code.padStart(usualLength, '0') : code;
    return /^[*#]?[0-9A-Za-z]{4,18}[*#]?$/.test(whole) ? { value: whole } : { fault: 'gate-code' };
  });
}

type Name = { company: string; first: string; last: string };

/** What a record is called; a firm without a contact is greeted by its own name. */
function nameOf(reader: RowReader): Name | null {
  const isFirm = reader.read('is_firm', readYesNo) === true;
  const company = reader.text('company');
  const name = reader.text('name');
  const [first, last] = [reader.text('first_name'), reader.text('last_name')];
  const contact = first !== '' && last !== '' ? { first, last } : null;
  if (company !== '')
    return { company, ...(contact ?? splitName(name) ?? { first: company, last: '' }) };
  if (contact !== null && !isFirm) return { company, ...contact };
  const whole = name || `${first} ${last}`.trim();
  if (isFirm || isFirmName(whole)) return { company: whole, first: whole, last: '' };
  const split = splitName(whole);
  if (split !== null) return { company, ...split };
  if (reader.fixes.has('one-name')) return { company, first: whole, last: '-' };
  reader.fault('one-name', 'name');
  return null;
}

const contactFields = ['email', 'phone', 'street1', 'postal_code'] as const;

/**
 * The tenant of a row: by the sheet's own number, else by the name, which rows with a common
 * contact, or with none, share. A record that is here is another tenant's unless its email is that
 * of the row, or staff said so; then it keeps its email.
 */
function addTenant(
  leases: Leases,
  reader: RowReader,
  facility: KnownFacility,
  tenants: Map<string, Tenant>,
): Tenant | null {
  if (reader.tenantName === '') {
    reader.fault('empty', 'name');
    return null;
  }
  const name = nameOf(reader);
  const cells = contactOf(reader);
  if (name === null) return null;
  const plain = plainName(name.company || `${name.first}${name.last}`);
  const contacts = new Set(
    contactFields.flatMap((field) => {
      const value = plainHeading(cells[field]);
      return value === '' ? [] : [`${field}:${value}`];
    }),
  );
  const given = reader.text('tenant_id');
  const key = [facility.code, given || plain].join('|');
  let known = tenants.get(key);
  if (known !== undefined && given !== '' && known.name !== plain) {
    if (!reader.fixes.has('tenant-differs')) reader.fault('tenant-differs', 'tenant_id');
  }
  const idOf = (...more: string[]) =>
    asNoCard(`${plainHeading(plain).slice(0, 40)}-${digest([plain, ...more])}`);
  const emailOf = (tenantId: string) =>
    cells.email || `no-email+${digest([facility.code, tenantId])}@example.invalid`;
  const emailHere = given === '' && known === undefined ? facility.emails.get(idOf()) : undefined;
  const isOther =
    known === undefined
      ? emailHere !== undefined && emailHere.toLowerCase() !== emailOf(idOf()).toLowerCase()
      : given === '' &&
        contacts.size > 0 &&
        known.contacts.size > 0 &&
        [...contacts].every((contact) => !known!.contacts.has(contact));
  const same = reader.fixes.get('same-name');
  if (isOther && same === undefined) reader.fault('same-name', 'name');
  const otherKey = [key, ...contacts].join('|');
  if (isOther && same === 'two') known = tenants.get(otherKey);
  if (known !== undefined) return known;
  const isTwo = isOther && same !== 'one';
  // Without a contact it is the unit that makes two of them.
  const more = contacts.size > 0 ? [...contacts] : [reader.text('unit')];
  const id = given || (isTwo ? idOf(...more) : idOf());
  const tenant = { id, name: plain, contacts, cells };
  reader.adds.push(() => tenants.set(isTwo ? otherKey : key, tenant));
  if (cells.email === '')
    reader.adds.push(() => leases.withoutSignIn.push(name.company || `${name.first} ${name.last}`));
  addRow(leases, 'tenants.csv', reader, {
    facility: facility.code,
    tenant_id: id,
    company: name.company,
    first_name: name.first,
    last_name: name.last,
    ...cells,
    email: (!isTwo && emailHere) || emailOf(id),
  });
  return tenant;
}

/** An id of our own, whose digits must not look like a card's number by chance. */
const asNoCard = (id: string) => (holdsCardNumber(id) ? id.replaceAll(/[ -](?=\d)/g, ': ') : id);

/** Letters of every script. */
const plainName = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const digest = (parts: string[]) =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);

function contactOf(reader: RowReader) {
  const { fixes } = reader;
  const phone = reader.text('phone') === '' ? 'other_phone' : 'phone';
  return {
    email: reader.read('email', (text) => readEmail(text, fixes)) ?? '',
    phone: reader.read(phone, (text) => readPhone(text, fixes)) ?? '',
    street1: reader.text('street1'),
    street2: reader.text('street2'),
    city: reader.text('city'),
    region: reader.read('region', readState) ?? '',
    postal_code: reader.read('postal_code', (text) => readZip(text, fixes)) ?? '',
  };
}
