/**
 * `2026-10` as `October 2026`. Split, never parsed by a clock (C13); not by `Intl`, whose first
 * format takes a phone 50 ms.
 */
export function monthName(yearMonth: string): string {
  const [year, month = NaN] = yearMonth.split('-').map(Number);
  return `${names[month - 1]} ${year}`;
}

const names = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
