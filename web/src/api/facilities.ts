import type { Reply } from '@gatehouse/contract/endpoint';
import { getFacility, listDiscountPlans } from '@gatehouse/contract/facilities';
import { api, request } from './base.ts';

/** The facility of the session and its discount plans; the spec's cache groups name neither. */
export const {
  useGetFacilityQuery,
  useListDiscountPlansQuery,
  endpoints: facilityCalls,
} = api.injectEndpoints({
  endpoints: (build) => ({
    // oxlint-disable-next-line typescript/no-invalid-void-type -- the library's word for a query without argument
    getFacility: build.query<Reply<typeof getFacility>, void>({
      query: () => request(getFacility, {}),
    }),
    // oxlint-disable-next-line typescript/no-invalid-void-type -- the library's word for a query without argument
    listDiscountPlans: build.query<Reply<typeof listDiscountPlans>, void>({
      query: () => request(listDiscountPlans, {}),
    }),
  }),
});
