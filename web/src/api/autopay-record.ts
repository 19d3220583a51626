import type { Autopay } from '@gatehouse/contract/autopay';
import { formatMonth } from '@gatehouse/contract/dates';
import type { PaymentMethodType } from '@gatehouse/contract/payment-methods';
import { methodName } from '@gatehouse/contract/saved-methods';
import { t } from '@gatehouse/language/t';

/**
 * The autopay record of a rental; of one that the answer does not name yet, that nothing is set up.
 */
export function autopayOf(autopays: Autopay[], ledgerId: string): Autopay {
  return (
    autopays.find((record) => record.ledgerId === ledgerId) ?? {
      ledgerId,
      active: false,
      nextCharge: null,
      nextBill: null,
      problem: null,
      attempts: [],
    }
  );
}

/** A saved method of the tenant as the chooser shows it. */
export type SavedMethod = {
  paymentMethodId: string;
  type: PaymentMethodType;
  label: string;
  detail: string;
  lastFour: string;
  /** Whether the facility's card fee comes with it. */
  bringsFee: boolean;
};

/** The method of one autopay record, or null where none is saved. */
export function savedMethodOf({ creditCard, ach }: Autopay): SavedMethod | null {
  if (creditCard) {
    return {
      paymentMethodId: creditCard.paymentMethodId,
      type: 'creditCard',
      label: methodName(creditCard.cardType, creditCard.cardNumber.slice(-4)),
      detail: t('Expires {month}', { month: formatMonth(creditCard.expirationDate) }),
      lastFour: creditCard.cardNumber.slice(-4),
      bringsFee: creditCard.bringsFee,
    };
  }
  if (ach) {
    return {
      paymentMethodId: ach.paymentMethodId,
      type: 'ach',
      label: methodName(ach.accountType, ach.accountNumber.slice(-4)),
      detail: t('Bank account (ACH)'),
      lastFour: ach.accountNumber.slice(-4),
      bringsFee: false,
    };
  }
  return null;
}
