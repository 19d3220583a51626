import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { StartFault } from '#errors/start-fault.ts';
import { csvLine } from '../cells.ts';
import { importFolder, type ImportContext, type ImportResult } from '../import.ts';
import { keptOf, missingFields, type KeptMap, type MappedColumn } from './column-map.ts';
import { plainHeading } from './headings.ts';
import { originKey, readLeases, type KnownFacility, type Leases } from './leases.ts';
import { groupFaults, type FaultGroup, type Remedies, type SheetFault } from './sheet-faults.ts';
import { readTable, type Table } from './table.ts';

/** Files of another system with one row a lease, and how they are to be read. */
export type Sheets = {
  files: { name: string; bytes: Uint8Array }[];
  /** The facility of rows that name none. */
  facility: string | null;
  /** What is said of columns, by heading. */
  columns: KeptMap;
  remedies: Remedies;
};

/**
 * What came of lease sheets: how they were understood, what is wrong with them, and what the import
 * made of them; null where a column is missing without which there is no lease.
 */
export type SheetsResult = {
  files: {
    file: string;
    sha256: string;
    rows: number;
    columns: MappedColumn[];
    missing: string[];
  }[];
  leases: number;
  left: Leases['left'];
  withoutSignIn: string[];
  faults: FaultGroup[];
  /** The rows with faults as a CSV file, with a column that says why. */
  faultyRows: string;
  import: ImportResult | null;
};

/**
 * Imports lease sheets through the importer: they become its own files in a folder that is deleted
 * after it. Where a value cannot be read nothing is imported, but the rest is checked with it.
 * A finished import keeps the map of the columns for the next sheet with the same headings.
 */
export async function importSheets(
  context: ImportContext,
  sheets: Sheets,
  isDryRun: boolean,
): Promise<SheetsResult> {
  const facilities = await findFacilities(context);
  const [only, ...others] = facilities;
  const tables: Table[] = [];
  for (const { name, bytes } of sheets.files) tables.push(await readTable(name, bytes));
  checkGiven(tables, sheets.columns);
  const kept = await findKept(context, tables);
  const leases = readLeases(tables, {
    facilities,
    facility: sheets.facility ?? (others.length === 0 ? (only?.code ?? null) : null),
    remedies: sheets.remedies,
    keptOf: (form) => kept.get(hashOf(form)) ?? {},
    given: sheets.columns,
  });
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  context.onProgress('Reading the files, rows', { done: rows, total: rows });
  const files = tables.map(({ file, sha256, rows }, index) => {
    const { columns } = leases.columns[index]!;
    return { file, sha256, rows: rows.length, columns, missing: missingFields(columns) };
  });
  const { left, withoutSignIn } = leases;
  const isWhole = files.every(({ missing }) => missing.length === 0);
  // Without its column a value is missing in every row.
  const faults = isWhole ? [...leases.faults] : [];
  const result =
    isWhole && leases.files.size > 0
      ? await importRows(
          { ...context, files: tables },
          leases,
          isDryRun || faults.length > 0,
          faults,
        )
      : null;
  if (!isDryRun && result !== null && result.imported.length > 0)
    await keepMaps(context, tables, leases);
  return {
    files,
    leases: leases.leases,
    left,
    withoutSignIn,
    faults: groupFaults(faults),
    faultyRows: faultyRowsOf(tables, faults),
    import: result,
  };
}

function checkGiven(tables: Table[], given: KeptMap): void {
  for (const heading of Object.keys(given)) {
    const isThere = tables.some(({ headings }) =>
      headings.some((one) => plainHeading(one) === plainHeading(heading)),
    );
    if (!isThere) throw new StartFault(`No file has a column "${heading}".`);
  }
}

async function findFacilities({ db, clock }: ImportContext): Promise<KnownFacility[]> {
  const facilities = await db
    .selectFrom('facilities')
    .select(['id', 'location_code as code', 'name', 'billing_kind as billingKind', 'time_zone'])
    .orderBy('location_code')
    .execute();
  if (facilities.length === 0)
    throw new StartFault(
      'There is no facility here yet: import a folder with corporation.csv and facilities.csv first.',
    );
  const units = await db.selectFrom('units').select(['facility_id', 'name']).execute();
  const ledgers = await db
    .selectFrom('external_ids')
    .select(['facility_id', 'external_id'])
    .where('kind', '=', 'ledger')
    .execute();
  const tenants = await db
    .selectFrom('external_ids as x')
    .innerJoin('tenants as t', 't.id', 'x.row_id')
    .select(['x.facility_id', 'x.external_id', 't.email'])
    .where('x.kind', '=', 'tenant')
    .execute();
  return facilities.map(({ id, time_zone: zone, ...facility }) => ({
    ...facility,
    today: calendarDateIn(zone, clock.now()),
    units: new Set(units.filter((unit) => unit.facility_id === id).map(({ name }) => name)),
    ledgers: new Set(
      ledgers.filter((ledger) => ledger.facility_id === id).map((ledger) => ledger.external_id),
    ),
    emails: new Map(
      tenants.flatMap((one) => (one.facility_id === id ? [[one.external_id, one.email]] : [])),
    ),
  }));
}

const hashOf = (form: string) => createHash('sha256').update(form).digest('hex');

async function findKept({ db }: ImportContext, tables: Table[]): Promise<Map<string, KeptMap>> {
  const rows = await db
    .selectFrom('import_maps')
    .select(['form_hash', 'columns'])
    .where(
      'form_hash',
      'in',
      tables.map(({ form }) => hashOf(form)),
    )
    .execute();
  return new Map(rows.map(({ form_hash, columns }) => [form_hash, columns as KeptMap]));
}

async function keepMaps(
  { db, clock }: ImportContext,
  tables: Table[],
  { columns }: Leases,
): Promise<void> {
  for (const [index, { form }] of tables.entries()) {
    const map = JSON.stringify(keptOf(columns[index]!.columns));
    const kept = { columns: map, kept_at: clock.now() };
    await db
      .insertInto('import_maps')
      .values({ form_hash: hashOf(form), ...kept })
      .onConflict((conflict) => conflict.column('form_hash').doUpdateSet(kept))
      .execute();
  }
}

/** Adds to `faults` what the importer refuses, at the rows of the sheets. */
async function importRows(
  context: ImportContext,
  leases: Leases,
  isDryRun: boolean,
  faults: SheetFault[],
): Promise<ImportResult> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sheets-'));
  try {
    for (const [name, rows] of leases.files) {
      const columns = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))];
      const lines = rows.map(({ cells }) => csvLine(columns.map((column) => cells[column] ?? '')));
      await writeFile(join(folder, name), csvLine(columns) + lines.join(''), { mode: 0o600 });
    }
    const result = await importFolder(context, folder, isDryRun);
    for (const { file, line, column, says } of result.faults.listed) {
      // The first line has the headings.
      const from = line === null ? undefined : leases.files.get(file)?.[line - 2]?.from;
      const origin = from && leases.origins.get(originKey(from));
      // The importer counts the lines of its own file.
      const text = says.replace(/in line (\d+)/, (whole, other: string) => {
        const row = leases.files.get(file)?.[Number(other) - 2]?.from.line;
        return row === undefined ? whole : `in row ${row}`;
      });
      faults.push({
        kind: 'refused',
        file: from?.file ?? file,
        line: from?.line ?? 0,
        field: null,
        heading: null,
        value: '',
        tenant: origin?.tenant ?? '',
        unit: origin?.unit ?? '',
        says: column === null ? text : `${column} ${text}`,
      });
    }
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function faultyRowsOf(tables: Table[], faults: SheetFault[]): string {
  const why = new Map<string, string[]>();
  for (const fault of faults) {
    const [{ says }] = groupFaults([fault]) as [FaultGroup];
    const text = fault.heading === null ? says : `${fault.heading}: ${says}`;
    const key = originKey(fault);
    why.set(key, [...(why.get(key) ?? []), text]);
  }
  return tables
    .map((table) => {
      const rows = table.rows.filter(({ line }) => why.has(originKey({ ...table, line })));
      const lines = rows.map(({ line, cells }) => {
        const padded = table.headings.map((_, place) => cells[place] ?? '');
        return csvLine([why.get(originKey({ ...table, line }))!.join('; '), ...padded]);
      });
      return rows.length === 0 ? '' : csvLine(['Why', ...table.headings]) + lines.join('');
    })
    .join('');
}
