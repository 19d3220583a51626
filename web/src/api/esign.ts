import type { Reply } from '@gatehouse/contract/endpoint';
import { listFiles } from '@gatehouse/contract/esign';
import { api, request } from './base.ts';

export const { useListFilesQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    /** Every document of a tenant record; a rental shows those of its ledger. The spec's groups name none. */
    listFiles: build.query<Reply<typeof listFiles>, string>({
      query: (tenantId) => request(listFiles, { tenantId }),
    }),
  }),
});
