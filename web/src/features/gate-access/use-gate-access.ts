import type { Ledger } from '@gatehouse/contract/ledgers';
import { useGetUnitGateAccessQuery } from '#api/gate-access.ts';

/** What the first call of the page brought is not asked for again by what shows it first. */
const JUST_READ_MS = 5_000;

/**
 * The gate access of a rental, which the server decides. It is asked afresh on every mount: give
 * the component the balance as its key, since a payment invalidates the ledgers but not the gate.
 */
export function useGateAccess({ unitId }: Ledger) {
  const { data, ...load } = useGetUnitGateAccessQuery(unitId, {
    staleTime: (answers) => (answers > 1 ? 0 : JUST_READ_MS),
  });
  // Of an earlier balance: the code may be there by now.
  const isOld = load.isFetching && data?.accessCode === undefined;
  return { ...load, data: isOld ? undefined : data };
}
