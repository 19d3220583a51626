import { addDays, isTimeZone } from '@gatehouse/contract/dates';
import { gateCode } from '@gatehouse/contract/gate-code';
import { phoneNumber } from '@gatehouse/contract/phone-number';
import { stateNames } from '@gatehouse/contract/states';
import { emailAddress } from '@gatehouse/contract/text';
import { invisibleIn, plainNumber, plainText } from '@gatehouse/contract/typed';
import { CONTENTS_VALUE_MAX, parseContents } from '@gatehouse/contract/unit-contents';
import type { Column, Kind } from './columns.ts';

/**
 * What a cell is kept as: cents, basis points, `YYYY-MM-DD`, `YYYY-MM`, text; null for an empty
 * one.
 */
export type Value = string | number | boolean | null;

/** A cell that was read, or what is wrong with it, in a sentence that does not repeat it. */
export type ReadValue = { value: Value } | { fault: string };

/**
 * Reads a cell as its column says. Spaces at the ends are dropped; money may have a dollar sign and
 * thousands separators, and parentheses or a minus below 0, or be a lone dash for 0; a day may be
 * `2026-11-21`, `11/21/2026` or the number by which Excel counts days.
 */
export function readValue(column: Column, cell: string): ReadValue {
  const text = written(column.kind, cell).trim();
  if (text === '') return column.isRequired ? { fault: 'must not be empty' } : { value: null };
  if (text.includes('\0') || text.includes('\uFFFD'))
    return { fault: 'is not UTF-8: save the sheet as "CSV UTF-8"' };
  return readers[column.kind](text, column);
}

const numbers: Kind[] = ['phone', 'zip', 'money', 'percent', 'count'];

function written(kind: Kind, cell: string): string {
  // What is invisible in an address is a fault.
  if (kind === 'email') return cell;
  return numbers.includes(kind) ? plainNumber(cell) : plainText(cell);
}

const readers: Record<Kind, (text: string, column: Column) => ReadValue> = {
  text: readText,
  id: readText,
  email(text, { most }) {
    const invisible = invisibleIn(text);
    return invisible === undefined
      ? parsedBy(email, text, most, 'must look like name@example.com')
      : { fault: `contains an invisible character (${invisible})` };
  },
  phone: (text) =>
    parsedBy(phoneNumber, text, 50, 'must be a number in use: 10 digits, or + and its country'),
  state(text) {
    const code = text.toUpperCase();
    return Object.hasOwn(stateNames, code)
      ? { value: code }
      : { fault: 'must be a state such as TX' };
  },
  zone: (text) =>
    isTimeZone(text) ? { value: text } : { fault: 'must be a time zone such as America/Chicago' },
  address: (text, { most }) =>
    text.length <= most && text.startsWith('https://') && URL.canParse(text)
      ? { value: text }
      : { fault: 'must be an address that begins with https://' },
  contents: readContents,
  gateCode: (text, { most }) =>
    parsedBy(gateCode, text, most, 'must be 4 to 18 letters and digits, with # or * around them'),
  day: readDay,
  month: readMonth,
  zip: (text, column) =>
    /^\d{3,4}(-\d{4})?$/.test(text)
      ? {
          fault:
            'is short of a digit: a spreadsheet drops a 0 at its beginning, so format the column as text',
        }
      : readText(text, column),
  money(text, column) {
    const sum = text.replace(/^(-|\()?\$ */, '$1');
    // So Excel's format "Accounting" shows 0.
    return readNumber(sum === '-' ? '0' : sum, 2, column, 'must be a sum such as 1,234.50');
  },
  percent: (text, column) =>
    readNumber(
      text.endsWith('%') ? text.slice(0, -1).trimEnd() : text,
      2,
      column,
      'must be a share such as 8.25',
    ),
  count: (text, column) => readNumber(text, 0, column, 'must be a whole number'),
  yesNo(text) {
    const said = text.toLowerCase();
    if (['yes', 'y', 'true', '1'].includes(said)) return { value: true };
    return ['no', 'n', 'false', '0'].includes(said)
      ? { value: false }
      : { fault: 'must be yes or no' };
  },
};

const email = emailAddress('Email');

function parsedBy(
  schema: { safeParse: (text: string) => { success: true; data: string } | { success: false } },
  text: string,
  most: number,
  fault: string,
): ReadValue {
  const parsed = schema.safeParse(text);
  return parsed.success && text.length <= most ? { value: parsed.data } : { fault };
}

function readText(text: string, { choices, most }: Column): ReadValue {
  if (choices === undefined) {
    return text.length <= most
      ? { value: text }
      : { fault: `must have ${most} characters at most` };
  }
  const plain = (one: string) => one.toLowerCase().replace(/[^a-z0-9]/g, '');
  const choice = choices.find((one) => plain(one) === plain(text));
  return choice === undefined
    ? { fault: `must be one of ${choices.join(', ')}` }
    : { value: choice };
}

function readContents(text: string): ReadValue {
  const parsed = parseContents(text);
  if (
    parsed === null ||
    parsed.value.length > CONTENTS_VALUE_MAX ||
    (parsed.type !== 'none' && parsed.value.trim() === '')
  )
    return { fault: 'must be vehicle, boat or none, a colon and the VIN or HIN' };
  return { value: text };
}

const YEAR_FAULT = 'must have a year of four digits, as in 2026-11-21 or 11/21/2026';
const DAY_FAULT = 'must be a day such as 2026-11-21 or 11/21/2026';
/** Excel's day 0; right for every day after its 29 February 1900. */
const EXCEL_DAY_0 = '1899-12-30';
const FIRST_DAY = '1900-01-01';
const LAST_DAY = '2199-12-31';

function readDay(text: string): ReadValue {
  const date = text.replace(/[ T]0?0:00(:00(\.0+)?)?Z?$/, '');
  if (/^\d{1,2}[/-]\d{1,2}[/-]\d{2}$/.test(date)) return { fault: YEAR_FAULT };
  const day = dayOf(date);
  return day === null ? { fault: DAY_FAULT } : { value: day };
}

function dayOf(text: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso !== null) return calendarDay(iso[1]!, iso[2]!, iso[3]!);
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (american !== null) return calendarDay(american[3]!, american[1]!, american[2]!);
  return /^\d{5}(\.0+)?$/.test(text) ? excelDay(Number(text)) : null;
}

/** The day of Excel's number; null for one that is not taken. */
export function excelDay(number: number): string | null {
  return takenDay(addDays(EXCEL_DAY_0, Math.floor(number)));
}

/** Null for a day that the calendar has not, and for one that is not taken. */
export function calendarDay(year: string, month: string, day: string): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (Number.isNaN(Date.parse(text))) return null;
  return new Date(text).toISOString().slice(0, 10) === text ? takenDay(text) : null;
}

const takenDay = (day: string) => (day >= FIRST_DAY && day <= LAST_DAY ? day : null);

function readMonth(text: string): ReadValue {
  const [, year, month] = /^(\d{4})-(\d{1,2})$/.exec(text) ?? [];
  const [, monthFirst, yearLast] = /^(\d{1,2})\/(\d{4}|\d{2})$/.exec(text) ?? [];
  const number = Number(month ?? monthFirst);
  const fullYear = year ?? (yearLast?.length === 2 ? `20${yearLast}` : yearLast);
  if (fullYear === undefined || !(number >= 1 && number <= 12))
    return { fault: 'must be a month such as 2028-04 or 4/2028' };
  return { value: `${fullYear}-${String(number).padStart(2, '0')}` };
}

/** A number of this many decimals at most, as an integer of its smallest part. */
function readNumber(
  text: string,
  decimals: number,
  { least, most }: Column,
  fault: string,
): ReadValue {
  const [, bare] = /^\((.+)\)$/.exec(text) ?? [];
  const [, minus, whole, part = ''] =
    /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d*))?$/.exec(bare === undefined ? text : `-${bare}`) ?? [];
  if (whole === undefined || whole.length > 15 || /[1-9]/.test(part.slice(decimals)))
    return { fault };
  const size = Number(whole.replaceAll(',', '') + part.slice(0, decimals).padEnd(decimals, '0'));
  const value = minus === '-' ? 0 - size : size;
  if (value < least || value > most)
    return { fault: `must be from ${shown(least, decimals)} to ${shown(most, decimals)}` };
  return { value };
}

function shown(value: number, decimals: number): string {
  return (value / 10 ** decimals).toFixed(decimals);
}
