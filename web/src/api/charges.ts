import { listCharges } from '@gatehouse/contract/charges';
import type { Reply } from '@gatehouse/contract/endpoint';
import { api, request } from './base.ts';

export const { useListChargesQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    listCharges: build.query<Reply<typeof listCharges>, { tenantId: string; ledgerId: string }>({
      query: ({ tenantId, ledgerId }) =>
        request(listCharges, { tenantId }, { query: { ledgerId } }),
      providesTags: ['TenantCharges'],
    }),
  }),
});
