import type { Args } from '@gatehouse/contract/endpoint';
import {
  addInsurance,
  type InsuranceParams,
  listInsuranceCoverages,
  submitInsuranceProof,
  updateInsurance,
  type UpdateInsuranceParams,
} from '@gatehouse/contract/insurance-plans';
import { mutation, query, request } from './base.ts';
import { mutationHook, queryHook } from './hooks.ts';

type AddedPlan = { tenantId: string; body: Args<typeof addInsurance>['body'] };
type PlanChange = { tenantId: string; body: UpdateInsuranceParams; idempotencyKey: string };
type Proof = { ledgerId: string; body: InsuranceParams };

export const insurancePlanCalls = {
  /** The protection plans of the facility; the spec's groups name none. */
  listInsuranceCoverages: query({
    name: 'listInsuranceCoverages',
    group: null,
    send: () => request(listInsuranceCoverages, {}),
  }),
  addInsurance: mutation({
    send: ({ tenantId, body }: AddedPlan) => request(addInsurance, { tenantId }, { body }),
    invalidates: ['LedgerInsurance', 'TenantLedgers'],
  }),
  /** A message to staff: it changes no record, so nothing is fetched again. */
  updateInsurance: mutation({
    send: ({ tenantId, body, idempotencyKey }: PlanChange) =>
      request(updateInsurance, { tenantId }, { body, idempotencyKey }),
    invalidates: [],
  }),
  submitInsuranceProof: mutation({
    send: ({ ledgerId, body }: Proof) => request(submitInsuranceProof, { ledgerId }, { body }),
    invalidates: ['LedgerInsurance'],
  }),
};

export const useListInsuranceCoveragesQuery = queryHook(insurancePlanCalls.listInsuranceCoverages);
export const useAddInsuranceMutation = mutationHook(insurancePlanCalls.addInsurance);
export const useUpdateInsuranceMutation = mutationHook(insurancePlanCalls.updateInsurance);
export const useSubmitInsuranceProofMutation = mutationHook(
  insurancePlanCalls.submitInsuranceProof,
);
