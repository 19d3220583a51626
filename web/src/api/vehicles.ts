import type { Reply } from '@gatehouse/contract/endpoint';
import { updateVehicle, type VehicleParams } from '@gatehouse/contract/vehicles';
import { api, request } from './base.ts';

export const { useUpdateVehicleMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    /** The vehicle of a rental is read with its ledger. */
    updateVehicle: build.mutation<
      Reply<typeof updateVehicle>,
      { ledgerId: string; body: VehicleParams }
    >({
      query: ({ ledgerId, body }) => request(updateVehicle, { ledgerId }, { body }),
      invalidatesTags: (reply) => (reply ? ['TenantLedgers'] : []),
    }),
  }),
});
