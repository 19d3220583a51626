import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { addDays } from './dates.ts';

/** The gate hours of a facility that has set none, as the specification has them. */
const DEFAULT_GATE_HOURS = '6am - 10pm';

/** How many days before a holiday its hours are shown. */
const DAYS_AHEAD = 14;

/**
 * The hours of a week with those holidays that are on a day or within two weeks of it:
 * `6am - 10pm, 12/25 closed`.
 */
export function hoursFrom(week: string, holidayHours: string, today: string): string {
  const next = Array.from({ length: DAYS_AHEAD + 1 }, (_, days) => {
    const [year, month, day] = addDays(today, days).split('-').map(Number);
    return [`${month}/${day} `, `${month}/${day}/${year} `];
  }).flat();
  const near = holidayHours.split(', ').filter((one) => next.some((day) => one.startsWith(day)));
  return [week, ...near].join(', ');
}

/**
 * The name of a gate schedule, of business hours with the facility's where they are not the
 * default: what `hoursLabel` takes. In the current language.
 */
export function scheduleName(name: string, hours: string): string {
  return name === 'Business Hours' && hours !== DEFAULT_GATE_HOURS
    ? t('Business Hours ({hours})', { hours: hoursText(hours) })
    : name;
}

function hoursText(hours: string): string {
  if (language() !== 'es') return hours;
  const days: Record<string, string> = {
    Mon: 'lun',
    Tue: 'mar',
    Wed: 'mié',
    Thu: 'jue',
    Fri: 'vie',
    Sat: 'sáb',
    Sun: 'dom',
    closed: 'cerrado',
    am: '\u00a0a.\u00a0m.',
    pm: '\u00a0p.\u00a0m.',
  };
  const months = 'ene feb mar abr may jun jul ago sept oct nov dic'.split(' ');
  return hours
    .replace(
      /(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?/g,
      (_, month: string, day: string, year?: string) =>
        `${day} ${months[Number(month) - 1]}${year === undefined ? '' : ` ${year}`}`,
    )
    .replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|closed)\b|(?<=\d)[ap]m/g, (word) => days[word]!);
}
