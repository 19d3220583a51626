import { useListLedgersQuery } from '#api/ledgers.ts';
import { useGetTenantQuery, useListTenantsQuery } from '#api/tenants.ts';
import type { Session } from '#session/session.ts';
import { type RecordTitle, recordTitles } from './record-names.ts';

/**
 * The tenant records of a session with their titles, in its order, undefined until they are loaded;
 * without their units where those cannot be loaded.
 */
export function useRecordTitles({ tenants }: Session): RecordTitle[] | undefined {
  const ids = tenants.map(({ id }) => id);
  const { data: ledgers, error } = useListLedgersQuery(ids);
  // A screen may have asked for the first one already, which a sign-in begins with. Whichever is in
  // view, the same is asked for: the switcher stays in sight while a record is changed.
  const [first = '', ...rest] = ids;
  const { data: current } = useGetTenantQuery(first);
  const { data: others } = useListTenantsQuery(rest);
  if (ledgers === undefined && error === undefined) return undefined;
  if (current === undefined || others === undefined) return undefined;
  const found = [current, ...others];
  return recordTitles(
    ids.flatMap((id) => found.find((tenant) => tenant.id === id) ?? []),
    ledgers ?? [],
  );
}
