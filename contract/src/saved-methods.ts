import { z } from 'zod/mini';
import { id } from './ids.ts';

/**
 * A saved card as the API shows it: the number masked to its last four, the expiry as `YYYY-MM`.
 * `bringsFee`: whether the facility's card fee comes with it, as with credit cards alone.
 */
export const maskedCreditCard = z.object({
  paymentMethodId: id,
  cardType: z.string(),
  cardNumber: z.string(),
  expirationDate: z.string(),
  bringsFee: z.boolean(),
  name: z.string(),
  streetAddress: z.nullable(z.string()),
  postalCode: z.string(),
});
export type MaskedCreditCard = z.infer<typeof maskedCreditCard>;

/** A saved bank account as the API shows it: both numbers masked to their last four. */
export const maskedAch = z.object({
  paymentMethodId: id,
  accountType: z.string(),
  accountNumber: z.string(),
  routingNumber: z.string(),
});
export type MaskedAch = z.infer<typeof maskedAch>;
