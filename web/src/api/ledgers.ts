import { listLedgers } from '@gatehouse/contract/ledgers';
import { query, request, requestLists } from './base.ts';
import { lazyQueryHook, queryHook } from './hooks.ts';

export const ledgerCalls = {
  /** The rentals of one tenant record, or of several by the comma-joined call. */
  listLedgers: query({
    name: 'listLedgers',
    group: 'TenantLedgers',
    send: (ids: string[]) => requestLists(ids, (tenantIds) => request(listLedgers, { tenantIds })),
  }),
};

export const useListLedgersQuery = queryHook(ledgerCalls.listLedgers);
export const useLazyListLedgersQuery = lazyQueryHook(ledgerCalls.listLedgers);
