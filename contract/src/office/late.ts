import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { id } from '../ids.ts';
import { dollars } from '../money.ts';
import { filterText, listQuery, pageOf } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

/** How long something is owed, in days past the oldest open due date. */
export const agingBuckets = ['0-10', '11-30', '31-60', '60+'] as const;
export const agingBucket = z.enum(agingBuckets, 'The bucket is none of the aging report.');

/** A rental that owes something; `id` is the ledger's. */
export const lateRow = z.object({
  id,
  tenantId: id,
  locationCode: z.string(),
  unitName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  balance: dollars,
  owedSince: calendarDate,
  /** Days past `owedSince`; the bucket goes by them. */
  daysOwed: z.int(),
  bucket: agingBucket,
  /** By the rent alone, as the tenant sees it. */
  daysPastDue: z.int(),
  autopay: z.enum(['on', 'off']),
  isLockedOut: z.boolean(),
  movedOutOn: z.nullable(calendarDate),
});
export type LateRow = z.infer<typeof lateRow>;

/** GET /office/late: rentals that owe something that is due, those that owe for longest first. */
export const listLate = officeEndpoint({
  name: 'listLate',
  summary: 'Rentals that owe something',
  method: 'GET',
  path: '/office/late',
  access: 'staff',
  role: 'clerk',
  query: z.extend(listQuery(['daysOwed', 'balance', 'name']), {
    bucket: z.optional(agingBucket),
    q: z.optional(filterText),
    autopay: z.optional(z.enum(['on', 'off'], 'Autopay must be on or off.')),
  }),
  reply: pageOf(lateRow),
  example: {
    rows: [
      {
        id: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
        tenantId: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31',
        locationCode: 'TXDFW03',
        unitName: 'A101',
        firstName: 'Dana',
        lastName: 'Reyes',
        email: 'dana@example.com',
        phone: '8175550142',
        balance: 214.5,
        owedSince: '2026-11-14',
        daysOwed: 10,
        bucket: '0-10',
        daysPastDue: 10,
        autopay: 'off',
        isLockedOut: true,
        movedOutOn: null,
      },
    ],
    next: null,
  },
});
