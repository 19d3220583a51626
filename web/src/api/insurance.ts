import { listLedgerInsuranceStatuses } from '@gatehouse/contract/insurance';
import { query, request, requestLists } from './base.ts';
import { queryHook } from './hooks.ts';

export const insuranceCalls = {
  listLedgerInsuranceStatuses: query({
    name: 'listLedgerInsuranceStatuses',
    group: 'LedgerInsurance',
    send: (ids: string[]) =>
      requestLists(ids, (ledgerIds) => request(listLedgerInsuranceStatuses, { ledgerIds })),
  }),
};

export const useListLedgerInsuranceStatusesQuery = queryHook(
  insuranceCalls.listLedgerInsuranceStatuses,
);
