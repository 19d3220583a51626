import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { id } from './ids.ts';
import { dollars } from './money.ts';
import { maskedAch, maskedCreditCard } from './saved-methods.ts';
import { tenantPathParams } from './tenants.ts';

/**
 * How many days after its first attempt, which is on the due date as a rule, a declined autopay
 * payment is tried again: four attempts in all.
 */
export const RETRY_DAYS = [3, 5, 7];

/** One attempt of the autopay run. `retryOn` is the day of the next one, where there is one. */
export const autopayAttempt = z.object({
  date: calendarDate,
  amount: dollars,
  outcome: z.enum(['succeeded', 'pending', 'declined', 'returned', 'unconfirmed']),
  message: z.nullable(z.string()),
  retryOn: z.nullable(calendarDate),
});
export type AutopayAttempt = z.infer<typeof autopayAttempt>;

/**
 * The next bill of a ledger, with its due date in the facility's calendar and its lines in dollars:
 * rent, discount (negative), protection plan, taxes. `cardFee` comes on top where autopay charges a
 * card that brings it.
 */
export const nextBill = z.object({
  date: calendarDate,
  lines: z.array(z.object({ description: z.string(), amount: dollars })),
  cardFee: dollars,
});
export type NextBill = z.infer<typeof nextBill>;

/**
 * The autopay record of a ledger. Without a set-up, `active` is false and there is no method.
 * `nextCharge` is what autopay takes next and on which day of the facility, all that will be owed
 * by then: rent with a change that is due, protection plan, taxes, card fee, and what is owed
 * already; null where autopay is not active or is kept from charging. `nextBill` is the next bill
 * whether autopay is active or not; null where there is none to come. `problem` is what keeps
 * autopay from charging, or will, in a sentence for the tenant. `attempts` are the last ones,
 * newest first.
 */
export const autopay = z.object({
  ledgerId: id,
  active: z.boolean(),
  nextCharge: z.nullable(z.object({ date: calendarDate, amount: dollars })),
  nextBill: z.nullable(nextBill),
  problem: z.nullable(z.string()),
  attempts: z.array(autopayAttempt),
  type: z.optional(z.enum(['creditCard', 'ach'])),
  ach: z.optional(maskedAch),
  creditCard: z.optional(maskedCreditCard),
});
export type Autopay = z.infer<typeof autopay>;

export const exampleAutopay: Autopay = {
  ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
  active: true,
  nextCharge: { date: '2026-12-14', amount: 193.0 },
  nextBill: {
    date: '2026-12-14',
    lines: [{ description: 'Rent 12/14/2026 - 1/13/2027', amount: 188 }],
    cardFee: 5,
  },
  problem: null,
  attempts: [
    { date: '2026-11-14', amount: 182, outcome: 'succeeded', message: null, retryOn: null },
  ],
  type: 'creditCard',
  creditCard: {
    paymentMethodId: '1c9e7f3b-5d2a-4f6e-8a0b-7c6d5e4f3a2b',
    cardType: 'Visa',
    cardNumber: '************4242',
    expirationDate: '2028-04',
    bringsFee: true,
    name: 'Dana Reyes',
    streetAddress: null,
    postalCode: '76020',
  },
};

/** GET {prefix}/tenants/{tenantId}/autopays: one record for each current rental. */
export const listAutopays = endpoint({
  name: 'listAutopays',
  subject: 'Autopay',
  summary: 'The autopay record of each current rental',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/autopays`,
  access: 'tenant',
  params: tenantPathParams,
  reply: z.array(autopay),
  example: [exampleAutopay],
});
