import {
  fileVehiclePaper,
  getVehiclePaper,
  listVehiclePapers,
  removeVehiclePaper,
} from '@gatehouse/contract/vehicle-papers';
import type { Caller } from '#http/guard.ts';
import type { Routes } from '#http/routes.ts';
import { filePaper, getPaperFile, listPapers, removePaper, type Owner } from './vehicle-papers.ts';

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

  guarded(getVehiclePaper, ({ ctx, caller, params }) =>
    getPaperFile(ctx, ownerOf(caller, params), params),
  );
}

function ownerOf(
  { userId, facilityId, timeZone }: Caller,
  { tenantId }: { tenantId: string },
): Owner {
  return { tenantId: tenantId.toLowerCase(), userId, facilityId, timeZone };
}
