import type { Ledger } from '@gatehouse/contract/ledgers';
import { useGetUnitGateAccessQuery } from '#api/gate-access.ts';

/**
 * The gate access of a rental, which the server decides. It is asked afresh on every mount: give
 * the component the balance as its key, since a payment invalidates the ledgers but not the gate.
 */
export function useGateAccess({ unitId }: Ledger) {
  const { data, ...load } = useGetUnitGateAccessQuery(unitId, { isAskedAfresh: true });
  // Of an earlier balance: the code may be there by now.
  const isOld = load.isFetching && data?.accessCode === undefined;
  return { ...load, data: isOld ? undefined : data };
}
