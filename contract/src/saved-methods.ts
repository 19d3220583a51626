import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { id } from './ids.ts';

/**
 * A saved card as the API shows it: the number masked to its last four, the expiry as `YYYY-MM`.
 * `bringsFee`: whether the facility's card fee comes with it, as with credit cards only.
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

/** A saved method as the tenant reads it: `Visa ending in 4242`. */
export function methodName(brand: string, lastFour: string): string {
  return t('{brand} ending in {lastFour}', { brand: accountTypeName(brand), lastFour });
}

/** An account type of ours in the current language; a provider's own words are unchanged. */
export function accountTypeName(type: string): string {
  if (language() === 'en') return type;
  const names: Record<string, string> = {
    'Business Checking': t('Business Checking'),
    'Consumer Checking': t('Consumer Checking'),
    'Consumer Savings': t('Consumer Savings'),
  };
  return names[type] ?? type;
}
