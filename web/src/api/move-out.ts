import type { Args, Reply } from '@gatehouse/contract/endpoint';
import { scheduleMoveOut } from '@gatehouse/contract/move-out';
import { api, request } from './base.ts';

/**
 * The portal's own page points to the operator's form (spec section 2): no screen sends this, so no
 * hook is exported.
 */
api.injectEndpoints({
  endpoints: (build) => ({
    scheduleMoveOut: build.mutation<
      Reply<typeof scheduleMoveOut>,
      { ledgerId: string; body: Args<typeof scheduleMoveOut>['body']; idempotencyKey: string }
    >({
      query: ({ ledgerId, body, idempotencyKey }) =>
        request(scheduleMoveOut, { ledgerId }, { body, idempotencyKey }),
      invalidatesTags: (reply) => (reply ? ['TenantLedgers'] : []),
    }),
  }),
});
