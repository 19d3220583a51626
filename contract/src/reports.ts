import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { id } from './ids.ts';
import { dollars } from './money.ts';

/** `ledgers late`: rentals that owe something, those that owe for longest first. */
export const lateLedgers = z.object({
  ledgers: z.array(
    z.object({
      ledgerId: id,
      tenantId: id,
      locationCode: z.string(),
      unitName: z.string(),
      company: z.nullable(z.string()),
      firstName: z.string(),
      lastName: z.string(),
      phone: z.nullable(z.string()),
      balance: dollars,
      /** By the rent only, as the tenant sees it. */
      daysPastDue: z.int(),
      /** The due date of the oldest open charge. */
      owedSince: calendarDate,
      autopay: z.enum(['on', 'off']),
      /** A former rental that still owes. */
      movedOutOn: z.nullable(calendarDate),
    }),
  ),
  count: z.int(),
  balance: dollars,
});
export type LateLedgers = z.infer<typeof lateLedgers>;

/** `units free`: units that can be let from `on` on; null is the today of each facility. */
export const freeUnits = z.object({
  on: z.nullable(calendarDate),
  units: z.array(
    z.object({
      locationCode: z.string(),
      unitName: z.string(),
      widthFeet: z.int(),
      lengthFeet: z.int(),
      typeName: z.string(),
      /** The rent of the last rental, which a move-in takes unless it names one. */
      lastRate: z.nullable(dollars),
    }),
  ),
});
export type FreeUnits = z.infer<typeof freeUnits>;

/** How a payment was made. */
export const depositTypes = {
  creditCard: 'Card',
  ach: 'ACH',
  cash: 'Cash',
  check: 'Check',
  moneyOrder: 'Money order',
};
const depositType = z.enum(
  Object.keys(depositTypes) as [keyof typeof depositTypes, ...(keyof typeof depositTypes)[]],
);

/**
 * A gateway's payout by its own id; one that `failed` did not reach the bank and is paid out again
 * by another.
 */
const payout = z.object({
  payoutId: z.string(),
  arrivesOn: calendarDate,
  standing: z.enum(['underWay', 'paid', 'failed']),
});

/**
 * `deposits`: what came and went on a day by its entries, by facility and type. `takings` are
 * payments and what won disputes brought back; `takenBack` what was returned, refunded or otherwise
 * taken back of any payment that day, by reason, with the type that says how it went: a refund in
 * cash is `cash`, however the payment was made. `count` are payments and refunds, not rentals: a
 * check that paid several is one. `via` says who took the payment: the gateway, the counter, or the
 * system that kept the books before an import; `dispute` is a won dispute. `payout` is the
 * gateway's payout to the bank that holds the payments; null where the gateway has not paid them
 * out as far as the last daily comparison knows, and of what it did not take. What goes back is not
 * assigned to a payout.
 */
export const deposits = z.object({
  on: calendarDate,
  facilities: z.array(
    z.object({
      locationCode: z.string(),
      takings: z.array(
        z.object({
          type: depositType,
          via: z.enum(['gateway', 'counter', 'import', 'dispute']),
          payout: z.nullable(payout),
          count: z.int(),
          amount: dollars,
        }),
      ),
      takenBack: z.array(
        z.object({ type: depositType, reason: z.string(), count: z.int(), amount: dollars }),
      ),
      taken: dollars,
      back: dollars,
    }),
  ),
  taken: dollars,
  back: dollars,
});
export type Deposits = z.infer<typeof deposits>;
