import { useListLedgersQuery } from '#api/ledgers.ts';
import { useListTenantsQuery } from '#api/tenants.ts';
import { type RecordName, recordNames, recordsWithoutUnits } from './record-names.ts';

/** What the tenant records are called; undefined while that loads. */
export function useRecordNames(tenantIds: string[]): {
  names: RecordName[] | undefined;
  error: unknown;
} {
  const { data: ledgers, error: noLedgers } = useListLedgersQuery(tenantIds);
  const unnamed = ledgers ? recordsWithoutUnits(tenantIds, ledgers) : [];
  const { data: tenants = [], error: noTenants } = useListTenantsQuery(unnamed, {
    skip: unnamed.length === 0,
  });
  const isLoaded = ledgers !== undefined && tenants.length >= unnamed.length;
  return {
    names: isLoaded ? recordNames(tenantIds, ledgers, tenants) : undefined,
    error: noLedgers ?? noTenants,
  };
}
