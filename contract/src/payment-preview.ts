import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { ledgerPathParams } from './ledgers.ts';
import { dollars, paymentAmount } from './money.ts';

/** The most bills that can be paid before they are due. */
export const MOST_MONTHS_AHEAD = 12;

/** How many of the next bills a payment pays in addition to what is owed. */
export const prepayMonths = z.int({ error: () => t('Months ahead must be a whole number.') }).check(
  z.gte(1, { error: () => t('Months ahead must be 1 or more.') }),
  z.lte(MOST_MONTHS_AHEAD, {
    error: () => t('Months ahead must be {most} at most.', { most: MOST_MONTHS_AHEAD }),
  }),
);

/**
 * What a payment of a rental would do; sums in dollars. `pays` is what it pays, in that order:
 * charges that are owed, wholly or in part, and the bills to come in one line. `left` is owed
 * afterwards; `credit` is kept for the bills to come, which are paid through `paidThrough`, null
 * where it pays none. `gate` is there where the gate is closed for what is owed: whether the
 * payment opens it, or by how much more it would, null where money by itself does not;
 * `waitsForBank` where a bank payment opens it only when it has settled.
 */
export const paymentPreview = z.object({
  amount: dollars,
  pays: z.array(z.object({ description: z.string(), amount: dollars, isWhole: z.boolean() })),
  left: dollars,
  credit: dollars,
  paidThrough: z.nullable(calendarDate),
  gate: z.nullable(
    z.object({ isOpened: z.boolean(), more: z.nullable(dollars), waitsForBank: z.boolean() }),
  ),
});
export type PaymentPreview = z.infer<typeof paymentPreview>;

/**
 * POST {prefix}/ledgers/{ledgerId}/payment-preview, not in the spec: what a part of the balance
 * pays (`amount`), or what the balance and the next bills come to and pay (`prepayMonths`). Charges
 * nothing. 422 as `makePayment` would refuse it.
 */
export const previewPayment = endpoint({
  name: 'previewPayment',
  subject: 'Payments',
  summary: 'What another amount, or paying ahead, would pay',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/payment-preview`,
  access: 'tenant',
  params: ledgerPathParams,
  body: z
    .object({ amount: z.optional(paymentAmount), prepayMonths: z.optional(prepayMonths) })
    .check(
      z.refine(
        ({ amount, prepayMonths: months }) => (amount === undefined) !== (months === undefined),
        { error: () => t('Send an amount or months ahead.') },
      ),
    ),
  reply: paymentPreview,
  example: {
    amount: 150,
    pays: [{ description: 'Rent 11/14/2026 - 12/13/2026', amount: 150, isWhole: false }],
    left: 64.5,
    credit: 0,
    paidThrough: null,
    gate: { isOpened: false, more: 64.5, waitsForBank: false },
  },
});
