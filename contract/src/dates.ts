import { language, locale } from '@gatehouse/language/language';

/**
 * The calendar date at an instant in an IANA zone; the zone is the facility's, never the browser's
 * or server's.
 */
export function calendarDateIn(timeZone: string, instant: Date): string {
  return formatIn(timeZone).format(instant);
}

/** Whether a text names a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    formatIn(text);
    return true;
  } catch {
    return false;
  }
}

// Making a format takes 50 µs, using one takes 1.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** The date `days` later, by the calendar and without any clock or zone. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
}

/** The last day of a month, `YYYY-MM`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`;
}

/** Whole days from one date to another; negative when `to` is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

/** Whether a date is tomorrow or later: the earliest allowed expiration of a private policy. */
export function isAfterToday(date: string, today: string): boolean {
  return date > today;
}

/**
 * `2026-11-05` as `11/5/2026`, in Spanish as `5 nov 2026`: a reader of Spanish may read 11/5 as a
 * day of May. Split, never parsed by a clock.
 */
export function formatDate(date: string): string {
  const [year, month = 0, day] = date.split('-').map(Number);
  if (language() !== 'es') return `${month}/${day}/${year}`;
  const months = 'ene feb mar abr may jun jul ago sept oct nov dic'.split(' ');
  // No-break spaces: a date stays on one line.
  return `${day}\u00a0${months[month - 1]}\u00a0${year}`;
}

/** `2026-11-24` as `Tuesday, November 24`, for a day that is near; `martes, 24 de noviembre`. */
export function formatWeekday(date: string): string {
  return new Intl.DateTimeFormat(locale(), {
    timeZone: 'UTC',
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(Date.parse(date));
}

/**
 * The day that is `days` business days after another. Banks rest on Saturdays and Sundays; their
 * holidays are not known here.
 */
export function addBusinessDays(date: string, days: number): string {
  let day = date;
  for (let left = days; left > 0;) {
    day = addDays(day, 1);
    if (![0, 6].includes(new Date(day).getUTCDay())) left -= 1;
  }
  return day;
}

/** An instant as the time of day that a clock in the zone shows, such as `2:05 PM`. */
export function formatTimeIn(timeZone: string, instant: Date): string {
  return instant.toLocaleTimeString(locale(), { timeZone, hour: 'numeric', minute: '2-digit' });
}

/** `2028-04` as `4/2028`. */
export function formatMonth(yearMonth: string): string {
  const [year, month] = yearMonth.split('-').map(Number);
  return `${month}/${year}`;
}

// A date without a time is parsed as midnight in UTC, wherever it runs (ECMA-262).
const DAY = 86_400_000;
