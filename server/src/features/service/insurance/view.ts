import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import { toDollars } from '@gatehouse/contract/money';
import type { InsuranceRow } from './insurance.ts';

/**
 * The insurance of a ledger as the tenant sees it: coverage is the plan's where there is one, else
 * the policy's.
 */
export function insuranceView(row: InsuranceRow): InsuranceStatus {
  return {
    ledgerId: row.ledger_id,
    activeInsurance: row.protection_plan_id !== null,
    privateInsurance: row.policy_number !== null,
    coverage: dollarsOf(row.plan_coverage_cents ?? row.policy_coverage_cents),
    premium: dollarsOf(row.premium_cents),
    policyNumber: row.policy_number,
    coverageId: row.protection_plan_id,
    ...(row.policy_company !== null && {
      policy: {
        company: row.policy_company,
        endsOn: row.policy_ends_on,
        coverage: dollarsOf(row.policy_coverage_cents),
      },
    }),
    ...(row.refused_company !== null &&
      row.refusal !== null && { refused: { company: row.refused_company, reason: row.refusal } }),
  };
}

function dollarsOf(cents: number | null): number | null {
  return cents === null ? null : toDollars(cents);
}
