import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, PREFIX } from './ids.ts';
import { ledgersPathParams } from './ledgers.ts';
import { dollars } from './money.ts';

/**
 * Insurance data of a ledger (spec section 3): a protection plan (`activeInsurance`) or proof of private insurance
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
});
export type InsuranceStatus = z.infer<typeof insuranceStatus>;

/** GET {prefix}/ledgers/{ledgerIds comma-joined}/insurance-statuses. */
export const listLedgerInsuranceStatuses = endpoint({
  name: 'listLedgerInsuranceStatuses',
  summary: 'The insurance of each named ledger',
  method: 'GET',
  path: `${PREFIX}/ledgers/:ledgerIds/insurance-statuses`,
  access: 'tenant',
  params: ledgersPathParams,
  reply: z.array(insuranceStatus),
  example: [
    {
      ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
      activeInsurance: true,
      privateInsurance: false,
      coverage: 5000,
      premium: 12,
      policyNumber: null,
      coverageId: '2e4a6c8e-0b1d-4f3a-9c5e-7d8f6a4b2c10',
    },
  ],
});
