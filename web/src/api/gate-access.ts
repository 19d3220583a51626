import type { Reply } from '@gatehouse/contract/endpoint';
import { getUnitGateAccess, listTimeZones } from '@gatehouse/contract/gate-access';
import { api, request } from './base.ts';

export const { useGetUnitGateAccessQuery, useListTimeZonesQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    getUnitGateAccess: build.query<Reply<typeof getUnitGateAccess>, string>({
      query: (unitId) => request(getUnitGateAccess, { unitId }),
      providesTags: ['LedgerGateAccess'],
    }),
    // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the library's word for a query without argument
    listTimeZones: build.query<Reply<typeof listTimeZones>, void>({
      query: () => request(listTimeZones, {}),
    }),
  }),
});
