import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { formatDate } from './dates.ts';
import { id } from './ids.ts';
import { dollars, formatMoney } from './money.ts';
import { staffVerb } from './staff-verb.ts';

/**
 * `imports.undo`: queues the job that takes back what an import of the office made, at each of its
 * facilities: balances by a posting, rentals, and tenants and units that it made. What it changed
 * of a record that was here before stays. Refuses with 422 where something came after it, with the
 * first of it, and while an import is under way.
 */
export const undoImport = staffVerb({
  name: 'imports.undo',
  title: 'Undo an import',
  summary: 'Takes back what an import made, as long as nothing came after it',
  role: 'owner',
  isReasonNeeded: true,
  isByAccount: true,
  body: z.object({ importId: id.check(z.describe('the import')) }),
  reply: z.object({
    facilities: z.array(
      z.object({
        locationCode: z.string(),
        importedOn: calendarDate,
        leases: z.int(),
        tenants: z.int(),
        units: z.int(),
        /** What its rentals owe and have to their credit. */
        owed: dollars,
        credit: dollars,
      }),
    ),
  }),
  example: {
    facilities: [
      {
        locationCode: 'TXDFW03',
        importedOn: '2026-11-20',
        leases: 58,
        tenants: 51,
        units: 58,
        owed: 1240.5,
        credit: 120,
      },
    ],
  },
  says: ({ facilities }, isDone) =>
    facilities.map(
      ({ locationCode, importedOn, leases, tenants, units, owed, credit }) =>
        `${locationCode}: ${leases} leases of ${formatDate(importedOn)}, with ${tenants} tenants and ` +
        `${units} units, ${isDone ? 'are being' : 'will be'} taken back; ${formatMoney(owed)} owed ` +
        `and ${formatMoney(credit)} of credits with them.`,
    ),
});
