import { t } from '@gatehouse/language/t';

/**
 * `2026-10` as `October 2026`. Split, never parsed by a clock; not by `Intl`, whose first format
 * takes a phone 50 ms.
 */
export function monthName(yearMonth: string): string {
  const [year, month = NaN] = yearMonth.split('-').map(Number);
  // A statement's month is one of the twelve.
  return t('{month} {year}', { month: names()[month - 1]!, year: year! });
}

const names = () => [
  t('January'),
  t('February'),
  t('March'),
  t('April'),
  t('May'),
  t('June'),
  t('July'),
  t('August'),
  t('September'),
  t('October'),
  t('November'),
  t('December'),
];
