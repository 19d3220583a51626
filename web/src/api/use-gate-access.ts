import type { Ledger } from '@gatehouse/contract/ledgers';
import { useEffect, useEffectEvent, useState } from 'react';
import { useGetUnitGateAccessQuery } from './gate-access.ts';

/**
 * The gate access of a rental, which the server decides. It is asked afresh on every mount and with
 * every other balance, since a payment invalidates the ledgers but not the gate.
 */
export function useGateAccess({ unitId, balance }: Ledger) {
  const { data, ...load } = useGetUnitGateAccessQuery(unitId, { isAskedAfresh: true });
  const [askedAt, setAskedAt] = useState(balance);
  const { refetch } = load;
  const ask = useEffectEvent(() => void refetch().then(() => setAskedAt(balance)));
  const isChanged = askedAt !== balance;
  useEffect(() => {
    if (isChanged) ask();
  }, [isChanged, balance]);
  // Of an earlier balance: the code may be there by now.
  const isOld = (isChanged || load.isFetching) && data?.accessCode === undefined;
  return { ...load, isFetching: load.isFetching || isChanged, data: isOld ? undefined : data };
}
