import { z } from 'zod/mini';
import { calendarDate } from './dates.ts';
import { id } from './ids.ts';
import { dollars } from './money.ts';
import { staffVerb, touchedLedger } from './staff-verb.ts';

/** A line of a settlement or bill: dollars, below 0 in the tenant's favour. */
const line = z.object({ description: z.string(), amount: dollars });

const ledgerId = '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49';

/**
 * `rentals move-out`: ends a rental on `on`, the first day that is not rented, or with `cancel` takes a
 * move-out back that lies ahead. What is left as a credit goes back through the gateway where it came
 * from it, or stays on the ledger (`credit`; refund unless it is named).
 */
export const moveOut = staffVerb({
  name: 'rentals.moveOut',
  summary: 'Ends a rental on a day, or takes a move-out back that lies ahead',
  body: z
    .object({
      ledgerId: id,
      on: z.optional(calendarDate),
      credit: z.optional(z.enum(['refund', 'keep'])),
      cancel: z.optional(z.boolean()),
    })
    .check(z.refine(({ on, cancel = false }) => (on === undefined) === cancel, 'Give a day, or cancel the move-out.')),
  reply: z.object({
    /** Null where the move-out is cancelled. */
    movedOutOn: z.nullable(calendarDate),
    /** False while the day lies ahead: then nothing is posted yet. */
    isSettled: z.boolean(),
    lines: z.array(line),
    /** What goes back through the gateway, by the payment's receipt. `balance` below is before it does. */
    refunds: z.array(z.object({ receiptNumber: z.string(), amount: dollars })),
    /** What of the credit no gateway can give back; staff have an alarm of it. */
    byHand: dollars,
    ledgers: z.array(touchedLedger),
  }),
  example: {
    movedOutOn: '2026-11-30',
    isSettled: true,
    lines: [{ description: 'Deposit given back', amount: -50 }],
    refunds: [{ receiptNumber: '1000042', amount: 50 }],
    byHand: 0,
    ledgers: [{ ledgerId, unitName: 'A101', balance: -50 }],
  },
});
