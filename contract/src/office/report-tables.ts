import { z } from 'zod/mini';
import { namedDay } from '../calendar-date.ts';
import { paper } from '../papers.ts';
import { officeEndpoint } from './office-endpoint.ts';

/**
 * The reports that are tables, with their titles; `isOfDays` where they are of a range of days.
 * Autopay is as it is today, of which no earlier day is kept.
 */
export const reportTables = {
  rentRoll: { title: 'Rent roll', isOfDays: false },
  aging: { title: 'Aging', isOfDays: false },
  occupancy: { title: 'Occupancy', isOfDays: false },
  prepaid: { title: 'Payments in advance', isOfDays: false },
  revenue: { title: 'Revenue by kind', isOfDays: true },
  taxes: { title: 'Tax due', isOfDays: true },
  payouts: { title: 'Deposits against payouts', isOfDays: true },
  writeOffs: { title: 'Write-offs', isOfDays: true },
  rateChanges: { title: 'Rent changes', isOfDays: true },
  journal: { title: 'Journal', isOfDays: true },
  cashJournal: { title: 'Journal on cash basis', isOfDays: true },
  autopay: { title: 'Autopay', isOfDays: false },
} as const;
export type ReportName = keyof typeof reportTables;

/** The most rows of a table; a paper of more is refused. */
export const MOST_TABLE_ROWS = 2000;

const DAY = 'The day must be like 2026-11-24.';

/**
 * A report as a table. A cell is a text, a day (`YYYY-MM-DD`), a count, or dollars, as its column
 * says; `totals` has a cell for each column and is of all rows, also those that are not here.
 */
export const reportTable = z.object({
  title: z.string(),
  columns: z.array(
    z.object({ title: z.string(), kind: z.enum(['text', 'day', 'count', 'dollars']) }),
  ),
  rows: z.array(z.array(z.union([z.string(), z.number()]))),
  totals: z.array(z.union([z.string(), z.number()])),
  /** How many rows there are. */
  count: z.int(),
});
export type ReportTable = z.infer<typeof reportTable>;

/** `to` is the day of a report as of a day, by the calendar of each facility. */
const query = z.object({
  report: z.enum(Object.keys(reportTables) as ReportName[], 'There is no such report.'),
  from: z.optional(namedDay(DAY)),
  to: namedDay(DAY),
  locationCode: z.optional(z.string().check(z.maxLength(50, 'Location is too long.'))),
});

/** GET /office/reports/table: at most `MOST_TABLE_ROWS` rows. */
export const getReportTable = officeEndpoint({
  name: 'getReportTable',
  method: 'GET',
  path: '/office/reports/table',
  access: 'staff',
  role: 'manager',
  shows: 'Reports',
  query,
  reply: reportTable,
});

/** GET /office/reports/paper: the same as a PDF; 422 for more than its most rows. */
export const getReportPaper = officeEndpoint({
  name: 'getReportPaper',
  method: 'GET',
  path: '/office/reports/paper',
  access: 'staff',
  role: 'manager',
  shows: 'Reports',
  query,
  reply: paper,
});
