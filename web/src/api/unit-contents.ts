import type { Reply } from '@gatehouse/contract/endpoint';
import { getUnitContents } from '@gatehouse/contract/unit-contents';
import { api, request } from './base.ts';

export const { useGetUnitContentsQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    getUnitContents: build.query<Reply<typeof getUnitContents>, string>({
      query: (ledgerId) => request(getUnitContents, { ledgerId }),
      providesTags: ['UnitContents'],
    }),
  }),
});
