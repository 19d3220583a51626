import { z } from 'zod/mini';
import { calendarDate, namedDay } from '../calendar-date.ts';
import { dollars } from '../money.ts';
import { officeEndpoint } from './office-endpoint.ts';

/**
 * The accounts of the journal with their usual numbers and names, in the order of a chart of
 * accounts; `type` as QuickBooks has it. Receivables are no `AR` there, which would need a customer
 * on each line.
 */
export const journalAccounts = {
  bank: { number: '1010', name: 'Bank', type: 'BANK' },
  drawer: { number: '1050', name: 'Cash and checks to deposit', type: 'OCASSET' },
  gateway: { number: '1060', name: 'Cards and bank debits to be paid out', type: 'OCASSET' },
  receivable: { number: '1200', name: 'Tenant receivables', type: 'OCASSET' },
  deposits: { number: '2100', name: 'Security deposits held', type: 'OCLIAB' },
  prepaid: { number: '2200', name: 'Payments in advance', type: 'OCLIAB' },
  billedAhead: { number: '2210', name: 'Rent billed before it is due', type: 'OCLIAB' },
  rentTax1: { number: '2310', name: 'Sales tax 1 on rent and fees', type: 'OCLIAB' },
  rentTax2: { number: '2320', name: 'Sales tax 2 on rent and fees', type: 'OCLIAB' },
  insuranceTax1: { number: '2330', name: 'Sales tax 1 on protection plans', type: 'OCLIAB' },
  insuranceTax2: { number: '2340', name: 'Sales tax 2 on protection plans', type: 'OCLIAB' },
  before: { number: '3900', name: 'Payments taken before Gatehouse', type: 'EQUITY' },
  rent: { number: '4000', name: 'Rent', type: 'INC' },
  insurance: { number: '4100', name: 'Protection plans', type: 'INC' },
  service: { number: '4200', name: 'Services', type: 'INC' },
  lateFees: { number: '4310', name: 'Late fees', type: 'INC' },
  cardFees: { number: '4320', name: 'Card fees', type: 'INC' },
  fees: { number: '4390', name: 'Other fees', type: 'INC' },
  discounts: { number: '4910', name: 'Discounts', type: 'INC' },
  waived: { number: '4920', name: 'Waived charges', type: 'INC' },
  credits: { number: '4930', name: 'Credits given', type: 'INC' },
  badDebt: { number: '6100', name: 'Bad debt', type: 'EXP' },
} as const;
export type JournalAccount = keyof typeof journalAccounts;
export const journalAccount = z.enum(
  Object.keys(journalAccounts) as JournalAccount[],
  'There is no such account.',
);

const DAY = 'The day must be like 2026-11-24.';
export const journalBases = { accrual: 'Accrual', cash: 'Cash' } as const;
export type JournalBasis = keyof typeof journalBases;

/** What came to an account of a facility on a day, by the facility's calendar; in dollars. */
export const journalRow = z.object({
  id: z.string(),
  day: calendarDate,
  locationCode: z.string(),
  account: journalAccount,
  number: z.string(),
  name: z.string(),
  debit: dollars,
  credit: dollars,
});
export type JournalRow = z.infer<typeof journalRow>;

/**
 * GET /office/journal: double entry by day, facility and account, of at most 366 days. The rows of
 * each facility and day come to the same in debit and credit. What was posted after its month was
 * closed is on the first day that was open then.
 */
export const getJournal = officeEndpoint({
  name: 'getJournal',
  method: 'GET',
  path: '/office/journal',
  access: 'staff',
  role: 'manager',
  query: z.object({
    from: namedDay(DAY),
    to: namedDay(DAY),
    basis: z.enum(Object.keys(journalBases) as JournalBasis[], 'Basis must be accrual or cash.'),
    locationCode: z.optional(z.string().check(z.maxLength(50, 'Location is too long.'))),
  }),
  reply: z.object({
    rows: z.array(journalRow),
    debit: dollars,
    credit: dollars,
    /** Until when the journal of each is closed; null where no month is. */
    facilities: z.array(
      z.object({ locationCode: z.string(), closedThrough: z.nullable(calendarDate) }),
    ),
  }),
});
