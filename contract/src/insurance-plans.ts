import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { facilityParams, id } from './ids.ts';
import { exampleInsurance, insuranceStatus } from './insurance.ts';
import { ledgerPathParams } from './ledgers.ts';
import { dollars } from './money.ts';
import { exampleReceipt, requesterCopies, requestReceipt } from './requests.ts';
import { tenantPathParams } from './tenants.ts';
import { copied, requiredMessage, requiredText } from './text.ts';

/** A protection plan option: coverage, and premium a month, in dollars. */
export const insuranceCoverage = z.object({
  id,
  description: z.string(),
  coverage: dollars,
  premium: dollars,
});
export type InsuranceCoverage = z.infer<typeof insuranceCoverage>;

/**
 * GET {prefix}/insurance-coverages: the protection plans that the facility offers, the smallest
 * coverage first.
 */
export const listInsuranceCoverages = endpoint({
  name: 'listInsuranceCoverages',
  subject: 'Insurance',
  summary: 'The protection plans of the facility',
  method: 'GET',
  path: `${PREFIX}/insurance-coverages`,
  access: 'tenant',
  params: facilityParams,
  reply: z.array(insuranceCoverage),
  example: [
    {
      id: '2e4a6c8e-0b1d-4f3a-9c5e-7d8f6a4b2c10',
      description: '$5,000 protection plan',
      coverage: 5000,
      premium: 12,
    },
  ],
});

/**
 * What the private insurance form asks for; the earliest expiration is tomorrow, by the facility's
 * calendar.
 */
export const privateInsuranceFields = {
  description: requiredText(() => t('Policy company'), 100),
  policyNumber: requiredText(() => t('Policy number'), 50),
  coverageEnd: z.iso.date(requiredMessage(() => t('Expiration date'))),
  coverageAmount: z.number({ error: () => t('Coverage amount must be a number.') }).check(
    z.gt(0, { error: () => t('Coverage amount must be above $0.00.') }),
    z.lte(100_000_000, { error: () => t('Coverage amount is too large.') }),
    z.refine((value) => Number(value.toFixed(2)) === value, {
      error: () => t('Coverage amount must have at most two decimals.'),
    }),
  ),
};

/** What is said of an expiration that is today or earlier. */
export const expirationTooEarly = () => t('Expiration date must be tomorrow or later.');

/**
 * insuranceParams of the specification; the server sets the coverage start from the facility's
 * clock.
 */
export const insuranceParams = z.object({ ...privateInsuranceFields, coverageStart: copied });
export type InsuranceParams = z.infer<typeof insuranceParams>;

/** insuranceCoverageParams of the specification, to add a plan. */
export const addInsuranceParams = z.object({
  coverageId: z.uuid(requiredMessage(() => t('Protection plan'))),
  unitId: id,
  coverageStartDate: copied,
});

const requestCopies = {
  ...requesterCopies,
  phone: copied,
  coveragePremium: copied,
  coverageStartDate: copied,
};

/**
 * insuranceCoverageParams of the specification, to ask for a change: another plan, or private
 * insurance in its place.
 */
export const updateInsuranceParams = z.union([
  z.object({
    ...requestCopies,
    unitId: id,
    coverageId: z.uuid(requiredMessage(() => t('Protection plan'))),
    coverageAmount: copied,
  }),
  z.object({ ...requestCopies, unitId: id, ...privateInsuranceFields, coverageStart: copied }),
]);
export type UpdateInsuranceParams = z.infer<typeof updateInsuranceParams>;

/**
 * POST {prefix}/tenants/{tenantId}/insurance/add: adds a plan to a unit that has none. 409 where
 * one is active.
 */
export const addInsurance = endpoint({
  name: 'addInsurance',
  subject: 'Insurance',
  summary: 'Adds a protection plan to a rental',
  method: 'POST',
  path: `${PREFIX}/tenants/:tenantId/insurance/add`,
  access: 'tenant',
  confirm: true,
  params: tenantPathParams,
  body: addInsuranceParams,
  reply: insuranceStatus,
  example: exampleInsurance,
});

/**
 * POST {prefix}/tenants/{tenantId}/insurance/update: a message to staff; takes effect within a day.
 */
export const updateInsurance = endpoint({
  name: 'updateInsurance',
  subject: 'Insurance',
  summary: 'Asks the facility to change the protection plan of a rental',
  method: 'POST',
  path: `${PREFIX}/tenants/:tenantId/insurance/update`,
  access: 'tenant',
  confirm: true,
  params: tenantPathParams,
  body: updateInsuranceParams,
  reply: requestReceipt,
  example: exampleReceipt,
});

/**
 * POST {prefix}/ledgers/{ledgerId}/insurance-proof: proof of private insurance, new or in place of
 * the earlier one.
 */
export const submitInsuranceProof = endpoint({
  name: 'submitInsuranceProof',
  subject: 'Insurance',
  summary: 'Gives or updates proof of private insurance for a rental',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/insurance-proof`,
  access: 'tenant',
  confirm: true,
  params: ledgerPathParams,
  body: insuranceParams,
  reply: insuranceStatus,
  example: {
    ...exampleInsurance,
    activeInsurance: false,
    privateInsurance: true,
    premium: null,
    policyNumber: 'LSM-204417',
    coverageId: null,
  },
});
