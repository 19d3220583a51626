import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, PREFIX } from './ids.ts';
import { ledgerPathParams } from './ledgers.ts';
import { maskedAch, maskedCreditCard, onePaymentMethod, paymentMethodFields } from './payment-methods.ts';
import { requesterCopies } from './requests.ts';
import { tenantPathParams } from './tenants.ts';
import { copied } from './text.ts';

/** The autopay record of a ledger (spec section 3). Without a set-up, `active` is false and nothing else is there. */
export const autopay = z.object({
  ledgerId: id,
  active: z.boolean(),
  type: z.optional(z.enum(['creditCard', 'ach'])),
  ach: z.optional(maskedAch),
  creditCard: z.optional(maskedCreditCard),
});
export type Autopay = z.infer<typeof autopay>;

/** autopayUpdateParams of spec section 7; `switchingFromCcToAch` and `webhookData` may be sent and decide nothing. */
export const autopayUpdateParams = z
  .object({
    ...paymentMethodFields,
    switchingFromCcToAch: copied,
    webhookData: z.optional(z.object(requesterCopies)),
  })
  .check(onePaymentMethod);
export type AutopayUpdateParams = z.infer<typeof autopayUpdateParams>;

const example: Autopay = {
  ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
  active: true,
  type: 'creditCard',
  creditCard: {
    paymentMethodId: '1c9e7f3b-5d2a-4f6e-8a0b-7c6d5e4f3a2b',
    cardType: 'Visa',
    cardNumber: '************4242',
    expirationDate: '2028-04',
    name: 'Dana Reyes',
    streetAddress: null,
    postalCode: '76020',
  },
};

/** GET {prefix}/tenants/{tenantId}/autopays: one record for each current rental. */
export const listAutopays = endpoint({
  name: 'listAutopays',
  summary: 'The autopay record of each current rental',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/autopays`,
  access: 'tenant',
  params: tenantPathParams,
  reply: z.array(autopay),
  example: [example],
});

/** POST {prefix}/ledgers/{ledgerId}/autopay-update: saves the method and turns autopay on; answers the new record. */
export const updateAutopay = endpoint({
  name: 'updateAutopay',
  summary: 'Sets the payment method that autopay charges for a rental',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/autopay-update`,
  access: 'tenant',
  params: ledgerPathParams,
  body: autopayUpdateParams,
  reply: autopay,
  example,
});
