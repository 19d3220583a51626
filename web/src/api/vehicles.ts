import {
  removeVehicle,
  saveVehicle,
  type StoredVehicle,
  updateVehicle,
  type VehicleParams,
} from '@gatehouse/contract/vehicles';
import { mutation, request } from './base.ts';
import { mutationHook } from './hooks.ts';

export const vehicleCalls = {
  /** The vehicle of a rental is read with its ledger. */
  updateVehicle: mutation({
    send: ({ ledgerId, body }: { ledgerId: string; body: VehicleParams }) =>
      request(updateVehicle, { ledgerId }, { body }),
    invalidates: ['TenantLedgers'],
  }),
  /** It may be the first of its rental, whose type and number are its unit contents. */
  saveVehicle: mutation({
    send: ({
      body,
      ...ids
    }: Rental & { body: StoredVehicle & { vehicleId: string | undefined } }) =>
      request(saveVehicle, ids, { body }),
    invalidates: ['TenantLedgers', 'UnitContents'],
  }),
  removeVehicle: mutation({
    send: ({ vehicleId, ...ids }: Rental & { vehicleId: string }) =>
      request(removeVehicle, ids, { body: { vehicleId } }),
    invalidates: ['TenantLedgers', 'UnitContents'],
  }),
};

type Rental = { tenantId: string; ledgerId: string };

export const useUpdateVehicleMutation = mutationHook(vehicleCalls.updateVehicle);
export const useSaveVehicleMutation = mutationHook(vehicleCalls.saveVehicle);
export const useRemoveVehicleMutation = mutationHook(vehicleCalls.removeVehicle);
