import type { Autopay } from '@gatehouse/contract/autopay';
import type { PaymentMethodType } from '@gatehouse/contract/payment-methods';
import { formatExpiry } from '@gatehouse/contract/dates';

/** A saved method of the tenant as the chooser shows it. */
export type SavedMethod = {
  paymentMethodId: string;
  type: PaymentMethodType;
  label: string;
  detail: string;
  lastFour: string;
};

/**
 * The methods that the tenant's autopay records hold, without cards that have expired `today`, a day of the facility's
 * calendar; what reads the same to the tenant is offered once.
 */
export function savedMethods(autopays: Autopay[], today: string): SavedMethod[] {
  const isGood = ({ creditCard }: Autopay) =>
    creditCard === undefined || creditCard.expirationDate >= today.slice(0, 7);
  const methods = autopays
    .filter(isGood)
    .map(savedMethodOf)
    .filter((method) => method !== null);
  return [...new Map(methods.map((method) => [`${method.label} ${method.detail}`, method])).values()];
}

/** The method of one autopay record, or null where none is saved. */
export function savedMethodOf({ creditCard, ach }: Autopay): SavedMethod | null {
  if (creditCard) {
    return {
      paymentMethodId: creditCard.paymentMethodId,
      type: 'creditCard',
      label: `${creditCard.cardType} ending in ${creditCard.cardNumber.slice(-4)}`,
      detail: `Expires ${formatExpiry(creditCard.expirationDate)}`,
      lastFour: creditCard.cardNumber.slice(-4),
    };
  }
  if (ach) {
    return {
      paymentMethodId: ach.paymentMethodId,
      type: 'ach',
      label: `${ach.accountType} ending in ${ach.accountNumber.slice(-4)}`,
      detail: 'Bank account (ACH)',
      lastFour: ach.accountNumber.slice(-4),
    };
  }
  return null;
}
