import { calendarDateIn } from '@gatehouse/contract/dates';

/** The day where the reader is, which a form begins with. */
export function todayHere(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return calendarDateIn(timeZone, new Date());
}
