import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { waitsForSettlement } from './gate-access.ts';
import { id } from './ids.ts';
import { ledgerPathParams } from './ledgers.ts';
import { dollars, paymentAmount } from './money.ts';
import { prepayMonths } from './payment-preview.ts';
import { onePaymentMethod, paymentMethodFields } from './payment-methods.ts';
import { requesterCopies } from './requests.ts';
import { tenantPathParams } from './tenants.ts';
import { copied } from './text.ts';

/** Units that one capture pays at most: of more, the body would be longer than the usual 64 KiB. */
export const MOST_PAID = 400;

/**
 * paymentParams of the specification. `testMode`, `switchingFromCcToAch` and `webhookData` may be
 * sent and decide nothing. `prepayMonths`, ours, pays this many of the next bills of one unit as
 * well: the amount must be what is owed and those bills come to (`previewPayment`).
 */
export const paymentParams = z
  .object({
    payments: z
      .array(z.object({ ledgerId: id, unitId: id, amount: paymentAmount }), {
        error: () => t('Payments must be a list.'),
      })
      .check(
        z.minLength(1, { error: () => t('Payments must name at least one unit.') }),
        z.maxLength(MOST_PAID, {
          error: () => t('Payments must name at most {most} units.', { most: MOST_PAID }),
        }),
      ),
    prepayMonths: z.optional(prepayMonths),
    ...paymentMethodFields,
    switchingFromCcToAch: copied,
    testMode: copied,
    webhookData: z.optional(
      z.object({ ...requesterCopies, ledgerId: copied, date: copied, amount: copied }),
    ),
  })
  .check(onePaymentMethod);
export type PaymentParams = z.infer<typeof paymentParams>;

/**
 * A receipt of one capture over its ledgers. `pending`: a bank payment counts at once and may still
 * be returned. `waitsForSettlement` is there while it keeps a gate shut by itself, as the facility
 * says (gate-access.ts).
 */
export const paymentReceipt = z.object({
  status: z.enum(['succeeded', 'pending']),
  receiptNumber: z.string(),
  payments: z.array(z.object({ ledgerId: id, amount: dollars, receiptNumber: z.string() })),
  waitsForSettlement: z.optional(waitsForSettlement),
});
export type PaymentReceipt = z.infer<typeof paymentReceipt>;

/**
 * POST {prefix}/tenants/{tenantId}/payments: one capture for all ledgers, all or nothing.
 * `Idempotency-Key` is honoured. 402 declined; 409 while an earlier payment of these units is being
 * confirmed; 422 an amount above the balance, but for the bills that `prepayMonths` names.
 */
export const makePayment = endpoint({
  name: 'makePayment',
  subject: 'Payments',
  summary: 'Pays one or more units of a tenant record in one capture',
  method: 'POST',
  path: `${PREFIX}/tenants/:tenantId/payments`,
  access: 'tenant',
  urgency: 'payment',
  confirm: true,
  params: tenantPathParams,
  body: paymentParams,
  reply: paymentReceipt,
  example: {
    status: 'succeeded',
    receiptNumber: '1000042',
    payments: [
      { ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49', amount: 214.5, receiptNumber: '1000042' },
    ],
  },
});

/**
 * A payment in a ledger's history. `isPending`: a bank payment that counts and may still come back.
 * `takenBack`: what of it was returned by the bank or refunded, and when, in a sentence for the
 * tenant.
 */
export const payment = z.object({
  date: calendarDate,
  paymentTypeDescription: z.string(),
  amount: dollars,
  receiptNumber: z.string(),
  isPending: z.boolean(),
  takenBack: z.nullable(z.object({ date: calendarDate, amount: dollars, sentence: z.string() })),
});
export type Payment = z.infer<typeof payment>;

/** Rows of Payment History on one page, and page numbers in its window. */
export const PAYMENTS_PER_PAGE = 12;
export const PAGE_WINDOW = 5;

/**
 * The page numbers to show: a window of five around the current page, shifted to stay inside
 * 1…`pages`.
 */
export function pageWindow(page: number, pages: number): number[] {
  const first = Math.max(1, Math.min(page - Math.floor(PAGE_WINDOW / 2), pages - PAGE_WINDOW + 1));
  return Array.from({ length: Math.min(PAGE_WINDOW, pages) }, (_, index) => first + index);
}

/** GET {prefix}/ledgers/{ledgerId}/payments: the whole history, newest first. */
export const listPayments = endpoint({
  name: 'listPayments',
  subject: 'Payments',
  summary: 'The payments of a ledger, newest first',
  method: 'GET',
  path: `${PREFIX}/ledgers/:ledgerId/payments`,
  access: 'tenant',
  params: ledgerPathParams,
  reply: z.array(payment),
  example: [
    {
      date: '2026-10-14',
      paymentTypeDescription: 'Visa ending in 4242',
      amount: 214.5,
      receiptNumber: '1000017',
      isPending: false,
      takenBack: null,
    },
  ],
});

/** A payment on a rental that has ended, with the unit that it was made on. */
export const pastPayment = z.extend(payment, { unitName: z.string() });
export type PastPayment = z.infer<typeof pastPayment>;

/**
 * GET {prefix}/tenants/{tenantId}/past-payments, not in the spec: the payments on the rentals of
 * the tenant record that have ended by the facility's calendar, newest first.
 */
export const listPastPayments = endpoint({
  name: 'listPastPayments',
  subject: 'Payments',
  summary: 'The payments on rentals that have ended, newest first',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/past-payments`,
  access: 'tenant',
  params: tenantPathParams,
  reply: z.array(pastPayment),
  example: [{ ...listPayments.example[0]!, unitName: 'B207' }],
});
