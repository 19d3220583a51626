import { listAutopays } from '@gatehouse/contract/autopay';
import type { Reply } from '@gatehouse/contract/endpoint';
import { api, request } from './base.ts';

export const { useListAutopaysQuery, endpoints: autopayCalls } = api.injectEndpoints({
  endpoints: (build) => ({
    listAutopays: build.query<Reply<typeof listAutopays>, string>({
      query: (tenantId) => request(listAutopays, { tenantId }),
      providesTags: ['Autopay'],
    }),
  }),
});
