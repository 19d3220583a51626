import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { InsuranceCoverage } from '@gatehouse/contract/insurance-plans';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { useState } from 'react';
import { isApiError } from '#api/base.ts';
import {
  useAddInsuranceMutation,
  useSubmitInsuranceProofMutation,
  useUpdateInsuranceMutation,
} from '#api/insurance-plans.ts';
import { useGetTenantQuery } from '#api/tenants.ts';
import { useSubmit } from '#api/use-submit.ts';
import { addBody, type Chosen, proofBody, updateBody } from './insurance-form.ts';

/** Private insurance that is on file now, and its expiration date. */
type KeptProof = { kind: 'private'; coverageEnd: string };

/** What succeeded: something was added, or something that was there is updated or asked to be. */
export type InsuranceSuccess =
  | { state: 'successAdd'; added: { kind: 'plan'; plan: InsuranceCoverage } | KeptProof }
  | { state: 'successUpdate'; updated: { kind: 'plan'; reference: string } | KeptProof };

/** The state of the dialog. */
type InsurancePhase = { state: 'select' } | InsuranceSuccess;

type Rental = {
  ledger: Ledger;
  /** What was on file when the dialog was opened. */
  insurance: InsuranceStatus | null;
  plans: InsuranceCoverage[];
  today: string;
  /** Another plan was asked for. */
  onAsked: () => void;
  onConflict: () => void;
};

/** Adds a plan, asks for another one where one is active, or keeps proof of private insurance. */
export function useInsuranceSubmit({
  ledger,
  insurance,
  plans,
  today,
  onAsked,
  onConflict,
}: Rental) {
  const [phase, setPhase] = useState<InsurancePhase>({ state: 'select' });
  const { data: tenant } = useGetTenantQuery(ledger.tenantId);
  const [addInsurance] = useAddInsuranceMutation();
  const [updateInsurance] = useUpdateInsuranceMutation();
  const [submitInsuranceProof] = useSubmitInsuranceProofMutation();
  const { id: ledgerId, tenantId } = ledger;

  async function send(chosen: Chosen, idempotencyKey: string): Promise<InsuranceSuccess> {
    if (chosen.kind === 'private') {
      const { proof } = chosen;
      await submitInsuranceProof({ ledgerId, body: proofBody(proof, today) }).unwrap();
      const kept: KeptProof = { kind: 'private', coverageEnd: proof.coverageEnd };
      return insurance?.privateInsurance
        ? { state: 'successUpdate', updated: kept }
        : { state: 'successAdd', added: kept };
    }
    const plan = plans.find(({ id }) => id === chosen.coverageId);
    if (plan === undefined) throw new Error('a checked choice is one of the plans');
    if (insurance?.activeInsurance) {
      const body = updateBody(plan, ledger, tenant, today);
      const { reference } = await updateInsurance({ tenantId, body, idempotencyKey }).unwrap();
      onAsked();
      return { state: 'successUpdate', updated: { kind: 'plan', reference } };
    }
    await addInsurance({ tenantId, body: addBody(plan.id, ledger, today) }).unwrap();
    return { state: 'successAdd', added: { kind: 'plan', plan } };
  }

  const sending = useSubmit<Chosen>(async (chosen, idempotencyKey) => {
    try {
      setPhase(await send(chosen, idempotencyKey));
    } catch (error) {
      if (isApiError(error) && error.status === 409) onConflict();
      throw error;
    }
  });
  return { ...sending, phase };
}
