import { z } from 'zod/mini';

/** A calendar date as it travels and is stored: `YYYY-MM-DD`, in the facility's calendar. */
export const calendarDate = z.iso.date();
