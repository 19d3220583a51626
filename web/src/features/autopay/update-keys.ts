import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';

/**
 * One Idempotency-Key for all attempts to save the same method for a rental, until their final answer (C11). Of a new card or
 * account it keeps what the server identifies requests by, never its number or security code (C8).
 */
export function createUpdateKeys(newKey: () => string) {
  const open = new Map<string, { shown: string; key: string }>();
  return {
    keyOf: (ledgerId: string, method: PaymentMethodFields): string => {
      const shown = shownOf(method);
      const before = open.get(ledgerId);
      if (before?.shown === shown) return before.key;
      const key = newKey();
      open.set(ledgerId, { shown, key });
      return key;
    },
    /** The answer was final: what is saved next is a request of its own. */
    renew: (ledgerId: string) => void open.delete(ledgerId),
  };
}

const numbers = ['cardNumber', 'accountNumber', 'routingNumber'];

function shownOf({ creditCard, ach }: PaymentMethodFields): string {
  const shown = Object.entries(creditCard ?? ach ?? {})
    .filter(([name]) => name !== 'cardCvv')
    .map(([name, value]) => [name, numbers.includes(name) ? String(value).slice(-4) : value]);
  return JSON.stringify([ach ? 'ach' : 'creditCard', shown]);
}
