import { listLedgers } from '@gatehouse/contract/ledgers';
import { query, request } from './base.ts';
import { lazyQueryHook, queryHook } from './hooks.ts';

export const ledgerCalls = {
  /** The rentals of one tenant record, or of several by one comma-joined call. */
  listLedgers: query({
    name: 'listLedgers',
    group: 'TenantLedgers',
    send: (tenantIds: string[]) => request(listLedgers, { tenantIds: tenantIds.join(',') }),
  }),
};

export const useListLedgersQuery = queryHook(ledgerCalls.listLedgers);
export const useLazyListLedgersQuery = lazyQueryHook(ledgerCalls.listLedgers);
