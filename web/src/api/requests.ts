import type { Reply } from '@gatehouse/contract/endpoint';
import { listRequests } from '@gatehouse/contract/tracked-requests';
import { api, request } from './base.ts';

export const { useListRequestsQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    /** What a tenant record asked of the facility; the spec's groups name none. */
    listRequests: build.query<Reply<typeof listRequests>, string>({
      query: (tenantId) => request(listRequests, { tenantId }),
    }),
  }),
});
