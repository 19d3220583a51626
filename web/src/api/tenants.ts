import type { Args } from '@gatehouse/contract/endpoint';
import { getTenant, requestTenantUpdate, updateTenant } from '@gatehouse/contract/tenants';
import { mutation, query, request } from './base.ts';
import { mutationHook, queryHook } from './hooks.ts';

type Update = { tenantId: string; body: Args<typeof updateTenant>['body'] };
type UpdateRequest = {
  tenantId: string;
  body: Args<typeof requestTenantUpdate>['body'];
  idempotencyKey: string;
};

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
  updateTenant: mutation({
    send: ({ tenantId, body }: Update) => request(updateTenant, { tenantId }, { body }),
    invalidates: ['TenantInformation'],
    // A conflict means that the record is not what the screen shows.
    isOutdatedBy: ({ status }) => status === 409,
  }),
  /** A message to staff: the record stays as it is, so nothing is fetched again. */
  requestTenantUpdate: mutation({
    send: ({ tenantId, body, idempotencyKey }: UpdateRequest) =>
      request(requestTenantUpdate, { tenantId }, { body, idempotencyKey }),
    invalidates: [],
  }),
};

export const useGetTenantQuery = queryHook(tenantCalls.getTenant);
export const useListTenantsQuery = queryHook(tenantCalls.listTenants);
export const useUpdateTenantMutation = mutationHook(tenantCalls.updateTenant);
export const useRequestTenantUpdateMutation = mutationHook(tenantCalls.requestTenantUpdate);
