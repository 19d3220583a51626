import type { Args, Reply } from '@gatehouse/contract/endpoint';
import {
  addInsurance,
  type InsuranceParams,
  listInsuranceCoverages,
  submitInsuranceProof,
  updateInsurance,
  type UpdateInsuranceParams,
} from '@gatehouse/contract/insurance-plans';
import { api, request } from './base.ts';

type AddedPlan = { tenantId: string; body: Args<typeof addInsurance>['body'] };
type PlanChange = { tenantId: string; body: UpdateInsuranceParams; idempotencyKey: string };
type Proof = { ledgerId: string; body: InsuranceParams };

export const {
  useListInsuranceCoveragesQuery,
  useAddInsuranceMutation,
  useUpdateInsuranceMutation,
  useSubmitInsuranceProofMutation,
} = api.injectEndpoints({
  endpoints: (build) => ({
    /** The protection plans of the facility; the spec's groups name none. */
    // oxlint-disable-next-line typescript/no-invalid-void-type -- the library's word for a query without argument
    listInsuranceCoverages: build.query<Reply<typeof listInsuranceCoverages>, void>({
      query: () => request(listInsuranceCoverages, {}),
    }),
    addInsurance: build.mutation<Reply<typeof addInsurance>, AddedPlan>({
      query: ({ tenantId, body }) => request(addInsurance, { tenantId }, { body }),
      invalidatesTags: (reply) => (reply ? ['LedgerInsurance', 'TenantLedgers'] : []),
    }),
    /** A message to staff: it changes no record, so nothing is fetched again. */
    updateInsurance: build.mutation<Reply<typeof updateInsurance>, PlanChange>({
      query: ({ tenantId, body, idempotencyKey }) =>
        request(updateInsurance, { tenantId }, { body, idempotencyKey }),
    }),
    submitInsuranceProof: build.mutation<Reply<typeof submitInsuranceProof>, Proof>({
      query: ({ ledgerId, body }) => request(submitInsuranceProof, { ledgerId }, { body }),
      invalidatesTags: (reply) => (reply ? ['LedgerInsurance'] : []),
    }),
  }),
});
