import { calendarDateIn, formatDate, isTimeZone } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { Option } from 'commander';
import type { Context } from '#context/context.ts';
import { StartFault } from '#errors/start-fault.ts';
import { columnsOf } from './columns.ts';
import { calendarDate, findFacilities } from './facilities.ts';
import { dryRunOption, facilityOption } from './options.ts';
import { exitCodes, type ExitCode, type Terminal } from './runner.ts';

/** What a run of a day is given: the facility's day, else its today, and one facility, else all. */
export type RunGiven = { date?: string; facility?: string; dryRun?: boolean };

/** The options of such a run, with what its day is and what it does dry. */
export function runOptions(day: string, dryRun: string): Option[] {
  const says = `${day}, such as 2026-12-01 (default: today at each facility)`;
  const date = new Option('--date <day>', says).argParser(calendarDate);
  return [date, facilityOption(), dryRunOption(dryRun)];
}

type RunAt = {
  facilityId: string;
  date: string;
  onProgress: (progress: { done: number; total: number }) => void;
};

/** What a run did at each facility, and in sum; `date` is null where the zone is unknown. */
type Runs<Sums, At extends Sums> = {
  facilities: ({ facility: string; date: string | null } & At)[];
  total: Sums;
};

/**
 * Runs a day's work at one facility or all of them, one after the other, and adds up what `none`
 * has; where the zone is unknown too, because it is the run that has the alarm. Throws a StartFault
 * that begins with the facility's today and continues with `refusal`, unless it is null, before
 * anything is done for a day to come.
 */
export async function runAtEach<Sums extends Record<string, number>, At extends Sums>(
  ctx: Context,
  terminal: Terminal,
  { date: given, facility }: RunGiven,
  { none, refusal }: { none: Sums; refusal: string | null },
  work: (run: RunAt, code: string) => Promise<At>,
): Promise<Runs<Sums, At>> {
  const places = (await findFacilities(ctx.db, facility)).map(({ id, code, timeZone }) => ({
    id,
    code,
    today: isTimeZone(timeZone) ? calendarDateIn(timeZone, ctx.clock.now()) : null,
  }));
  for (const { code, today } of places)
    if (refusal !== null && given !== undefined && today !== null && given > today)
      throw new StartFault(`At ${code} it is ${today}: ${refusal}`);
  const facilities: Runs<Sums, At>['facilities'] = [];
  for (const { id: facilityId, code, today } of places) {
    const date = today && (given ?? today);
    const onProgress: RunAt['onProgress'] = (progress) => terminal.progress(code, progress);
    const at = await work({ facilityId, date: date ?? '0001-01-01', onProgress }, code);
    facilities.push({ facility: code, date, ...at });
  }
  const sums = Object.keys(none).map((name) => [
    name,
    facilities.reduce((sum, at) => sum + at[name]!, none[name]!),
  ]);
  return { facilities, total: Object.fromEntries(sums) as Sums };
}

/** The table of a run, with a column for each name after `day`; sums in cents are in dollars. */
export function runTable<Sums extends Record<string, number>>(
  { facilities, total }: Runs<Sums, Sums>,
  day: string,
  columns: Record<string, keyof Sums & string>,
): string[] {
  const row = (name: string, date: string, sums: Sums) => [
    name,
    date,
    ...Object.values(columns).map((field) => cellOf(field, sums[field]!)),
  ];
  const dayOf = (date: string | null) => (date === null ? 'unknown zone' : formatDate(date));
  return columnsOf(
    [
      ['facility', day, ...Object.keys(columns)],
      ...facilities.map((at) => row(at.facility, dayOf(at.date), at)),
      row('all', '', total),
    ],
    2,
  );
}

/** A discount is taken from what is billed. */
function cellOf(field: string, sum: number): string {
  if (!/cents$/i.test(field)) return String(sum);
  return formatMoney(toDollars(field === 'discountCents' ? 0 - sum : sum));
}

/** How runs ended that leave a person nothing to look at, unless a zone is unknown. */
export function codeOf(facilities: { date: string | null }[], left: number): ExitCode {
  const isClean = left === 0 && facilities.every(({ date }) => date !== null);
  return isClean ? exitCodes.DONE : exitCodes.PARKED;
}
