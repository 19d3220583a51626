import { getUnitContents, updateUnitContents } from '@gatehouse/contract/unit-contents';
import { mutation, query, request } from './base.ts';
import { mutationHook, queryHook } from './hooks.ts';

export const unitContentsCalls = {
  getUnitContents: query({
    name: 'getUnitContents',
    group: 'UnitContents',
    send: (ledgerId: string) => request(getUnitContents, { ledgerId }),
  }),
  updateUnitContents: mutation({
    send: ({ ledgerId, body }: { ledgerId: string; body: { contents: string } }) =>
      request(updateUnitContents, { ledgerId }, { body }),
    invalidates: ['UnitContents'],
  }),
};

export const useGetUnitContentsQuery = queryHook(unitContentsCalls.getUnitContents);
export const useUpdateUnitContentsMutation = mutationHook(unitContentsCalls.updateUnitContents);
