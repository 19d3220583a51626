import { createHash } from 'node:crypto';
import { CsvError, parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { StartFault } from '#errors/start-fault.ts';
import { fieldOf, plainHeading } from './headings.ts';

/** A row of a table: where it is in its file, from 1, and its cells as text. */
export type SheetRow = { line: number; cells: string[] };

/**
 * The first sheet of a file: its headings, and the rows below them. What is above the headings, as
 * a report has its title there, is left out. `form` is what files with these headings share.
 */
export type Table = {
  file: string;
  sha256: string;
  form: string;
  headings: string[];
  rows: SheetRow[];
};

/** The largest file, and what an .xlsx may unpack to, in bytes. */
const MOST_BYTES = 50 * 1024 * 1024;
const MOST_UNPACKED = 4 * MOST_BYTES;
/** The longest row of a CSV file, in characters, as the import itself has it. */
const LONGEST_ROW = 100_000;
const HEADINGS_WITHIN = 30;

/**
 * Reads a file that another system exported: .xlsx, or CSV in UTF-8, UTF-16 or Windows-1252 with
 * commas, semicolons or tabs. Throws a StartFault for a file that is neither, or is too large.
 */
export async function readTable(file: string, bytes: Uint8Array): Promise<Table> {
  if (bytes.length > MOST_BYTES) throw new StartFault(`${file} is larger than 50 MB.`);
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw new StartFault(`${file} is an Excel file from before 2007: save it as .xlsx or as CSV.`);
  const all = (isZip ? await readWorkbook(file, bytes) : readCsv(file, decode(bytes))).filter(
    ({ cells }) => cells.some((cell) => cell.trim() !== ''),
  );
  const head = findHeadings(all);
  if (head === -1)
    throw new StartFault(
      `${file} has no row with headings such as Unit, Tenant Name and Balance in its first ${HEADINGS_WITHIN} rows.`,
    );
  const headings = all[head]!.cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
  return {
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    form: headings.map(plainHeading).join('|'),
    headings,
    rows: all.slice(head + 1),
  };
}

/** The row with the most known headings, two at least; the first of several. */
function findHeadings(rows: SheetRow[]): number {
  const known = rows
    .slice(0, HEADINGS_WITHIN)
    .map(({ cells }) => new Set(cells.map(fieldOf).filter((field) => field !== null)).size);
  const most = Math.max(0, ...known);
  return most < 2 ? -1 : known.indexOf(most);
}

/** The text of a CSV file: what is no UTF-8 is Windows-1252, in which each byte is a character. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Text without a mark whose second bytes are mostly 0 is of two bytes a character.
  const sample = bytes.subarray(0, 1000);
  const zeros = (parity: number) =>
    sample.filter((byte, place) => byte === 0 && place % 2 === parity).length;
  if (zeros(1) > sample.length / 4) return new TextDecoder('utf-16le').decode(bytes);
  if (zeros(0) > sample.length / 4) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function readCsv(file: string, text: string): SheetRow[] {
  const start = text
    .slice(0, 10_000)
    .split(/\r\n|\r|\n/)
    .slice(0, HEADINGS_WITHIN);
  const most = (mark: string) => Math.max(...start.map((line) => line.split(mark).length));
  const delimiter = [',', ';', '\t', '|'].toSorted((one, other) => most(other) - most(one))[0]!;
  try {
    const records = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: LONGEST_ROW,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const says =
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `a row is longer than ${LONGEST_ROW} characters`
        : 'a quotation mark is not closed';
    throw new StartFault(`${file} cannot be read: ${says}.`);
  }
}

/** Of a formula its value, as Excel kept it; nothing is computed. */
async function readWorkbook(file: string, bytes: Uint8Array): Promise<SheetRow[]> {
  let unpacked = 0;
  try {
    // The reader unpacks a part into as many bytes as it is said to have here, never more.
    unzipSync(bytes, {
      filter: ({ originalSize }) => {
        unpacked += originalSize;
        return false;
      },
    });
  } catch {
    throw new StartFault(`${file} is no .xlsx file.`);
  }
  if (unpacked > MOST_UNPACKED) throw new StartFault(`${file} unpacks to more than 200 MB.`);
  const rows = await readSheet(new Blob([new Uint8Array(bytes)])).catch(() => {
    throw new StartFault(`${file} is no .xlsx file that can be read: save it again, or as CSV.`);
  });
  return rows.map((cells, index) => {
    const texts = cells.map(textOf);
    if (texts.reduce((sum, text) => sum + text.length, 0) > LONGEST_ROW)
      throw new StartFault(`${file} has a row longer than ${LONGEST_ROW} characters.`);
    return { line: index + 1, cells: texts };
  });
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  // Excel shows a number that is too large for a day as ####.
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime()) ? '####' : cell.toISOString().slice(0, 10);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  // A sum such as 129.29999999999998 is what a formula left.
  if (typeof cell === 'number') return String(Number(cell.toFixed(6)));
  return typeof cell === 'string' ? cell : '';
}
