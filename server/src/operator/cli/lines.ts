import type { Schema } from '@gatehouse/contract/endpoint';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { columnsOf } from './columns.ts';
import { shapeOf, type Shape } from './shape.ts';

/** An answer as a person reads it: its facts by their names, and its lists as tables. */
export function linesOf(reply: Schema, answer: unknown): string[] {
  return recordLines(shapeOf(reply), answer);
}

function recordLines({ properties = {} }: Shape, answer: unknown): string[] {
  const record = answer as Record<string, unknown>;
  const fields = Object.entries(properties).filter(([name]) => record[name] !== undefined);
  const facts = fields.filter(([, shape]) => !isList(shape));
  const lists = fields.filter(([, shape]) => isList(shape));
  return [
    ...table(facts.map(([name, shape]) => [wordsOf(name), textOf(shape, record[name])])),
    ...lists.flatMap(([name, { items }]) => listLines(name, items!, record[name] as unknown[])),
  ];
}

/** A table, or one below the other what has a list of its own. */
function listLines(name: string, items: Shape, rows: unknown[]): string[] {
  if (rows.length === 0) return [`${wordsOf(name)}: none`];
  const columns = Object.entries(items.properties!);
  const lines = columns.some(([, shape]) => isList(shape))
    ? rows.flatMap((row, at) => [...(at === 0 ? [] : ['']), ...recordLines(items, row)])
    : table([
        columns.map(([column]) => wordsOf(column)),
        ...rows.map((row) =>
          columns.map(([column, shape]) => textOf(shape, (row as Record<string, unknown>)[column])),
        ),
      ]);
  return [`${wordsOf(name)}:`, ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
}

function table(rows: string[][]): string[] {
  return rows.length === 0 ? [] : columnsOf(rows);
}

/** A list of records; one of texts is a fact. */
function isList({ items }: Shape): boolean {
  return items?.properties !== undefined;
}

/** `receiptNumber` as `receipt number`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf({ type, format, properties }: Shape, value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'number') return type === 'number' ? formatMoney(value) : String(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' && format === 'date') return formatDate(value);
  if (typeof value === 'string' && format === 'date-time')
    return `${value.slice(0, 16).replace('T', ' ')} UTC`;
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (properties === undefined) return JSON.stringify(value);
  return Object.entries(properties)
    .map(
      ([name, shape]) =>
        `${wordsOf(name)} ${textOf(shape, (value as Record<string, unknown>)[name])}`,
    )
    .join(', ');
}
