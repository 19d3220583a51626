import { ach, creditCard, type PaymentMethodFields, type PaymentMethodType } from '@gatehouse/contract/payment-methods';
import { z } from 'zod/mini';
import { digitsOf } from './card-number.ts';
import type { SavedMethod } from './saved-methods.ts';

/** The chooser's value for a method that is not saved yet; any other value is a `paymentMethodId`. */
export const NEW_METHOD = 'new';

/** The fields of the dialog, as the screen has them; the request's body is built from them on submit. */
export type MethodForm = {
  source: string;
  type: PaymentMethodType;
  creditCard: {
    cardType: string;
    cardNumber: string;
    cardCvv: string;
    expirationMonth: string;
    expirationYear: string;
    name: string;
    streetAddress: string;
    postalCode: string;
  };
  ach: { accountType: string; accountNumber: string; routingNumber: string };
};

/** An empty form: card and bank fields never start with anything in them. */
export function emptyForm(source: string): MethodForm {
  return {
    source,
    type: 'creditCard',
    creditCard: {
      cardType: '',
      cardNumber: '',
      cardCvv: '',
      expirationMonth: '',
      expirationYear: '',
      name: '',
      streetAddress: '',
      postalCode: '',
    },
    ach: { accountType: '', accountNumber: '', routingNumber: '' },
  };
}

/** What the form must satisfy: the contract's shape of the chosen method. */
export function methodSchema(form: Pick<MethodForm, 'source' | 'type'>) {
  if (form.source !== NEW_METHOD) return z.object({});
  return form.type === 'creditCard' ? z.object({ creditCard }) : z.object({ ach });
}

/** The same where the provider's own fields take the numbers and check them: what is left is a card's holder and zip. */
export function hostedSchema(form: Pick<MethodForm, 'source' | 'type'>) {
  if (form.source !== NEW_METHOD || form.type === 'ach') return z.object({});
  return z.object({ creditCard: z.pick(creditCard, { name: true, streetAddress: true, postalCode: true }) });
}

/** The chosen method as it travels, spaces and dashes stripped; a saved one is its id alone. */
export function methodFields(form: MethodForm, saved: SavedMethod[]): PaymentMethodFields {
  const chosen = saved.find(({ paymentMethodId }) => paymentMethodId === form.source);
  if (chosen) return { [chosen.type]: { paymentMethodId: chosen.paymentMethodId } };
  return z.parse(methodSchema(form), normalized(form));
}

/** The form's values with what was typed for the eye taken out. */
export function normalized(form: MethodForm) {
  const { streetAddress, ...card } = form.creditCard;
  const street = streetAddress.trim();
  return {
    creditCard: {
      ...card,
      cardNumber: digitsOf(card.cardNumber),
      cardCvv: card.cardCvv.trim(),
      name: card.name.trim(),
      postalCode: card.postalCode.trim(),
      ...(street !== '' && { streetAddress: street }),
    },
    ach: {
      ...form.ach,
      accountNumber: form.ach.accountNumber.replace(/[\s-]/g, ''),
      routingNumber: form.ach.routingNumber.replace(/[\s-]/g, ''),
    },
  };
}
