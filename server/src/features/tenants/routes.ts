import { getTenant } from '@gatehouse/contract/tenants';
import type { Routes } from '#http/routes.ts';
import { tenantView } from './view.ts';

export function tenantRoutes({ guarded }: Routes): void {
  guarded(getTenant, async ({ ctx, params }) => {
    const row = await ctx.db
      .selectFrom('tenants')
      .selectAll()
      .where('id', '=', params.tenantId)
      .executeTakeFirstOrThrow();
    return tenantView(row);
  });
}
