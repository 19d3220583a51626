import type { Args } from '@gatehouse/contract/endpoint';
import { listFiles, resendEsignDocuments } from '@gatehouse/contract/esign';
import { mutation, query, request } from './base.ts';
import { mutationHook, queryHook } from './hooks.ts';

type Resend = {
  ledgerId: string;
  body: Args<typeof resendEsignDocuments>['body'];
  idempotencyKey: string;
};

export const esignCalls = {
  /**
   * Every document of a tenant record; a rental shows those of its ledger. The spec's groups name
   * none.
   */
  listFiles: query({
    name: 'listFiles',
    group: null,
    send: (tenantId: string) => request(listFiles, { tenantId }),
  }),
  /** A message to staff: it changes no record, so nothing is fetched again. */
  resendEsignDocuments: mutation({
    send: ({ ledgerId, body, idempotencyKey }: Resend) =>
      request(resendEsignDocuments, { ledgerId }, { body, idempotencyKey }),
    invalidates: [],
  }),
};

export const useListFilesQuery = queryHook(esignCalls.listFiles);
export const useResendEsignDocumentsMutation = mutationHook(esignCalls.resendEsignDocuments);
