import type { Args, Reply } from '@gatehouse/contract/endpoint';
import {
  getTenant,
  requestTenantUpdate,
  type Tenant,
  updateTenant,
} from '@gatehouse/contract/tenants';
import { api, request } from './base.ts';

export const {
  useGetTenantQuery,
  useListTenantsQuery,
  useRequestTenantUpdateMutation,
  useUpdateTenantMutation,
  endpoints: tenantCalls,
} = api.injectEndpoints({
  endpoints: (build) => ({
    getTenant: build.query<Reply<typeof getTenant>, string>({
      query: (tenantId) => request(getTenant, { tenantId }),
      providesTags: ['TenantInformation'],
    }),
    /** Several records, in the order of their ids. */
    listTenants: build.query<Tenant[], string[]>({
      async queryFn(tenantIds, _api, _options, send) {
        const answers = await Promise.all(
          tenantIds.map(async (tenantId) => send(request(getTenant, { tenantId }))),
        );
        const failed = answers.find(({ error }) => error !== undefined);
        if (failed?.error) return { error: failed.error };
        // `send` checks the answer by the endpoint's shape, which its type does not give.
        return { data: answers.map(({ data }) => data as Tenant) };
      },
      providesTags: ['TenantInformation'],
    }),
    updateTenant: build.mutation<
      Reply<typeof updateTenant>,
      { tenantId: string; body: Args<typeof updateTenant>['body'] }
    >({
      query: ({ tenantId, body }) => request(updateTenant, { tenantId }, { body }),
      // A conflict means that the record is not what the screen shows.
      invalidatesTags: (reply, error) =>
        reply || error?.status === 409 ? ['TenantInformation'] : [],
    }),
    /** A message to staff: the record stays as it is, so nothing is fetched again. */
    requestTenantUpdate: build.mutation<
      Reply<typeof requestTenantUpdate>,
      { tenantId: string; body: Args<typeof requestTenantUpdate>['body']; idempotencyKey: string }
    >({
      query: ({ tenantId, body, idempotencyKey }) =>
        request(requestTenantUpdate, { tenantId }, { body, idempotencyKey }),
    }),
  }),
});
