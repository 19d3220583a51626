import { addDays, formatDate } from '@gatehouse/contract/dates';
import { Refusal } from '#errors/refusal.ts';

/** A change of a rental begins at most this many days from today. */
const MOST_DAYS = 731;

/** Refuses with 422 a day that is a slip of the keyboard. */
export function demandDayAhead(day: string, today: string): void {
  if (day > addDays(today, MOST_DAYS))
    throw new Refusal(422, `The day ${formatDate(day)} is over two years ahead: check its year.`);
}
