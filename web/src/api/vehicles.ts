import { updateVehicle, type VehicleParams } from '@gatehouse/contract/vehicles';
import { mutation, request } from './base.ts';
import { mutationHook } from './hooks.ts';

export const vehicleCalls = {
  /** The vehicle of a rental is read with its ledger. */
  updateVehicle: mutation({
    send: ({ ledgerId, body }: { ledgerId: string; body: VehicleParams }) =>
      request(updateVehicle, { ledgerId }, { body }),
    invalidates: ['TenantLedgers'],
  }),
};

export const useUpdateVehicleMutation = mutationHook(vehicleCalls.updateVehicle);
