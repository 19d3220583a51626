import type { Ledger } from '@gatehouse/contract/ledgers';
import { toCents, toDollars } from '@gatehouse/contract/money';
import type { PaymentParams } from '@gatehouse/contract/payments';

type Owing = Pick<Ledger, 'id' | 'unitId' | 'balance'>;

/** The payment lines of the selected units: each positive balance whole, nothing for the others (spec section 4). */
export function paymentLines(selected: Owing[]): PaymentParams['payments'] {
  return selected
    .filter(({ balance }) => balance > 0)
    .map(({ id, unitId, balance }) => ({ ledgerId: id, unitId, amount: balance }));
}

/** The sum of the selected units' positive balances, in dollars; summed in cents, so that no fraction creeps in. */
export function amountDue(selected: Pick<Owing, 'balance'>[]): number {
  return toDollars(selected.reduce((cents, { balance }) => cents + Math.max(0, toCents(balance)), 0));
}
