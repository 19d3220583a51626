import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { formatDate } from './dates.ts';
import { dollars, formatMoney } from './money.ts';
import { journalAccount, journalAccounts } from './office/journal.ts';
import { field, staffVerb } from './staff-verb.ts';
import { requiredText } from './text.ts';

const month = z
  .string('The month must be like 2026-11.')
  .check(z.regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/, 'The month must be like 2026-11.'));

/**
 * `journal close`: closes a month of a facility that is over, with all before it. Its journal never
 * changes again: what is posted later, for whatever day, is on the first day that is open.
 */
export const closeMonth = staffVerb({
  name: 'journal.close',
  title: 'Close a month',
  summary: 'Closes a month of the journal, so that it never changes again',
  role: 'manager',
  isReasonNeeded: 'everywhere',
  body: z.object({ month: field(month, { title: 'Month', description: 'Such as 2026-11.' }) }),
  reply: z.object({
    locationCode: z.string(),
    lastDay: calendarDate,
    /** What the month comes to in debit, as in credit, on the accrual basis. */
    sum: dollars,
  }),
  example: { locationCode: 'TXDFW03', lastDay: '2026-11-30', sum: 48210.55 },
  says: ({ locationCode, lastDay, sum }, isDone) => [
    `The journal of ${locationCode} ${isDone ? 'is' : 'will be'} closed through ${formatDate(lastDay)}.`,
    `The month comes to ${formatMoney(sum)} in debit and in credit.`,
  ],
});

/** `journal account`: the operator's own number and name of an account of the journal. */
export const nameAccount = staffVerb({
  name: 'journal.account',
  title: 'Name an account',
  summary: 'Gives an account of the journal the operator’s own number and name',
  role: 'owner',
  isReasonNeeded: false,
  isByAccount: true,
  body: z.object({
    account: field(journalAccount, {
      title: 'Account',
      names: Object.fromEntries(
        Object.entries(journalAccounts).map(([account, { name }]) => [account, name]),
      ),
    }),
    number: field(requiredText('Number', 20), { title: 'Number' }),
    name: field(requiredText('Name', 100), { title: 'Name' }),
  }),
  reply: z.object({ account: journalAccount, number: z.string(), name: z.string() }),
  example: { account: 'rent', number: '40100', name: 'Storage rent' },
  says: ({ account, number, name }, isDone) => [
    `${journalAccounts[account].name} ${isDone ? 'is' : 'will be'} ${number} ${name}.`,
  ],
});
