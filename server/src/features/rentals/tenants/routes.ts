import {
  getTenant as getTenantEndpoint,
  requestTenantUpdate,
  updateTenant,
} from '@gatehouse/contract/tenants';
import type { Routes } from '#http/routes.ts';
import { requestContactUpdate } from './contact-update.ts';
import { changeTenant, getTenant } from './tenants.ts';
import { tenantView } from './view.ts';

export function tenantRoutes({ guarded }: Routes): void {
  guarded(getTenantEndpoint, async ({ ctx, params }) =>
    tenantView(ctx.vault, await getTenant(ctx.db, params.tenantId)),
  );

  guarded(updateTenant, async ({ ctx, caller, params, body, origin }) => {
    const change = { tenantId: params.tenantId, userId: caller.userId, request: origin };
    return tenantView(ctx.vault, await changeTenant(ctx, change, body));
  });

  guarded(requestTenantUpdate, ({ ctx, caller, params, body, idempotencyKey, origin }) =>
    requestContactUpdate(
      ctx,
      caller,
      { tenantId: params.tenantId, contact: body },
      { idempotencyKey, origin },
    ),
  );
}
