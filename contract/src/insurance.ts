import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { facilityParams, id } from './ids.ts';
import { ledgersPathParams } from './ledgers.ts';
import { dollars } from './money.ts';

/**
 * Insurance data of a ledger: a protection plan (`activeInsurance`) or proof of private insurance
 * (`privateInsurance`). Coverage and premium in dollars.
 */
export const insuranceStatus = z.object({
  ledgerId: id,
  activeInsurance: z.boolean(),
  privateInsurance: z.boolean(),
  coverage: z.nullable(dollars),
  premium: z.nullable(dollars),
  policyNumber: z.nullable(z.string()),
  coverageId: z.nullable(id),
  /** The rest of the private policy that is on file, ours in addition to the specification. */
  policy: z.optional(
    z.object({
      company: z.string(),
      endsOn: z.nullable(calendarDate),
      coverage: z.nullable(dollars),
    }),
  ),
  /** The proof that staff refused, which does not count, and why; ours as well. */
  refused: z.optional(z.object({ company: z.string(), reason: z.string() })),
});
export type InsuranceStatus = z.infer<typeof insuranceStatus>;

export const exampleInsurance: InsuranceStatus = {
  ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
  activeInsurance: true,
  privateInsurance: false,
  coverage: 5000,
  premium: 12,
  policyNumber: null,
  coverageId: '2e4a6c8e-0b1d-4f3a-9c5e-7d8f6a4b2c10',
};

/** GET {prefix}/ledgers/{ledgerIds comma-joined}/insurance-statuses. */
export const listLedgerInsuranceStatuses = endpoint({
  name: 'listLedgerInsuranceStatuses',
  subject: 'Insurance',
  summary: 'The insurance of each named ledger',
  method: 'GET',
  path: `${PREFIX}/ledgers/:ledgerIds/insurance-statuses`,
  access: 'tenant',
  params: ledgersPathParams,
  reply: z.array(insuranceStatus),
  example: [exampleInsurance],
});

/** GET {prefix}/insurance-statuses: of the caller's own rentals only. */
export const listInsuranceStatuses = endpoint({
  name: 'listInsuranceStatuses',
  subject: 'Insurance',
  summary: 'The insurance of every rental of the caller here',
  method: 'GET',
  path: `${PREFIX}/insurance-statuses`,
  access: 'tenant',
  params: facilityParams,
  reply: z.array(insuranceStatus),
  example: [exampleInsurance],
});
