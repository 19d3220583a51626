import { listRequests } from '@gatehouse/contract/tracked-requests';
import type { Routes } from '#http/routes.ts';
import { listOwnRequests } from './own.ts';

export function requestRoutes({ guarded }: Routes): void {
  guarded(listRequests, ({ ctx, caller, params }) =>
    listOwnRequests(ctx.db, params.tenantId, caller.timeZone),
  );
}
