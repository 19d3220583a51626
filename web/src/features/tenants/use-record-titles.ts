import { useListLedgersQuery } from '#api/ledgers.ts';
import { useGetTenantQuery, useListTenantsQuery } from '#api/tenants.ts';
import type { Session } from '#session/session.ts';
import { recordTitle } from './record-names.ts';

/**
 * The tenant records of a session with their titles, undefined until they are loaded; without their
 * units where those cannot be loaded.
 */
export function useRecordTitles({
  tenants: records,
  currentTenantId,
}: Session): { id: string; title: string }[] | undefined {
  const ids = records.map(({ id }) => id);
  const { data: ledgers, error } = useListLedgersQuery(ids);
  // A screen may have asked for the current one already.
  const { data: current } = useGetTenantQuery(currentTenantId);
  const { data: others } = useListTenantsQuery(ids.filter((id) => id !== currentTenantId));
  if (ledgers === undefined && error === undefined) return undefined;
  if (current === undefined || others === undefined) return undefined;
  return [current, ...others].map((tenant) => ({
    id: tenant.id,
    title: recordTitle(tenant, ledgers ?? []),
  }));
}
