import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { id } from '../ids.ts';
import { dollars } from '../money.ts';
import { filterText, listQuery, pageOf } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

/** The rent of a current rental; `id` is the ledger's. */
export const rateRow = z.object({
  id,
  tenantId: id,
  tenantName: z.string(),
  locationCode: z.string(),
  unitName: z.string(),
  widthFeet: z.int(),
  lengthFeet: z.int(),
  rate: dollars,
  /** The first day of this rent: the last change, or else the move-in. */
  rateSince: calendarDate,
  /** Whole months since then. */
  months: z.int(),
  /** The average rent of rented units of this size at the facility. */
  averageRate: dollars,
  scheduled: z.nullable(z.object({ rate: dollars, on: calendarDate })),
  /** The first day for which a rise can still be noticed in time. */
  riseFrom: calendarDate,
});
export type RateRow = z.infer<typeof rateRow>;

/** GET /office/rates. `leastMonths` is the least age of the rent. Rises are `rentals.rate`. */
export const listRates = officeEndpoint({
  name: 'listRates',
  method: 'GET',
  path: '/office/rates',
  access: 'staff',
  role: 'manager',
  shows: 'Rates',
  query: z.extend(listQuery(['rateSince', 'rate', 'unit']), {
    size: z.optional(
      z.string().check(z.regex(/^\d{1,4}x\d{1,4}$/, 'Size must be like 12x30, in feet.')),
    ),
    leastMonths: z.optional(
      z.string().check(z.regex(/^\d{1,3}$/, 'LeastMonths must be a number.')),
    ),
    q: z.optional(filterText),
  }),
  reply: pageOf(rateRow),
});
