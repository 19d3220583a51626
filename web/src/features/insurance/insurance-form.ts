import { isAfterToday } from '@gatehouse/contract/dates';
import type { Args } from '@gatehouse/contract/endpoint';
import { type InsuranceStatus } from '@gatehouse/contract/insurance';
import {
  type addInsurance,
  expirationTooEarly,
  type InsuranceCoverage,
  type InsuranceParams,
  privateInsuranceFields,
  type UpdateInsuranceParams,
} from '@gatehouse/contract/insurance-plans';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formTypes } from '@gatehouse/contract/requests';
import type { Tenant } from '@gatehouse/contract/tenants';
import { plainNumber } from '@gatehouse/contract/typed';
import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';

/** The choice that is no plan; any other value is a `coverageId`. */
export const PRIVATE_INSURANCE = 'private';

const fields = z.object({
  choice: z.string(),
  description: z.string(),
  policyNumber: z.string(),
  coverageEnd: z.string(),
  coverageAmount: z.string(),
});

/** The fields of the dialog, as the screen has them. */
export type InsuranceForm = z.infer<typeof fields>;

/** What was chosen, checked. */
export type Chosen =
  | { kind: 'plan'; coverageId: string }
  | { kind: 'private'; proof: Omit<InsuranceParams, 'coverageStart'> };

/**
 * The form as it opens: nothing is chosen for the tenant but the private insurance that is on file.
 */
export function filledForm(insurance: InsuranceStatus | null): InsuranceForm {
  const policy = insurance?.policy;
  return {
    choice: policy && !insurance.activeInsurance ? PRIVATE_INSURANCE : '',
    description: policy?.company ?? '',
    policyNumber: insurance?.policyNumber ?? '',
    coverageEnd: policy?.endsOn ?? '',
    coverageAmount: String(policy?.coverage ?? ''),
  };
}

/** What the choice asks for; `today` is the facility's. */
export function insuranceSchema(
  choice: string,
  today: string,
): z.ZodMiniType<Chosen, InsuranceForm> {
  if (choice !== PRIVATE_INSURANCE) {
    return z.pipe(
      z.extend(fields, {
        choice: z
          .string()
          .check(z.minLength(1, t('Choose a protection plan or private insurance.'))),
      }),
      z.transform(({ choice }): Chosen => ({ kind: 'plan', coverageId: choice })),
    );
  }
  const { description, policyNumber, coverageEnd, coverageAmount } = privateInsuranceFields;
  return z.pipe(
    z.extend(fields, {
      description,
      policyNumber,
      coverageEnd: coverageEnd.check(
        z.refine((date) => isAfterToday(date, today), { error: expirationTooEarly }),
      ),
      coverageAmount: z.pipe(
        z.pipe(
          z
            .string()
            .check(z.regex(/\S/, { message: t('Coverage amount is required.'), abort: true })),
          z.transform(dollarsOf),
        ),
        coverageAmount,
      ),
    }),
    z.transform(({ choice: _, ...proof }): Chosen => ({ kind: 'private', proof })),
  );
}

/**
 * The dollars that were typed, with or without `$` and comma thousands; NaN where they are none.
 */
export function dollarsOf(text: string): number {
  const match = /^\$?\s?(-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?)$/.exec(plainNumber(text).trim());
  return match ? Number(match[1]?.replaceAll(',', '')) : NaN;
}

/** insuranceCoverageParams of the specification, to add a plan. */
export function addBody(
  coverageId: string,
  { unitId }: Pick<Ledger, 'unitId'>,
  today: string,
): Args<typeof addInsurance>['body'] {
  return { coverageId, unitId, coverageStartDate: today };
}

/** insuranceCoverageParams of the specification, to ask for another plan. */
export function updateBody(
  { id, coverage, premium }: InsuranceCoverage,
  { unitId, unitName }: Pick<Ledger, 'unitId' | 'unitName'>,
  tenant: Pick<Tenant, 'firstName' | 'lastName' | 'email' | 'phone'> | undefined,
  today: string,
): UpdateInsuranceParams {
  return {
    formType: formTypes.insurance,
    unitName,
    unitId,
    firstName: tenant?.firstName,
    lastName: tenant?.lastName,
    emailAddress: tenant?.email,
    phone: tenant?.phone.primary,
    coverageAmount: coverage,
    coveragePremium: premium,
    coverageId: id,
    coverageStartDate: today,
  };
}

/** insuranceParams of the specification. */
export function proofBody(
  proof: Omit<InsuranceParams, 'coverageStart'>,
  today: string,
): InsuranceParams {
  return { ...proof, coverageStart: today };
}
