import type { Args } from '@gatehouse/contract/endpoint';
import { scheduleMoveOut } from '@gatehouse/contract/move-out';
import { mutation, request } from './base.ts';

type MoveOut = {
  ledgerId: string;
  body: Args<typeof scheduleMoveOut>['body'];
  idempotencyKey: string;
};

/** The portal's own page points to the operator's form: no screen sends this, so it has no hook. */
export const moveOutCalls = {
  scheduleMoveOut: mutation({
    send: ({ ledgerId, body, idempotencyKey }: MoveOut) =>
      request(scheduleMoveOut, { ledgerId }, { body, idempotencyKey }),
    invalidates: ['TenantLedgers'],
  }),
};
