import type { Reply } from '@gatehouse/contract/endpoint';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { api, request } from './base.ts';

export const {
  useListLedgersQuery,
  useLazyListLedgersQuery,
  endpoints: ledgerCalls,
} = api.injectEndpoints({
  endpoints: (build) => ({
    /** The rentals of one tenant record, or of several by one comma-joined call. */
    listLedgers: build.query<Reply<typeof listLedgers>, string[]>({
      query: (tenantIds) => request(listLedgers, { tenantIds: tenantIds.join(',') }),
      providesTags: ['TenantLedgers'],
    }),
  }),
});
