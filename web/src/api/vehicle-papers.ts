import {
  fileVehiclePaper,
  getVehiclePaper,
  listVehiclePapers,
  type PaperBody,
  type PaperFile,
  type PaperKind,
  removeVehiclePaper,
  type VehiclePaper,
} from '@gatehouse/contract/vehicle-papers';
import { mutation, query, request } from './base.ts';
import { call, facilityPath, type Transport } from './call.ts';
import { mutationHook, queryHook } from './hooks.ts';

/** A vehicle of a rental of a tenant record; the first where no id is given. */
export type PaperPlace = { tenantId: string; ledgerId: string; vehicleId: string | undefined };

export const vehiclePaperCalls = {
  /** The papers of a tenant record's rentals; the spec's groups name none. */
  listVehiclePapers: query({
    name: 'listVehiclePapers',
    group: null,
    send: (tenantId: string) => request(listVehiclePapers, { tenantId }),
  }),
  /** The caller that removes one asks for them again; the spec's groups name none. */
  removeVehiclePaper: mutation({
    send: ({ kind, vehicleId, ...ids }: PaperPlace & { kind: PaperKind }) =>
      request(removeVehiclePaper, ids, { body: { kind, vehicleId } }),
    invalidates: [],
  }),
};

export const useListVehiclePapersQuery = queryHook(vehiclePaperCalls.listVehiclePapers);
export const useRemoveVehiclePaperMutation = mutationHook(vehiclePaperCalls.removeVehiclePaper);

/**
 * Files a paper; the file is sent by a transport that says how much of it is sent. `begunIn` is as
 * for `call`: a file is read first.
 */
export function sendVehiclePaper(
  { tenantId, ledgerId, vehicleId }: PaperPlace,
  paper: Omit<PaperBody, 'vehicleId'>,
  { transport, begunIn }: { transport: Transport; begunIn: string | undefined },
): Promise<VehiclePaper> {
  const params = { ...facilityPath(), tenantId, ledgerId };
  const body = { ...paper, vehicleId };
  return call(fileVehiclePaper, { params, body }, { transport, begunIn });
}

/** Files are handed to the browser to save and never kept: the cache has no use for them. */
export function fetchVehiclePaper(
  { tenantId, ledgerId, vehicleId }: PaperPlace,
  paperKind: PaperKind,
): Promise<PaperFile> {
  const params = { ...facilityPath(), tenantId, ledgerId, paperKind };
  return call(getVehiclePaper, { params, query: vehicleId === undefined ? {} : { vehicleId } });
}
