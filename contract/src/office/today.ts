import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { id } from '../ids.ts';
import { dollars } from '../money.ts';
import { lateRow } from './late.ts';
import { officeEndpoint } from './office-endpoint.ts';
import { requestRow } from './requests.ts';

/** What is late is counted up to here; one more means that there are more. */
export const MOST_COUNTED = 1000;

/** How many there are, and the first 20 of them. */
function some<Row extends z.ZodMiniType>(row: Row) {
  return z.object({ count: z.int(), rows: z.array(row) });
}

/** A rental with a day; `id` is the ledger's. */
const rentalDay = z.object({
  id,
  tenantId: id,
  tenantName: z.string(),
  locationCode: z.string(),
  unitName: z.string(),
  on: calendarDate,
});

/**
 * What needs a person today, by each facility's own day. `late` is late since yesterday or today;
 * `bounced` was taken back yesterday or today; `proofs` of insurance are not decided, and `on` is
 * the day on which they were given; `expiring` are private insurance policies and autopay cards
 * that end within 30 days, `papers` those of vehicles and vessels that do or ended within 30 days;
 * `noReply` are new requests.
 */
export const today = z.object({
  /** Of all the facilities. */
  sums: z.object({
    units: z.int(),
    occupied: z.int(),
    vacant: z.int(),
    /** What came in and went back today. */
    taken: dollars,
    back: dollars,
  }),
  /** Those that are due first; `count` is at most `MOST_COUNTED` and one. */
  late: some(lateRow),
  moveIns: some(rentalDay),
  moveOuts: some(rentalDay),
  transfers: some(rentalDay),
  noReply: some(requestRow),
  bounced: some(z.extend(rentalDay, { amount: dollars, reason: z.string() })),
  alarms: some(
    z.object({ id, kind: z.string(), sentence: z.string(), raisedAt: z.iso.datetime() }),
  ),
  proofs: some(z.extend(rentalDay, { company: z.string() })),
  expiring: some(
    z.extend(rentalDay, { what: z.enum(['policy', 'card']), description: z.string() }),
  ),
  papers: some(z.extend(rentalDay, { kind: z.enum(['registration', 'insurance']) })),
});
export type Today = z.infer<typeof today>;

/** GET /office/today. `locationCode` limits it to one facility. */
export const getToday = officeEndpoint({
  name: 'getToday',
  method: 'GET',
  path: '/office/today',
  access: 'staff',
  role: 'clerk',
  query: z.object({ locationCode: z.optional(z.string()) }),
  reply: today,
});
