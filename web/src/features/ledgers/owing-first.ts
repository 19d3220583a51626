import type { Ledger } from '@gatehouse/contract/ledgers';

/** Rentals that owe come before those that do not; the order is otherwise the server's. */
export function owingFirst<Rental extends Pick<Ledger, 'balance'>>(ledgers: Rental[]): Rental[] {
  return ledgers.toSorted((a, b) => Number(b.balance > 0) - Number(a.balance > 0));
}
