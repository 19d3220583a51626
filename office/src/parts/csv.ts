import { FORMULA } from '@gatehouse/contract/formula';
import { downloadCSV } from 'react-admin';

type Row = Record<string, unknown>;

/**
 * Rows as CSV under the titles of their columns; a text that a spreadsheet would run as a formula
 * gets a quote before it (T20).
 */
export function toCsv(rows: Row[], columns: Record<string, string>): string {
  const quoted = (value: unknown) => {
    const text =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : '';
    const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };
  const line = (values: unknown[]) => values.map(quoted).join(',');
  return [
    line(Object.values(columns)),
    ...rows.map((row) => line(Object.keys(columns).map((column) => row[column]))),
  ].join('\r\n');
}

/** Saves the rows of a list as a file, without ids and lists inside of a row. */
export function saveRows(rows: Row[], name: string): void {
  const [first = {}] = rows;
  const columns = Object.keys(first).filter(
    (key) =>
      !/^id$|Id$/.test(key) && rows.every((row) => typeof row[key] !== 'object' || !row[key]),
  );
  downloadCSV(toCsv(rows, Object.fromEntries(columns.map((key) => [key, key]))), name);
}
