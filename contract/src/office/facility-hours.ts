import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { plainNumber } from '../typed.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HOURS =
  /^(?:(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*(?: ?- ?(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*)? )?(?:(closed)|((?:1[0-2]|[1-9])(?::[0-5]\d)? ?[ap]m) ?- ?((?:1[0-2]|[1-9])(?::[0-5]\d)? ?[ap]m))$/i;
const HOLIDAY =
  /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))? (?:(closed)|((?:1[0-2]|[1-9])(?::[0-5]\d)? ?[ap]m) ?- ?((?:1[0-2]|[1-9])(?::[0-5]\d)? ?[ap]m))$/i;

/**
 * Hours of a week as staff type them, `Mon-Fri 6am - 10pm, Sat-Sun 8am - 6pm`, or `6am - 10pm` for
 * every day; a day that is not named is closed. They are kept in that form.
 */
export const weekHours = (label: string) =>
  kept(
    weekOf,
    `${label} must be such as 6am - 10pm, or Mon-Fri 6am - 10pm, Sat-Sun 8am - 6pm, each day once.`,
  );

/** Days with other hours, each year or in one: `12/25 closed, 11/26/2026 6am - 2pm`; may be ''. */
export const holidays = kept(
  holidaysOf,
  'Holidays must be such as 12/25 closed, 11/26/2026 6am - 2pm.',
);

function kept(read: (text: string) => string | null, error: string) {
  return z.string(error).check(
    z.maxLength(500, error),
    z.overwrite((text) => read(plain(text)) ?? text),
    z.refine((text) => read(plain(text)) !== null, error),
  );
}

function plain(text: string): string {
  return plainNumber(text).replace(/\s+/g, ' ').trim();
}

function weekOf(text: string): string | null {
  const parts = text.split(/ ?, ?/).map((part) => HOURS.exec(part));
  const named: string[] = [];
  const written = parts.map((part) => {
    if (part === null || (part[1] === undefined && parts.length > 1)) return null;
    const [, from, to, ...times] = part;
    const days = from === undefined ? weekdays : daysOf(from, to ?? from);
    named.push(...days);
    const prefix = from === undefined ? '' : `${[days[0], ...days.slice(1).slice(-1)].join('-')} `;
    return days.length === 0 ? null : timesOf(prefix, times);
  });
  const isWhole = !written.includes(null) && new Set(named).size === named.length;
  return isWhole ? written.join(', ') : null;
}

function daysOf(from: string, to: string): string[] {
  const [first = 0, last = 0] = [from, to].map((day) =>
    weekdays.findIndex((one) => one.toLowerCase() === day.toLowerCase()),
  );
  return weekdays.slice(first, last + 1);
}

function timesOf(
  prefix: string,
  [closed, opens = '', closes = '']: (string | undefined)[],
): string | null {
  if (closed !== undefined) return `${prefix}closed`;
  const [from, to] = [opens, closes].map((time) => time.toLowerCase().replace(/ |:00/g, ''));
  return from === to ? null : `${prefix}${from} - ${to}`;
}

function holidaysOf(text: string): string | null {
  if (text === '') return '';
  const written = text.split(/ ?, ?/).map((part) => {
    const [, month = '', day = '', year, ...times] = HOLIDAY.exec(part) ?? [];
    // 2024 had a February 29.
    const date = `${year ?? 2024}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const isDay = calendarDate.safeParse(date).success;
    const prefix = `${Number(month)}/${Number(day)}${year === undefined ? '' : `/${year}`} `;
    return isDay ? timesOf(prefix, times) : null;
  });
  return written.includes(null) ? null : written.join(', ');
}
