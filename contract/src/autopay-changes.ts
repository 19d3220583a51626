import { z } from 'zod/mini';
import { autopay, exampleAutopay } from './autopay.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { ledgerPathParams } from './ledgers.ts';
import { onePaymentMethod, paymentMethodFields } from './payment-methods.ts';
import { requesterCopies } from './requests.ts';
import { copied } from './text.ts';

/**
 * autopayUpdateParams of the specification; `switchingFromCcToAch` and `webhookData` may be sent
 * and decide nothing.
 */
export const autopayUpdateParams = z
  .object({
    ...paymentMethodFields,
    switchingFromCcToAch: copied,
    webhookData: z.optional(z.object(requesterCopies)),
  })
  .check(onePaymentMethod);
export type AutopayUpdateParams = z.infer<typeof autopayUpdateParams>;

/**
 * POST {prefix}/ledgers/{ledgerId}/autopay-update: saves the method and turns autopay on; answers
 * the new record.
 */
export const updateAutopay = endpoint({
  name: 'updateAutopay',
  subject: 'Autopay',
  summary: 'Sets the payment method that autopay charges for a rental',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/autopay-update`,
  access: 'tenant',
  urgency: 'payment',
  confirm: true,
  params: ledgerPathParams,
  body: autopayUpdateParams,
  reply: autopay,
  example: exampleAutopay,
});

/**
 * POST {prefix}/ledgers/{ledgerId}/autopay-stop, not in the spec: ends the consent and turns
 * autopay off; the method stays saved. Answers the new record; the same again where autopay is off
 * already.
 */
export const stopAutopay = endpoint({
  name: 'stopAutopay',
  subject: 'Autopay',
  summary: 'Turns autopay off for a rental',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/autopay-stop`,
  access: 'tenant',
  urgency: 'payment',
  params: ledgerPathParams,
  reply: autopay,
  example: { ...exampleAutopay, active: false, nextCharge: null },
});
