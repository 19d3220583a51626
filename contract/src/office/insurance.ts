import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { id } from '../ids.ts';
import { dollars } from '../money.ts';
import { listQuery, pageOf } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

export const insuranceStates = [
  'check',
  'none',
  'refused',
  'expired',
  'ending',
  'proof',
  'plan',
] as const;

/**
 * The insurance of a current rental on its facility's today; `id` is the ledger's. `check`: the
 * tenant's proof is not decided, whatever else there is; `plan`: it has a protection plan;
 * `refused`: its proof was; `proof`: proof of private insurance, without an end or for more than 30
 * days; `ending`: within 30 days; `expired`: before today; `none`: neither.
 */
export const insuranceRow = z.object({
  id,
  tenantId: id,
  tenantName: z.string(),
  locationCode: z.string(),
  unitName: z.string(),
  state: z.enum(insuranceStates),
  /** The protection plan. */
  plan: z.nullable(z.string()),
  /** The proof on file, also one that has expired. */
  company: z.nullable(z.string()),
  policyNumber: z.nullable(z.string()),
  coverage: z.nullable(dollars),
  endsOn: z.nullable(calendarDate),
  proofId: z.nullable(id),
  /** Who decided on the proof; a refusal says why. */
  decidedBy: z.nullable(z.string()),
  refusal: z.nullable(z.string()),
});
export type InsuranceListRow = z.infer<typeof insuranceRow>;

/** GET /office/insurance: who has which proof until when, and who has none, by unit. */
export const listInsurance = officeEndpoint({
  name: 'listInsurance',
  method: 'GET',
  path: '/office/insurance',
  access: 'staff',
  role: 'clerk',
  shows: 'Insurance',
  query: z.extend(listQuery(['unit']), {
    state: z.optional(z.enum(insuranceStates, 'State is none of an insurance.')),
  }),
  reply: pageOf(insuranceRow),
});
