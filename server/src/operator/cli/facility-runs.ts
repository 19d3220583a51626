import { calendarDateIn, formatDate, isTimeZone } from '@gatehouse/contract/dates';
import type { Context } from '#context/context.ts';
import { StartFault } from '#errors/start-fault.ts';
import type { Facility } from './facilities.ts';
import type { Terminal } from './runner.ts';

/**
 * A run of a day at a facility: of the day given, else of its today. `date` is null where its zone
 * is unknown; `run` is begun there too, because it is the run that has the alarm.
 */
export function runAt(
  ctx: Context,
  terminal: Terminal,
  { id, code, timeZone }: Facility,
  given: string | undefined,
) {
  const date = isTimeZone(timeZone) ? (given ?? calendarDateIn(timeZone, ctx.clock.now())) : null;
  const onProgress = (progress: { done: number; total: number }) =>
    terminal.progress(code, progress);
  return { date, run: { facilityId: id, date: date ?? '0001-01-01', onProgress } };
}

/**
 * Throws a StartFault that begins with the facility's today and continues with `says`, where the
 * day given is after it.
 */
export function refuseDayToCome(
  ctx: Context,
  facility: Facility,
  given: string | undefined,
  says: string,
): void {
  const { code, timeZone } = facility;
  if (given === undefined || !isTimeZone(timeZone)) return;
  const today = calendarDateIn(timeZone, ctx.clock.now());
  if (given > today) throw new StartFault(`At ${code} it is ${today}: ${says}`);
}

/** A run's day in a table. */
export function dayText(date: string | null): string {
  return date === null ? 'unknown zone' : formatDate(date);
}
