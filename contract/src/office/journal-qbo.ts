import { FORMULA } from '../formula.ts';
import type { JournalRow } from './journal.ts';

/** QuickBooks Online refuses an import of more rows. */
const MOST_ROWS = 1000;

/** The columns of Intuit's sample file of journal entries; a star is part of the name. */
const COLUMNS = [
  ...['*JournalNo', '*JournalDate', '*AccountName', '*Debits', '*Credits', 'Description', 'Name'],
  ...['Currency', 'Location', 'Class'],
];

/**
 * A journal as CSV files for QuickBooks Online (Settings, Import data, Journal entries; dates as
 * MM/DD/YYYY): one entry a day and facility, which is its location, of a debit or a credit a row.
 * Each file has at most 1,000 rows and whole entries. Accounts are named as in its chart of
 * accounts, without numbers, which it cannot read.
 */
export function journalQbo(rows: JournalRow[]): string[] {
  const entries = Map.groupBy(rows, ({ day, locationCode }) => `${day} ${locationCode}`);
  const files: string[][] = [];
  for (const [number, entry] of entries) {
    const lines = entry.flatMap((row) => linesOf(number, row));
    const last = files.at(-1);
    if (last !== undefined && last.length + lines.length <= MOST_ROWS) last.push(...lines);
    else files.push(lines);
  }
  return files.map((lines) => [COLUMNS.join(','), ...lines, ''].join('\r\n'));
}

function linesOf(number: string, { day, name, debit, credit, locationCode }: JournalRow): string[] {
  const [year, month, date] = day.split('-');
  const at = `${month}/${date}/${year}`;
  const line = (debits: string, credits: string) =>
    [number, at, name, debits, credits, 'Gatehouse', '', 'USD', locationCode, '']
      .map(quoted)
      .join(',');
  return [
    ...(debit === 0 ? [] : [line(debit.toFixed(2), '')]),
    ...(credit === 0 ? [] : [line('', credit.toFixed(2))]),
  ];
}

/** A text that a spreadsheet would run as a formula gets a quote before it (T20). */
function quoted(text: string): string {
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
