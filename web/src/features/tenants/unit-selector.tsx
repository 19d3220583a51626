import { useListLedgersQuery } from '#api/ledgers.ts';
import { useListTenantsQuery } from '#api/tenants.ts';
import { chooseTenant, type Session } from '#session/session.ts';
import { Alert } from '#ui/alert.tsx';
import { SelectField } from '#ui/field.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { recordNames, recordsWithoutUnits } from './record-names.ts';

/** Chooses among several tenant records by the names of their units; all screens then show the chosen one. */
export function UnitSelector({ session }: { session: Session }) {
  const tenantIds = session.tenants.map(({ id }) => id);
  const { data: ledgers, error: noLedgers } = useListLedgersQuery(tenantIds);
  const unnamed = ledgers ? recordsWithoutUnits(tenantIds, ledgers) : [];
  const { data: tenants = [], error: noTenants } = useListTenantsQuery(unnamed, { skip: unnamed.length === 0 });

  if (noLedgers ?? noTenants) return <Alert tone="bad">Error loading unit names. Please refresh the page.</Alert>;
  if (ledgers === undefined || tenants.length < unnamed.length) return <Skeleton className="h-19 sm:max-w-80" />;
  return (
    <div className="sm:max-w-80">
      <SelectField
        label="Unit"
        options={recordNames(tenantIds, ledgers, tenants).map(({ id, name }) => ({ value: id, label: name }))}
        value={session.currentTenantId}
        onChange={({ target }) => chooseTenant(target.value)}
      />
    </div>
  );
}
