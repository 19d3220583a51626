import type { Mandate } from '@gatehouse/contract/mandate';
import {
  ach,
  CARD_NUMBER,
  creditCard,
  type PaymentMethodFields,
  type PaymentMethodType,
} from '@gatehouse/contract/payment-methods';
import { methodName } from '@gatehouse/contract/saved-methods';
import { plainCode, plainNumber } from '@gatehouse/contract/typed';
import { z } from 'zod/mini';
import type { SavedMethod } from '#api/autopay-record.ts';

/**
 * The chooser's value for a method that is not saved yet; any other value is a `paymentMethodId`.
 */
export const NEW_METHOD = 'new';

/**
 * The fields of the dialog, as the screen has them; the request's body is built from them on
 * submit.
 */
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

/**
 * The form as the methods that are offered now make it: units that are selected and what other tabs
 * change take saved methods off the list, and a chosen one that is off it counts as a new one.
 */
export function asOffered<Form extends Pick<MethodForm, 'source'>>(
  form: Form,
  saved: SavedMethod[],
): Form {
  return saved.some(({ paymentMethodId }) => paymentMethodId === form.source)
    ? form
    : { ...form, source: NEW_METHOD };
}

/** What the form must satisfy: the contract's shape of the chosen method. */
export function methodSchema(form: Pick<MethodForm, 'source' | 'type'>) {
  if (form.source !== NEW_METHOD) return z.object({});
  return form.type === 'creditCard' ? z.object({ creditCard }) : z.object({ ach });
}

/**
 * The same where the provider's own fields take the numbers and check them: what is left is a
 * card's holder and zip.
 */
export function hostedSchema(form: Pick<MethodForm, 'source' | 'type'>) {
  if (form.source !== NEW_METHOD || form.type === 'ach') return z.object({});
  return z.object({
    creditCard: z.pick(creditCard, { name: true, streetAddress: true, postalCode: true }),
  });
}

/** Whether the form holds a new card whose month is over on a day of the facility's calendar. */
export function isExpiredCard(
  { source, type, creditCard: { expirationMonth, expirationYear } }: MethodForm,
  today: string,
): boolean {
  if (source !== NEW_METHOD || type !== 'creditCard') return false;
  if (expirationMonth === '' || expirationYear === '') return false;
  return `${expirationYear}-${expirationMonth}` < today.slice(0, 7);
}

/** The chosen method as it travels, spaces and dashes stripped; a saved one is its id only. */
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
      accountNumber: plainCode(form.ach.accountNumber),
      routingNumber: plainCode(form.ach.routingNumber),
    },
  };
}

/**
 * Kind and last four of the method that is chosen, the latter as soon as a new one's number is
 * there, and whether the facility's card fee comes with it, as with any new card for all we know.
 */
export function chargedMethod(
  form: MethodForm,
  saved: SavedMethod[],
): Pick<Mandate, 'method' | 'lastFour'> & Pick<SavedMethod, 'bringsFee'> {
  const chosen = saved.find(({ paymentMethodId }) => paymentMethodId === form.source);
  if (chosen) {
    const { lastFour, bringsFee } = chosen;
    return { method: chosen.type, lastFour, bringsFee };
  }
  const { type } = form;
  const number =
    type === 'ach' ? normalized(form).ach.accountNumber : digitsOf(form.creditCard.cardNumber);
  const shortest = type === 'ach' ? 4 : CARD_NUMBER.min;
  const lastFour = number.length >= shortest && { lastFour: number.slice(-4) };
  return { method: type, bringsFee: type === 'creditCard', ...lastFour };
}

/** A method that was sent, as the tenant reads it; undefined where only its provider knows it. */
export function sentName(
  { creditCard: card, ach: account }: PaymentMethodFields,
  saved: SavedMethod[],
): string | undefined {
  const sent = card ?? account;
  if (sent === undefined || 'paymentToken' in sent) return undefined;
  if ('paymentMethodId' in sent)
    return saved.find(({ paymentMethodId }) => paymentMethodId === sent.paymentMethodId)?.label;
  return 'cardType' in sent
    ? methodName(sent.cardType, sent.cardNumber.slice(-4))
    : methodName(sent.accountType, sent.accountNumber.slice(-4));
}

/** A method that is ready to be sent, or why there is none, as the tenant reads it. */
export type MethodAnswer = { method: PaymentMethodFields } | { error: string };

/**
 * Makes a method of what was typed into hosted fields and into the form next to them; each
 * submission takes a new one. `isOnce`: the provider keeps nothing of it.
 */
export type Tokenize = (form: MethodForm, isOnce: boolean) => Promise<MethodAnswer>;

/** The digits of what was typed or pasted; spaces and dashes are welcome and never sent. */
export function digitsOf(text: string): string {
  return plainNumber(text).replace(/\D/g, '');
}

/** Digits in groups of four, as they are on the card. */
export function groupDigits(text: string): string {
  return digitsOf(text).replace(/(.{4})(?=.)/g, '$1 ');
}

/** Groups the digits of a field while it is typed in and keeps the caret behind the same digit. */
export function groupTyped(input: HTMLInputElement): void {
  const grouped = groupDigits(input.value);
  if (grouped === input.value) return;
  const caret = groupDigits(input.value.slice(0, input.selectionStart ?? undefined)).length;
  input.value = grouped;
  input.setSelectionRange(caret, caret);
}
