import {
  type AutopayUpdateParams,
  stopAutopay,
  updateAutopay,
} from '@gatehouse/contract/autopay-changes';
import type { Reply } from '@gatehouse/contract/endpoint';
import { api, request } from './base.ts';

type Update = { ledgerId: string; body: AutopayUpdateParams; idempotencyKey: string };

export const { useUpdateAutopayMutation, useStopAutopayMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    updateAutopay: build.mutation<Reply<typeof updateAutopay>, Update>({
      query: ({ ledgerId, body, idempotencyKey }) =>
        request(updateAutopay, { ledgerId }, { body, idempotencyKey }),
      invalidatesTags: (reply) => (reply ? ['TenantLedgers', 'Autopay'] : []),
    }),
    stopAutopay: build.mutation<Reply<typeof stopAutopay>, string>({
      query: (ledgerId) => request(stopAutopay, { ledgerId }),
      invalidatesTags: (reply) => (reply ? ['TenantLedgers', 'Autopay'] : []),
    }),
  }),
});
