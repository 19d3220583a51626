import { getTenant } from '@gatehouse/contract/tenants';
import { query, request } from './base.ts';
import { queryHook } from './hooks.ts';

export const tenantCalls = {
  getTenant: query({
    name: 'getTenant',
    group: 'TenantInformation',
    send: (tenantId: string) => request(getTenant, { tenantId }),
  }),
  /** Several records, in the order of their ids. */
  listTenants: query({
    name: 'listTenants',
    group: 'TenantInformation',
    send: (tenantIds: string[]) =>
      Promise.all(tenantIds.map((tenantId) => request(getTenant, { tenantId }))),
  }),
};

export const useGetTenantQuery = queryHook(tenantCalls.getTenant);
export const useListTenantsQuery = queryHook(tenantCalls.listTenants);
