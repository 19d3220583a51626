import { listLedgerInsuranceStatuses } from '@gatehouse/contract/insurance';
import { query, request } from './base.ts';
import { queryHook } from './hooks.ts';

export const insuranceCalls = {
  listLedgerInsuranceStatuses: query({
    name: 'listLedgerInsuranceStatuses',
    group: 'LedgerInsurance',
    send: (ledgerIds: string[]) =>
      request(listLedgerInsuranceStatuses, { ledgerIds: ledgerIds.join(',') }),
  }),
};

export const useListLedgerInsuranceStatusesQuery = queryHook(
  insuranceCalls.listLedgerInsuranceStatuses,
);
