import { createMaintenanceRequest } from '@gatehouse/contract/maintenance';
import type { Routes } from '#http/routes.ts';
import { requestMaintenance } from './maintenance.ts';

export function maintenanceRoutes({ guarded }: Routes): void {
  guarded(createMaintenanceRequest, ({ ctx, caller, body, idempotencyKey }) =>
    requestMaintenance(ctx, caller, body, idempotencyKey),
  );
}
