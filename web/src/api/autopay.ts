import { type AutopayUpdateParams, listAutopays, stopAutopay, updateAutopay } from '@gatehouse/contract/autopay';
import type { Reply } from '@gatehouse/contract/endpoint';
import { api, request } from './base.ts';

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
    updateAutopay: build.mutation<Reply<typeof updateAutopay>, { ledgerId: string; body: AutopayUpdateParams }>({
      query: ({ ledgerId, body }) => request(updateAutopay, { ledgerId }, { body }),
      invalidatesTags: (reply) => (reply ? ['TenantLedgers', 'Autopay'] : []),
    }),
    stopAutopay: build.mutation<Reply<typeof stopAutopay>, string>({
      query: (ledgerId) => request(stopAutopay, { ledgerId }),
      invalidatesTags: (reply) => (reply ? ['TenantLedgers', 'Autopay'] : []),
    }),
  }),
});
