import { calendarDateIn } from '@gatehouse/contract/dates';
import { saveVehicle as saveVehicleCall, updateVehicle } from '@gatehouse/contract/vehicles';
import type { Routes } from '#http/routes.ts';
import { ownerOf, saveVehicle, writeFirst } from './vehicles.ts';

export function vehicleRoutes({ guarded }: Routes): void {
  guarded(updateVehicle, ({ ctx, caller, params, body }) => {
    const today = calendarDateIn(caller.timeZone, ctx.clock.now());
    const { ledgerId } = params;
    return writeFirst(ctx.db, { ledgerId, tenantIds: caller.tenantIds, today }, body);
  });

  guarded(saveVehicleCall, async ({ ctx, caller, params, body }) => {
    const ledgerId = params.ledgerId.toLowerCase();
    await saveVehicle(ctx, ownerOf(caller, params), {
      ...body,
      ledgerId,
      vehicleId: body.vehicleId?.toLowerCase(),
    });
    return { success: true as const };
  });
}
