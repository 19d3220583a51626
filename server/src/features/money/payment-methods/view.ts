import type { MaskedAch, MaskedCreditCard } from '@gatehouse/contract/saved-methods';
import type { PaymentMethodRow } from './payment-methods.ts';

/** What is shown of a saved method. */
export type MethodToShow = Pick<
  PaymentMethodRow,
  | 'id'
  | 'type'
  | 'brand'
  | 'last_four'
  | 'routing_last_four'
  | 'expires_on'
  | 'funding'
  | 'holder_name'
  | 'street_address'
  | 'postal_code'
>;

/**
 * A saved method under the key of its type, as in autopay records; numbers are masked to the last
 * four.
 */
export function methodView(
  row: MethodToShow,
): { creditCard: MaskedCreditCard } | { ach: MaskedAch } {
  if (row.type === 'ach') {
    return {
      ach: {
        paymentMethodId: row.id,
        accountType: row.brand,
        accountNumber: `****${row.last_four}`,
        routingNumber: `*****${row.routing_last_four ?? ''}`,
      },
    };
  }
  return {
    creditCard: {
      paymentMethodId: row.id,
      cardType: row.brand,
      cardNumber: `************${row.last_four}`,
      expirationDate: row.expires_on ?? '',
      bringsFee: row.funding === 'credit',
      name: row.holder_name ?? '',
      streetAddress: row.street_address,
      postalCode: row.postal_code ?? '',
    },
  };
}
