import { getFacility, listDiscountPlans } from '@gatehouse/contract/facilities';
import { query, request } from './base.ts';
import { queryHook } from './hooks.ts';

/** The facility of the session and its discount plans; the spec's cache groups name neither. */
export const facilityCalls = {
  getFacility: query({
    name: 'getFacility',
    group: null,
    send: () => request(getFacility, {}),
  }),
  listDiscountPlans: query({
    name: 'listDiscountPlans',
    group: null,
    send: () => request(listDiscountPlans, {}),
  }),
};

export const useGetFacilityQuery = queryHook(facilityCalls.getFacility);
export const useListDiscountPlansQuery = queryHook(facilityCalls.listDiscountPlans);
