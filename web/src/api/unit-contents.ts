import type { Reply } from '@gatehouse/contract/endpoint';
import { getUnitContents, updateUnitContents } from '@gatehouse/contract/unit-contents';
import { api, request } from './base.ts';

export const {
  useGetUnitContentsQuery,
  useUpdateUnitContentsMutation,
  endpoints: unitContentsCalls,
} = api.injectEndpoints({
  endpoints: (build) => ({
    getUnitContents: build.query<Reply<typeof getUnitContents>, string>({
      query: (ledgerId) => request(getUnitContents, { ledgerId }),
      providesTags: ['UnitContents'],
    }),
    updateUnitContents: build.mutation<
      Reply<typeof updateUnitContents>,
      { ledgerId: string; body: { contents: string } }
    >({
      query: ({ ledgerId, body }) => request(updateUnitContents, { ledgerId }, { body }),
      invalidatesTags: (reply) => (reply ? ['UnitContents'] : []),
    }),
  }),
});
