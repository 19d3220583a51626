import { z } from 'zod/mini';
import { calendarDate, namedDay } from '../calendar-date.ts';
import { drawerLine } from '../drawers.ts';
import { id } from '../ids.ts';
import { dollars } from '../money.ts';
import { deposits } from '../reports.ts';
import { listQuery, pageOf } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

const DAY = 'The day must be like 2026-11-24.';
const day = namedDay(DAY);
const location = z.optional(z.string().check(z.maxLength(50, 'Location is too long.')));

/** GET /office/deposits: what came and went on a day; by each facility's calendar. */
export const getDeposits = officeEndpoint({
  name: 'getDeposits',
  method: 'GET',
  path: '/office/deposits',
  access: 'staff',
  role: 'clerk',
  query: z.object({ on: day, locationCode: location }),
  reply: deposits,
});

/**
 * GET /office/deposits/day: the drawer of each facility on a day, whether it is closed, and the
 * gateway's payouts that arrive on it. What is taken after the close of a day is in the next day's
 * drawer, so that its lines may differ from `getDeposits`, which goes by the day of posting.
 */
export const getDepositDay = officeEndpoint({
  name: 'getDepositDay',
  method: 'GET',
  path: '/office/deposits/day',
  access: 'staff',
  role: 'clerk',
  query: z.object({ on: day, locationCode: location }),
  reply: z.object({
    on: calendarDate,
    /** Facilities with something in the drawer, or whose day is closed. */
    drawers: z.array(
      z.object({
        locationCode: z.string(),
        lines: z.array(drawerLine),
        /** Who took what, without what was taken out again; null on the command line. */
        takers: z.array(z.object({ by: z.nullable(z.string()), count: z.int(), amount: dollars })),
        closing: z.nullable(
          z.object({ by: z.string(), why: z.string(), closedAt: z.iso.datetime() }),
        ),
        /** Why the caller cannot close it now, in a sentence; null where it can be. */
        refusal: z.nullable(z.string()),
      }),
    ),
    /** Of the payments in the caller's facilities, by the books. */
    payouts: z.array(
      z.object({
        payoutId: z.string(),
        standing: z.enum(['underWay', 'paid', 'failed']),
        count: z.int(),
        amount: dollars,
      }),
    ),
    /** Card and bank payments of the day, and what the gateway paid out or gave back since. */
    gateway: z.object({
      taken: dollars,
      paidOut: dollars,
      takenBack: dollars,
      /** Neither. */
      waiting: dollars,
    }),
  }),
});

const asOfQuery = z.object({ asOf: z.optional(day), locationCode: location });

/** A line of the rent roll on a day; `id` is the ledger's. `paidThrough` is today's. */
export const rentRollRow = z.object({
  id,
  tenantId: id,
  tenantName: z.string(),
  locationCode: z.string(),
  unitName: z.string(),
  widthFeet: z.int(),
  lengthFeet: z.int(),
  movedInOn: calendarDate,
  rate: dollars,
  /** By what was posted until the end of the day. */
  balance: dollars,
});

/** GET /office/reports/rent-roll: who rented on a day at which rent, by facility and unit. */
export const getRentRoll = officeEndpoint({
  name: 'getRentRoll',
  method: 'GET',
  path: '/office/reports/rent-roll',
  access: 'staff',
  role: 'manager',
  shows: 'Rent roll',
  query: z.extend(listQuery(['unit']), { asOf: z.optional(day) }),
  reply: pageOf(rentRollRow),
});

/** In days past the oldest open due date; what is due on the day itself is in the first. */
const agingBucket = z.enum(['0-10', '11-30', '31-60', '60+']);

/** GET /office/reports/aging: what was owed on a day, by how long; `id` is facility and bucket. */
export const getAging = officeEndpoint({
  name: 'getAging',
  method: 'GET',
  path: '/office/reports/aging',
  access: 'staff',
  role: 'manager',
  query: asOfQuery,
  reply: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        locationCode: z.string(),
        bucket: agingBucket,
        rentals: z.int(),
        owed: dollars,
      }),
    ),
    owed: dollars,
  }),
});

/**
 * GET /office/reports/occupancy: by facility and size on a day; `rent` is a month's. Of units that
 * are not occupied, `outOfService` cannot be let now.
 */
export const getOccupancy = officeEndpoint({
  name: 'getOccupancy',
  method: 'GET',
  path: '/office/reports/occupancy',
  access: 'staff',
  role: 'manager',
  query: asOfQuery,
  reply: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        locationCode: z.string(),
        widthFeet: z.int(),
        lengthFeet: z.int(),
        units: z.int(),
        occupied: z.int(),
        outOfService: z.int(),
        rent: dollars,
      }),
    ),
    units: z.int(),
    occupied: z.int(),
    outOfService: z.int(),
    rent: dollars,
  }),
});
const revenueSums = {
  charged: dollars,
  net: dollars,
  waived: dollars,
  writtenOff: dollars,
  tax1: dollars,
  tax2: dollars,
  credited: dollars,
  taken: dollars,
  back: dollars,
};

/**
 * GET /office/reports/revenue: by the month of posting, facility and kind. `charged` is with taxes
 * and `net` without; `tax1` and `tax2` are those of each rate, less what was waived of them;
 * what is written off leaves them as they are.
 * `credited` are credits that name no charge, `taken` payments, `back` what was taken back of them.
 */
export const getRevenue = officeEndpoint({
  name: 'getRevenue',
  method: 'GET',
  path: '/office/reports/revenue',
  access: 'staff',
  role: 'manager',
  query: z.object({ from: day, to: day, locationCode: location }),
  reply: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        locationCode: z.string(),
        /** `YYYY-MM`. */
        month: z.string(),
        kind: z.enum(['rent', 'service', 'insurance', 'fee', 'deposit', 'credit', 'payment']),
        ...revenueSums,
      }),
    ),
    /** Of all rows. */
    totals: z.object(revenueSums),
  }),
});
