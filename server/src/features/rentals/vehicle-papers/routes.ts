import {
  fileVehiclePaper,
  getVehiclePaper,
  listVehiclePapers,
  removeVehiclePaper,
} from '@gatehouse/contract/vehicle-papers';
import { removeVehicle as removeVehicleCall } from '@gatehouse/contract/vehicles';
import { ownerOf } from '#features/rentals/vehicles/vehicles.ts';
import type { Routes } from '#http/routes.ts';
import { removeVehicle } from './remove-vehicle.ts';
import { filePaper, getPaperFile, listPapers, removePaper } from './vehicle-papers.ts';

export function vehiclePaperRoutes({ guarded }: Routes): void {
  guarded(listVehiclePapers, ({ ctx, caller, params }) => listPapers(ctx, ownerOf(caller, params)));

  guarded(fileVehiclePaper, ({ ctx, caller, params, body, origin }) =>
    filePaper(
      ctx,
      ownerOf(caller, params),
      { ...body, ledgerId: params.ledgerId.toLowerCase() },
      origin,
    ),
  );

  guarded(removeVehiclePaper, async ({ ctx, caller, params, body, origin }) => {
    const { ledgerId } = params;
    await removePaper(ctx, ownerOf(caller, params), { ledgerId, ...body }, origin);
    return { success: true as const };
  });

  guarded(getVehiclePaper, ({ ctx, caller, params, query }) =>
    getPaperFile(ctx, ownerOf(caller, params), { ...params, ...query }),
  );

  guarded(removeVehicleCall, async ({ ctx, caller, params, body, origin }) => {
    const { ledgerId } = params;
    const vehicleId = body.vehicleId.toLowerCase();
    await removeVehicle(ctx, ownerOf(caller, params), { ledgerId, vehicleId }, origin);
    return { success: true as const };
  });
}
