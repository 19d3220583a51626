import { z } from 'zod/mini';
import { calendarDate, namedDay } from './calendar-date.ts';
import { formatDate } from './dates.ts';
import { id } from './ids.ts';
import { dollars, formatMoney } from './money.ts';
import { field, staffVerb, tenantRecordId } from './staff-verb.ts';

const day = namedDay('The day must be like 2026-11-24.');

/**
 * `statements issue`: a statement of a tenant record over any days that are in the books, of every
 * rental with an entry in them or something owed at their beginning. It is drawn from what is
 * recorded now; `getOfficeStatement` draws it.
 */
export const issueStatement = staffVerb({
  name: 'statements.issue',
  title: 'Issue a statement',
  summary: 'Issues a statement of a tenant over any days, and mails it if asked',
  role: 'clerk',
  isReasonNeeded: false,
  body: z
    .object({
      tenantId: tenantRecordId,
      from: field(day, { title: 'From' }),
      to: field(day, { title: 'To' }),
      isMailed: field(z.optional(z.boolean('IsMailed must be true or false.')), {
        title: 'Mail it to the tenant',
      }),
    })
    .check(z.refine(({ from, to }) => from <= to, 'The first day must not be after the last.')),
  reply: z.object({
    /** Null in a preview. */
    statementId: z.nullable(id),
    from: calendarDate,
    to: calendarDate,
    /** The day of the record's first entry. */
    booksFrom: calendarDate,
    rentals: z.array(
      z.object({ unitName: z.string(), opening: dollars, entries: z.int(), closing: dollars }),
    ),
    /** What was owed before and after; below 0 for a credit. */
    opening: dollars,
    closing: dollars,
    /** The address on record; null where it is not mailed. */
    mailedTo: z.nullable(z.string()),
  }),
  example: {
    statementId: '5e0a7d1f-3c55-4e0a-8f5c-6a2b9e7d4c31',
    from: '2026-01-01',
    to: '2026-03-31',
    booksFrom: '2025-11-01',
    rentals: [{ unitName: 'A101', opening: 0, entries: 6, closing: 214.5 }],
    opening: 0,
    closing: 214.5,
    mailedTo: 'dana@example.com',
  },
  says: ({ from, to, booksFrom, rentals, opening, closing, mailedTo }, isDone) => [
    `${formatDate(from)} to ${formatDate(to)}: ${formatMoney(opening)} owed before, ${formatMoney(closing)} after.`,
    ...(from < booksFrom ? [`The books of this tenant begin on ${formatDate(booksFrom)}.`] : []),
    ...rentals.map(
      ({ unitName, entries, ...owed }) =>
        `${unitName}: ${formatMoney(owed.opening)}, ${entries === 1 ? '1 entry' : `${entries} entries`}, ${formatMoney(owed.closing)}.`,
    ),
    ...(mailedTo === null
      ? []
      : [`${isDone ? 'It is mailed to' : 'It will be mailed to'} ${mailedTo}.`]),
  ],
});
