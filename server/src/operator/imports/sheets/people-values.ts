import { phoneNumber } from '@gatehouse/contract/phone-number';
import { stateNames } from '@gatehouse/contract/states';
import { emailAddress } from '@gatehouse/contract/text';
import { plainNumber } from '@gatehouse/contract/typed';
import { calendarDay, excelDay } from '../values.ts';
import type { FaultKind, Remedies } from './sheet-faults.ts';

/** A value in the importer's own form, or which kind of fault it has. */
export type Read<T = string> = { value: T } | { fault: FaultKind };

/** A year of two digits is at most this many years ahead; else it is of the century before. */
const YEARS_AHEAD = 10;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * A day, `YYYY-MM-DD`, as people write it: `2026-11-21`, `11/21/2026`, `11-21-2026`,
 * `Nov 21, 2026`, `21-Nov-2026` or Excel's number, each perhaps with a time. One of two digits for
 * the year is read by the remedy `two-digit-year`: as 20YY, or 19YY where 20YY is more than ten
 * years after `today`; one with the day first by `day-first`, and then all are.
 */
export function readDay(typed: string, remedies: Remedies, today: string): Read {
  const text = plainNumber(typed)
    .replace(/[ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AP]M)?Z?$/i, '')
    .trim();
  if (/^\d{5}(\.\d+)?$/.test(text)) return dayOrFault(excelDay(Number(text)));
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  if (iso !== null) return dayOrFault(calendarDay(iso[1]!, iso[2]!, iso[3]!));
  const parts =
    partsOf(/^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/.exec(text), remedies) ?? inWords(text);
  if (parts === null) return { fault: 'day' };
  const { year, month, day } = parts;
  if (year.length === 2 && !remedies.has('two-digit-year')) return { fault: 'two-digit-year' };
  if (Number(month) > 12 && Number(day) <= 12) return { fault: 'day-first' };
  return dayOrFault(calendarDay(year.length === 2 ? inCentury(year, today) : year, month, day));
}

type Parts = { year: string; month: string; day: string };

function partsOf(found: RegExpExecArray | null, remedies: Remedies): Parts | null {
  if (found === null) return null;
  const [, first, second, year] = found as unknown as [string, string, string, string];
  return remedies.has('day-first')
    ? { year, month: second, day: first }
    : { year, month: first, day: second };
}

/** `Nov 21, 2026`, `21-Nov-26`, `November 21 2026`. */
function inWords(text: string): Parts | null {
  const [, before, word, after, year] =
    /^(\d{1,2})?[-/ ]?([a-z]{3,9})\.?[-/ ]?(\d{1,2})?(?:st|nd|rd|th)?,?[-/ ]+(\d{4}|\d{2})$/i.exec(
      text,
    ) ?? [];
  const month = MONTHS.indexOf((word ?? '').slice(0, 3).toLowerCase()) + 1;
  const day = before ?? after;
  return month === 0 || day === undefined || year === undefined
    ? null
    : { year, month: String(month), day };
}

function inCentury(year: string, today: string): string {
  return Number(`20${year}`) > Number(today.slice(0, 4)) + YEARS_AHEAD ? `19${year}` : `20${year}`;
}

const dayOrFault = (day: string | null): Read => (day === null ? { fault: 'day' } : { value: day });

/**
 * A sum in cents: with a dollar sign, separators, a sign at either end, parentheses, CR for what is
 * to the credit, or a decimal comma; a dash is 0.
 */
export function readSum(typed: string): Read<number> {
  let text = plainNumber(typed)
    .replace(/USD|US\$|\$|\s/gi, '')
    .toUpperCase();
  if (/^-+$/.test(text)) return { value: 0 };
  const isBelow = /^\(.*\)$|^-|-$|CR$/.test(text);
  text = text.replace(/[()+]|^-|-$|CR$|DR$/g, '').replace(/^-/, '');
  if (/^\d{1,3}(\.\d{3})*,\d{2}$/.test(text)) text = text.replaceAll('.', '').replace(',', '.');
  if (!/^(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?$/.test(text) || text === '' || text.length > 15)
    return { fault: 'sum' };
  const cents = Math.round(Number(text.replaceAll(',', '')) * 100);
  return { value: isBelow && cents !== 0 ? -cents : cents };
}

/** A phone in any usual writing; of seven digits by the remedy `area-code`. */
export function readPhone(typed: string, remedies: Remedies): Read {
  const text = plainNumber(typed).replace(/\b(extension|extn?\.?|x|#) ?(?=\d+$)/i, 'x');
  const digits = text.replace(/x.*$/i, '').replace(/\D/g, '');
  const areaCode = remedies.get('area-code') ?? '';
  if (digits.length === 7 && areaCode === '') return { fault: 'area-code' };
  const whole = digits.length === 7 ? `${areaCode}${text.trim()}` : text;
  const parsed = phoneNumber.safeParse(whole.replace(/\//g, '-'));
  return parsed.success ? { value: parsed.data } : { fault: 'phone' };
}

const codes = new Map(
  Object.entries(stateNames).flatMap(([code, name]) => [
    [code.toLowerCase(), code],
    [name.toLowerCase(), code],
  ]),
);

/** A state by its code or its name. */
export function readState(typed: string): Read {
  const code = codes.get(typed.toLowerCase().replace(/\./g, '').replace(/\s+/g, ' ').trim());
  return code === undefined ? { fault: 'state' } : { value: code };
}

/** A ZIP code; what lost its zeros by the remedy `zip-zeros`. */
export function readZip(typed: string, remedies: Remedies): Read {
  const text = plainNumber(typed).replace(/\s/g, '');
  const [, five, four] =
    /^(\d{3,5})-?(\d{4})?$/.exec(/^\d{8}$/.test(text) ? `0${text}` : text) ?? [];
  if (/^\d{8}$/.test(text) && !remedies.has('zip-zeros')) return { fault: 'zip-zeros' };
  if (five === undefined) return { fault: 'zip' };
  if (five.length < 5 && !remedies.has('zip-zeros')) return { fault: 'zip-zeros' };
  return { value: five.padStart(5, '0') + (four === undefined ? '' : `-${four}`) };
}

const YES = new Set(
  'yes y true t 1 x on ✓ ✔ checked active taxable business company commercial'.split(' '),
);
const NO = new Set(
  'no n false f 0 off none inactive unchecked exempt n/a na - personal residential individual'.split(
    ' ',
  ),
);

/** Yes or no in any usual word. */
export function readYesNo(typed: string): Read<boolean> {
  const said = typed.toLowerCase().trim();
  if (YES.has(said)) return { value: true };
  return NO.has(said) ? { value: false } : { fault: 'yes-no' };
}

const email = emailAddress('Email');

/**
 * An email; null for the words that people write for none; of several by `two-emails` the first.
 */
export function readEmail(typed: string, remedies: Remedies): Read<string | null> {
  const text = typed.trim();
  if (/^(none|no|no e-?mail|n\/?a|-+|unknown|null)$/i.test(text)) return { value: null };
  const several = text.split(/[;,\s/]+/).filter((one) => one.includes('@'));
  if (several.length > 1 && !remedies.has('two-emails')) return { fault: 'two-emails' };
  const parsed = email.safeParse((several[0] ?? text).replace(/^mailto:|[<>]/g, ''));
  if (parsed.success && parsed.data.length <= 100) return { value: parsed.data };
  return remedies.has('email') ? { value: null } : { fault: 'email' };
}

/** Width and length in whole feet, as `10x20`, `10' x 20'` or `10 by 20`. */
export function readSize(typed: string): Read<[number, number]> {
  const [, width, length] =
    /^(\d+)(?:\.\d+)? ?(?:'|ft|feet)? ?(?:x|×|by|\*) ?(\d+)(?:\.\d+)?/i.exec(
      plainNumber(typed).trim(),
    ) ?? [];
  return width === undefined || length === undefined || Number(width) * Number(length) === 0
    ? { fault: 'size' }
    : { value: [Number(width), Number(length)] };
}

const FIRM =
  /\b(llc|l\.l\.c\.?|inc|incorporated|corp|corporation|co|company|ltd|lp|llp|pllc|pc|trust|church|bank|services|rentals|enterprises|associates|construction|marine|group|partners|ministries|county|city of)\b\.?/i;
const SUFFIX = /^(jr|sr|ii|iii|iv|md|dds|phd|esq)\.?$/i;

/** Whether a name is that of a firm; `Church, Dana` is not. */
export function isFirmName(name: string): boolean {
  const [before = '', after = before] = name.split(', ');
  return FIRM.test(after);
}

/** `Dana Reyes`, `Reyes, Dana`, `Dana M. Reyes Jr.`; null for a single word. */
export function splitName(name: string): { first: string; last: string } | null {
  const [before, after] = name.split(/,\s*/);
  if (after !== undefined && after !== '' && !SUFFIX.test(after))
    return { first: after.trim(), last: before!.trim() };
  const words = name.replace(/,/g, ' ').trim().split(/\s+/);
  const suffix = words.length > 2 && SUFFIX.test(words.at(-1)!) ? ` ${words.pop()!}` : '';
  const last = words.pop()!;
  return words.length === 0 ? null : { first: words.join(' '), last: last + suffix };
}
