import type { Args, Reply } from '@gatehouse/contract/endpoint';
import {
  getUnitGateAccess,
  listTimeZones,
  requestGateAccess,
} from '@gatehouse/contract/gate-access';
import { api, request } from './base.ts';

type GateRequest = {
  ledgerId: string;
  body: Args<typeof requestGateAccess>['body'];
  idempotencyKey: string;
};

export const { useGetUnitGateAccessQuery, useListTimeZonesQuery, useRequestGateAccessMutation } =
  api.injectEndpoints({
    endpoints: (build) => ({
      getUnitGateAccess: build.query<Reply<typeof getUnitGateAccess>, string>({
        query: (unitId) => request(getUnitGateAccess, { unitId }),
        providesTags: ['LedgerGateAccess'],
      }),
      // oxlint-disable-next-line typescript/no-invalid-void-type -- the library's word for a query without argument
      listTimeZones: build.query<Reply<typeof listTimeZones>, void>({
        query: () => request(listTimeZones, {}),
      }),
      /** A message to staff: it changes no record, so nothing is fetched again. */
      requestGateAccess: build.mutation<Reply<typeof requestGateAccess>, GateRequest>({
        query: ({ ledgerId, body, idempotencyKey }) =>
          request(requestGateAccess, { ledgerId }, { body, idempotencyKey }),
      }),
    }),
  });
