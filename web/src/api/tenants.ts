import type { Reply } from '@gatehouse/contract/endpoint';
import { getTenant } from '@gatehouse/contract/tenants';
import { api, request } from './base.ts';

export const { useGetTenantQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    getTenant: build.query<Reply<typeof getTenant>, string>({
      query: (tenantId) => request(getTenant, { tenantId }),
      providesTags: ['TenantInformation'],
    }),
  }),
});
