import type { Args } from '@gatehouse/contract/endpoint';
import { requestTenantUpdate, updateTenant } from '@gatehouse/contract/tenants';
import { mutation, request } from './base.ts';
import { mutationHook } from './hooks.ts';

type Update = { tenantId: string; body: Args<typeof updateTenant>['body'] };
type UpdateRequest = {
  tenantId: string;
  body: Args<typeof requestTenantUpdate>['body'];
  idempotencyKey: string;
};

/** What changes a tenant record, which My Units reads and its forms write. */
export const tenantChangeCalls = {
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

export const useUpdateTenantMutation = mutationHook(tenantChangeCalls.updateTenant);
export const useRequestTenantUpdateMutation = mutationHook(tenantChangeCalls.requestTenantUpdate);
