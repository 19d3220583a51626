import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CsvError, parse } from 'csv-parse';
import { holdsCardNumber } from '#telemetry/scrub.ts';
import { unmarkFormula } from './cells.ts';
import type { Faults } from './faults.ts';
import type { Column, ImportFile } from './columns.ts';
import { becauseOf } from './folder-faults.ts';
import { readValue, type Value } from './values.ts';

/**
 * A row, its values in the order of the file's columns: null also where the header has no such
 * column, and where a cell could not be read, which makes it unsound.
 */
export type Row = { line: number; isSound: boolean; values: Value[] };

/** How much of a file was read, in bytes. */
type Progress = (progress: { done: number; total: number }) => void;

/**
 * The longest row, in characters: a quote that is never closed must not take the rest of the file
 * into memory.
 */
const LONGEST_ROW = 100_000;
const BATCH = 1000;
const LONGEST_QUOTE = 40;

/**
 * Reads a file of the folder row by row, in batches. What is wrong is added to `faults`. A file
 * that is not there is none; one whose header is none of ours has faults and no rows.
 */
export async function readFile(
  folder: string,
  file: ImportFile,
  faults: Faults,
  {
    onHeader,
    onRows,
    onProgress,
  }: {
    onHeader: (columns: Set<string>) => void;
    onRows: (rows: Row[]) => Promise<void> | void;
    onProgress: Progress;
  },
): Promise<void> {
  const path = join(folder, file.name);
  const fault = (line: number | null, says: string) =>
    faults.add({ file: file.name, line, column: null, facility: null, says });
  const unreadable = (code: string) => fault(null, `cannot be read ${becauseOf(code)}`);
  const total = await sizeOf(path, unreadable);
  if (total === null) return;
  const bytes = createReadStream(path);
  const parser = parse({ bom: true, relax_column_count: true, max_record_size: LONGEST_ROW });
  // An error on either side ends the loop below.
  bytes.on('error', (error) => parser.destroy(error)).pipe(parser);
  let cells: Cells | null = null;
  let rows: Row[] = [];
  let next = 1;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      const line = next;
      next += 1 + lineBreaksIn(record);
      if (record.every((cell) => cell.trim() === '')) continue;
      if (cells === null) {
        cells = readHeader(file, record, (says) => fault(line, says));
        if (cells === null) return;
        onHeader(new Set(cells.map(({ name }) => name)));
        continue;
      }
      const row = readRow(file, cells, { line, record }, faults);
      if (row !== null) rows.push(row);
      if (rows.length < BATCH) continue;
      await onRows(rows);
      rows = [];
      onProgress({ done: bytes.bytesRead, total });
    }
  } catch (error) {
    if (error instanceof CsvError)
      fault(next, `cannot be read from about here on: ${csvFault(error.code)}`);
    else if (error === bytes.errored) {
      unreadable((error as NodeJS.ErrnoException).code ?? 'unknown fault');
      return;
    } else throw error;
  } finally {
    bytes.destroy();
  }
  if (cells === null) fault(null, 'is empty: its first line must name the columns');
  if (rows.length > 0) await onRows(rows);
  onProgress({ done: total, total });
}

/** The file's columns in the order of the header. */
type Cells = (Column & { place: number })[];

/**
 * Null where there is no such file, and where it cannot be read, which is reported to `unreadable`.
 */
async function sizeOf(path: string, unreadable: (code: string) => void): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    const { code = 'unknown fault' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') unreadable(code);
    return null;
  }
}

function lineBreaksIn(record: string[]): number {
  return record.reduce((count, cell) => count + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

function csvFault(code: string): string {
  if (code.includes('QUOTE'))
    return 'a quotation mark is not closed, or stands inside a cell by itself';
  if (code === 'CSV_MAX_RECORD_SIZE') return `a row is longer than ${LONGEST_ROW} characters`;
  return 'it is no CSV';
}

/**
 * Names count in any case, with spaces or dashes for underscores. Null, with the faults reported,
 * where a file has no such header.
 */
function readHeader(
  file: ImportFile,
  record: string[],
  fault: (says: string) => void,
): Cells | null {
  const names = record.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  if (names.length === 1 && /[;\t]/.test(names[0]!)) {
    fault('has other separators than commas: save the sheet as "CSV UTF-8 (comma delimited)"');
    return null;
  }
  const known = new Map(file.columns.map((column, place) => [column.name, { ...column, place }]));
  const cells: Cells = [];
  const refused: string[] = [];
  const refuse = (says: string) => refused.push(says);
  for (const [index, name] of names.entries()) {
    const column = known.get(name);
    if (column === undefined)
      refuse(
        `has a column ${index + 1}${quoted(record[index]!)} that is none of ${[...known.keys()].join(', ')}`,
      );
    else if (names.indexOf(name) < index) refuse(`has the column ${name} twice`);
    else cells.push(column);
  }
  for (const { name, isRequired } of file.columns)
    if (isRequired && !names.includes(name)) refuse(`has no column ${name}`);
  for (const says of refused) fault(says);
  return refused.length === 0 ? cells : null;
}

/**
 * A header's own text, such as `, "Plate",`: the beginning of what can be shown, unless it may be a
 * card's number.
 */
function quoted(cell: string): string {
  const text = cell.replace(/\p{C}+/gu, ' ').trim();
  return text === '' || holdsCardNumber(cell) ? '' : `, "${text.slice(0, LONGEST_QUOTE)}",`;
}

/**
 * Reports its faults; null for a row that cannot be identified, because its facility or its key
 * could not be read.
 */
function readRow(
  file: ImportFile,
  cells: Cells,
  { line, record }: { line: number; record: string[] },
  faults: Faults,
): Row | null {
  const values: Value[] = file.columns.map(() => null);
  const found: { column: string | null; says: string }[] = [];
  if (record.length !== cells.length)
    found.push({
      column: null,
      says: `has ${record.length} cells, and the header ${cells.length} columns`,
    });
  for (const [index, cell] of record.entries()) {
    const column = cells[index];
    if (holdsCardNumber(cell)) {
      found.push({
        column: column?.name ?? null,
        says: 'holds what looks like a card number, which is never taken',
      });
      continue;
    }
    if (column === undefined) continue;
    const read = readValue(column, unmarkFormula(cell));
    if ('fault' in read) found.push({ column: column.name, says: read.fault });
    else values[column.place] = read.value;
  }
  const [facility] = values;
  const owner =
    file.columns[0]?.name === 'facility' && typeof facility === 'string' ? facility : null;
  for (const { column, says } of found)
    faults.add({ file: file.name, line, column, facility: owner, says });
  const isNamed = file.columns.every(
    ({ name }, place) =>
      values[place] !== null || (name !== 'facility' && !file.key.includes(name)),
  );
  return isNamed ? { line, isSound: found.length === 0, values } : null;
}
