import { FORMULA } from '@gatehouse/contract/formula';

/** Marks of ours before what a spreadsheet would compute with. */
const MARKS = /^'*/;
const NUMBER = /^-\d+(\.\d+)?$/;

/**
 * The text as a cell that no spreadsheet takes for a formula: one that begins like a formula gets
 * an apostrophe before it. A number below 0 is none.
 */
export function markFormula(text: string): string {
  return FORMULA.test(text.replace(MARKS, '')) && !NUMBER.test(text) ? `'${text}` : text;
}

/**
 * The text of a cell, without the apostrophe that `markFormula` gave it: exactly what it was given.
 */
export function unmarkFormula(cell: string): string {
  const isMarked = cell.startsWith("'") && FORMULA.test(cell.replace(MARKS, ''));
  return isMarked ? cell.slice(1) : cell;
}

/**
 * A line of a CSV file, with its end: `\r\n`, as RFC 4180 has it. Each cell is harmless in a
 * spreadsheet.
 */
export function csvLine(cells: (string | null)[]): string {
  return `${cells.map((cell) => quoted(markFormula(cell ?? ''))).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
