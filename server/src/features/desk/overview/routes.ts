import { getOverview } from '@gatehouse/contract/overview';
import type { Routes } from '#http/routes.ts';
import { readOverview } from './overview.ts';

export function overviewRoutes({ guarded }: Routes): void {
  guarded(getOverview, ({ ctx, caller, params, origin }) =>
    readOverview(ctx, caller, params.tenantId.toLowerCase(), origin),
  );
}
