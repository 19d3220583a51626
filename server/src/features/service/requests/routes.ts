import { answerRequest as answerCall, listRequests } from '@gatehouse/contract/tracked-requests';
import type { Routes } from '#http/routes.ts';
import { answerRequest } from './answer.ts';
import { listOwnRequests } from './own.ts';

export function requestRoutes({ guarded }: Routes): void {
  guarded(listRequests, ({ ctx, caller, params }) =>
    listOwnRequests(ctx.db, params.tenantId, caller.timeZone),
  );

  guarded(answerCall, ({ ctx, caller, params, body, idempotencyKey }) =>
    answerRequest(ctx, { ...params, ...body, idempotencyKey, timeZone: caller.timeZone }),
  );
}
