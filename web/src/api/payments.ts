import {
  listPastPayments,
  listPayments,
  makePayment,
  type PaymentParams,
} from '@gatehouse/contract/payments';
import { previewPayment } from '@gatehouse/contract/payment-preview';
import { mutation, query, request } from './base.ts';
import { lazyQueryHook, mutationHook, queryHook } from './hooks.ts';

type Preview = { ledgerId: string; amount?: number; prepayMonths?: number };
type Payment = { tenantId: string; body: PaymentParams; idempotencyKey: string };

export const paymentCalls = {
  /**
   * The spec's groups name no history; it shares the group of the charges, so that a payment made
   * is in it.
   */
  listPayments: query({
    name: 'listPayments',
    group: 'TenantCharges',
    send: (ledgerId: string) => request(listPayments, { ledgerId }),
  }),
  /** Those of a tenant record on rentals that have ended. */
  listPastPayments: query({
    name: 'listPastPayments',
    group: 'TenantCharges',
    send: (tenantId: string) => request(listPastPayments, { tenantId }),
  }),
  /** What another amount of a rental would pay: as old as its balance. */
  previewPayment: query({
    name: 'previewPayment',
    group: 'TenantLedgers',
    send: ({ ledgerId, ...body }: Preview) => request(previewPayment, { ledgerId }, { body }),
  }),
  makePayment: mutation({
    send: ({ tenantId, body, idempotencyKey }: Payment) =>
      request(makePayment, { tenantId }, { body, idempotencyKey }),
    invalidates: ['TenantCharges', 'TenantLedgers'],
  }),
};

export const useListPaymentsQuery = queryHook(paymentCalls.listPayments);
export const useLazyListPaymentsQuery = lazyQueryHook(paymentCalls.listPayments);
export const useListPastPaymentsQuery = queryHook(paymentCalls.listPastPayments);
export const usePreviewPaymentQuery = queryHook(paymentCalls.previewPayment);
export const useMakePaymentMutation = mutationHook(paymentCalls.makePayment);
