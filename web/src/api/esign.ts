import type { Args, Reply } from '@gatehouse/contract/endpoint';
import { listFiles, resendEsignDocuments } from '@gatehouse/contract/esign';
import { api, request } from './base.ts';

type Resend = {
  ledgerId: string;
  body: Args<typeof resendEsignDocuments>['body'];
  idempotencyKey: string;
};

export const {
  useListFilesQuery,
  useResendEsignDocumentsMutation,
  endpoints: esignCalls,
} = api.injectEndpoints({
  endpoints: (build) => ({
    /**
     * Every document of a tenant record; a rental shows those of its ledger. The spec's groups name
     * none.
     */
    listFiles: build.query<Reply<typeof listFiles>, string>({
      query: (tenantId) => request(listFiles, { tenantId }),
    }),
    /** A message to staff: it changes no record, so nothing is fetched again. */
    resendEsignDocuments: build.mutation<Reply<typeof resendEsignDocuments>, Resend>({
      query: ({ ledgerId, body, idempotencyKey }) =>
        request(resendEsignDocuments, { ledgerId }, { body, idempotencyKey }),
    }),
  }),
});
