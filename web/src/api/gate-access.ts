import type { Args } from '@gatehouse/contract/endpoint';
import { getUnitGateAccess, requestGateAccess } from '@gatehouse/contract/gate-access';
import { mutation, query, request } from './base.ts';
import { mutationHook, queryHook } from './hooks.ts';

type GateRequest = {
  ledgerId: string;
  body: Args<typeof requestGateAccess>['body'];
  idempotencyKey: string;
};

export const gateAccessCalls = {
  getUnitGateAccess: query({
    name: 'getUnitGateAccess',
    group: 'LedgerGateAccess',
    send: (unitId: string) => request(getUnitGateAccess, { unitId }),
  }),
  /** A message to staff: it changes no record, so nothing is fetched again. */
  requestGateAccess: mutation({
    send: ({ ledgerId, body, idempotencyKey }: GateRequest) =>
      request(requestGateAccess, { ledgerId }, { body, idempotencyKey }),
    invalidates: [],
  }),
};

export const useGetUnitGateAccessQuery = queryHook(gateAccessCalls.getUnitGateAccess);
export const useRequestGateAccessMutation = mutationHook(gateAccessCalls.requestGateAccess);
