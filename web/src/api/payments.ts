import type { Reply } from '@gatehouse/contract/endpoint';
import {
  listPastPayments,
  listPayments,
  makePayment,
  type PaymentParams,
} from '@gatehouse/contract/payments';
import { api, request } from './base.ts';

type Payment = { tenantId: string; body: PaymentParams; idempotencyKey: string };

export const {
  useListPaymentsQuery,
  useLazyListPaymentsQuery,
  useListPastPaymentsQuery,
  useMakePaymentMutation,
} = api.injectEndpoints({
  endpoints: (build) => ({
    /**
     * The spec's groups name no history; it shares the group of the charges, so that a payment
     * made is in it.
     */
    listPayments: build.query<Reply<typeof listPayments>, string>({
      query: (ledgerId) => request(listPayments, { ledgerId }),
      providesTags: ['TenantCharges'],
    }),
    /** Those of a tenant record on rentals that have ended. */
    listPastPayments: build.query<Reply<typeof listPastPayments>, string>({
      query: (tenantId) => request(listPastPayments, { tenantId }),
      providesTags: ['TenantCharges'],
    }),
    makePayment: build.mutation<Reply<typeof makePayment>, Payment>({
      query: ({ tenantId, body, idempotencyKey }) =>
        request(makePayment, { tenantId }, { body, idempotencyKey }),
      invalidatesTags: (reply) => (reply ? ['TenantCharges', 'TenantLedgers'] : []),
    }),
  }),
});
