import type { Ledger } from '@gatehouse/contract/ledgers';

/**
 * Rentals that owe come before those that do not; the order is otherwise the server's. One that
 * owed at first keeps its place: what is paid is in sight where it was.
 */
export function owingFirst<Rental extends Pick<Ledger, 'id' | 'balance'>>(
  ledgers: Rental[],
  atFirst: Pick<Ledger, 'id' | 'balance'>[] = ledgers,
): Rental[] {
  const owed = new Set(atFirst.filter(({ balance }) => balance > 0).map(({ id }) => id));
  const rank = ({ id, balance }: Rental) => Number(owed.has(id) || balance > 0);
  return ledgers.toSorted((a, b) => rank(b) - rank(a));
}
