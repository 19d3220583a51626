import type { Reply } from '@gatehouse/contract/endpoint';
import { listLedgerInsuranceStatuses } from '@gatehouse/contract/insurance';
import { api, request } from './base.ts';

export const { useListLedgerInsuranceStatusesQuery, endpoints: insuranceCalls } =
  api.injectEndpoints({
    endpoints: (build) => ({
      listLedgerInsuranceStatuses: build.query<Reply<typeof listLedgerInsuranceStatuses>, string[]>(
        {
          query: (ledgerIds) =>
            request(listLedgerInsuranceStatuses, { ledgerIds: ledgerIds.join(',') }),
          providesTags: ['LedgerInsurance'],
        },
      ),
    }),
  });
