import { toCents } from '@gatehouse/contract/money';
import type { PaymentMethodFields, PaymentMethodType } from '@gatehouse/contract/payment-methods';
import type { MethodForm } from './method-form.ts';
import type { ConfirmationToken, ElementsAmount, PaymentElementOptions } from './stripe.ts';

/** A method that is ready to be sent, or why there is none, as the tenant reads it. */
export type MethodAnswer = { method: PaymentMethodFields } | { error: string };

/** Makes a method of what was typed into hosted fields and into the form beside them; each submission takes a new one. */
export type Tokenize = (form: MethodForm) => Promise<MethodAnswer>;

/**
 * The body's method of a live profile (safety section 6): the token, and beside it the masked copies, which decide
 * nothing: the server asks the provider.
 */
export function tokenizedFields(
  { id, payment_method_preview: { card, us_bank_account: bank } }: ConfirmationToken,
  { creditCard: { name, postalCode } }: MethodForm,
): PaymentMethodFields {
  if (bank) {
    return {
      ach: {
        paymentToken: id,
        accountType: [bank.account_holder_type, bank.account_type].filter(Boolean).join(' '),
        accountNumber: masked(bank.last4),
        routingNumber: bank.routing_number,
      },
    };
  }
  return {
    creditCard: {
      paymentToken: id,
      cardType: card?.brand,
      cardNumber: masked(card?.last4 ?? null),
      expirationMonth: card && String(card.exp_month).padStart(2, '0'),
      expirationYear: card && String(card.exp_year),
      name: name.trim(),
      postalCode: postalCode.trim(),
    },
  };
}

function masked(lastFour: string | null): string | null {
  return lastFour && `************${lastFour}`;
}

/** What the fields are to be good for: a payment now and later ones, or later ones alone. */
export function amountOptions(dueNow: number): ElementsAmount {
  return dueNow > 0 ? { mode: 'payment', amount: toCents(dueNow) } : { mode: 'setup' };
}

type Payer = { firstName?: string | undefined; lastName?: string | undefined; emailAddress?: string | undefined };

/**
 * A card's holder and zip are asked for by our own form (spec section 5) and handed over with the token; a bank account's
 * holder is asked for by the provider, which needs the name and address of its mandate.
 */
export function elementOptions(type: PaymentMethodType, payer: Payer): PaymentElementOptions {
  const asked = type === 'ach' ? 'auto' : 'never';
  const name = [payer.firstName, payer.lastName].filter(Boolean).join(' ');
  return {
    defaultValues: {
      billingDetails: { ...(name && { name }), ...(payer.emailAddress && { email: payer.emailAddress }) },
    },
    fields: { billingDetails: { name: asked, address: { country: asked, postalCode: asked } } },
    wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
    // Ours stands above the button.
    terms: { card: 'never' },
  };
}

/** What our own form has asked of a card's holder, as the provider takes it. The operator's tenants are in the US. */
export function billingDetails({ creditCard: { name, streetAddress, postalCode } }: MethodForm) {
  const line1 = streetAddress.trim();
  return {
    name: name.trim(),
    address: { country: 'US', postal_code: postalCode.trim(), ...(line1 && { line1 }) },
  };
}
