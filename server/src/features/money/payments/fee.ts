import { randomUUID } from 'node:crypto';
import type { NewCharge } from '#features/base/ledgers/books.ts';

export const RETURNED_PAYMENT_FEE = 'Returned payment fee';
export const RETURNED_CHECK_FEE = 'Returned check fee';

/**
 * A fee without taxes that falls due at once, such as the facility's for a payment that its bank
 * did not honour, in cents.
 */
export function feeOf(priceCents: number, dueOn: string, description: string): NewCharge {
  const none = { periodEnd: null, discountCents: 0, tax1Cents: 0, tax2Cents: 0, lateFor: null };
  return {
    ...none,
    kind: 'charge',
    id: randomUUID(),
    category: 'fee',
    description,
    dueOn,
    priceCents,
  };
}
