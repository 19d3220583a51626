import { listCharges } from '@gatehouse/contract/charges';
import { query, request } from './base.ts';
import { queryHook } from './hooks.ts';

export const chargeCalls = {
  listCharges: query({
    name: 'listCharges',
    group: 'TenantCharges',
    send: ({ tenantId, ledgerId }: { tenantId: string; ledgerId: string }) =>
      request(listCharges, { tenantId }, { query: { ledgerId } }),
  }),
};

export const useListChargesQuery = queryHook(chargeCalls.listCharges);
