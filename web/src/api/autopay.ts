import { type AutopayUpdateParams, listAutopays, stopAutopay, updateAutopay } from '@gatehouse/contract/autopay';
import type { Reply } from '@gatehouse/contract/endpoint';
import { api, request } from './base.ts';

type Update = { ledgerId: string; body: AutopayUpdateParams; idempotencyKey: string };

export const {
  useListAutopaysQuery,
  useUpdateAutopayMutation,
  useStopAutopayMutation,
  endpoints: autopayCalls,
} = api.injectEndpoints({
  endpoints: (build) => ({
    listAutopays: build.query<Reply<typeof listAutopays>, string>({
      query: (tenantId) => request(listAutopays, { tenantId }),
      providesTags: ['Autopay'],
    }),
    updateAutopay: build.mutation<Reply<typeof updateAutopay>, Update>({
      query: ({ ledgerId, body, idempotencyKey }) => request(updateAutopay, { ledgerId }, { body, idempotencyKey }),
      invalidatesTags: (reply) => (reply ? ['TenantLedgers', 'Autopay'] : []),
    }),
    stopAutopay: build.mutation<Reply<typeof stopAutopay>, string>({
      query: (ledgerId) => request(stopAutopay, { ledgerId }),
      invalidatesTags: (reply) => (reply ? ['TenantLedgers', 'Autopay'] : []),
    }),
  }),
});
