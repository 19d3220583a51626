import { z } from 'zod/mini';

/** A calendar date as it travels and is stored: `YYYY-MM-DD`, in the facility's calendar. */
export const calendarDate = z.iso.date();

/** A day that a caller names, or else the message. The database has no year 0000. */
export function namedDay(message: string | (() => string)) {
  return z.iso
    .date({ error: message })
    .check(z.refine((date) => !date.startsWith('0000'), { error: message }));
}
