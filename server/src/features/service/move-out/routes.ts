import { scheduleMoveOut } from '@gatehouse/contract/move-out';
import type { Routes } from '#http/routes.ts';
import { requestMoveOut } from './move-out.ts';

export function moveOutRoutes({ guarded }: Routes): void {
  guarded(scheduleMoveOut, ({ ctx, caller, params, body, idempotencyKey, origin }) =>
    requestMoveOut(ctx, caller, { ...body, ledgerId: params.ledgerId }, { idempotencyKey, origin }),
  );
}
