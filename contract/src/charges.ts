import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { id } from './ids.ts';
import { dollars } from './money.ts';
import { tenantPathParams } from './tenants.ts';

/**
 * A charge of a ledger that is still owed, in dollars. `balance` is what is still owed of it, after
 * discount and with its taxes; without credits a ledger's charges sum to its balance.
 */
export const charge = z.object({
  id,
  description: z.string(),
  balance: dollars,
  discount: dollars,
  tax1: dollars,
  tax2: dollars,
});
export type Charge = z.infer<typeof charge>;

/** A charge as an example shows it. */
export const exampleCharge: Charge = {
  id: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
  description: 'Rent 11/14/2026 - 12/13/2026',
  balance: 214.5,
  discount: 0,
  tax1: 12.38,
  tax2: 3.97,
};

/** GET {prefix}/tenants/{tenantId}/charges?ledgerId=…: the open charges of one ledger. */
export const listCharges = endpoint({
  name: 'listCharges',
  subject: 'Rentals',
  summary: 'The charges of a ledger that are still owed',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/charges`,
  access: 'tenant',
  params: tenantPathParams,
  query: z.object({ ledgerId: id }),
  reply: z.array(charge),
  example: [exampleCharge],
});
