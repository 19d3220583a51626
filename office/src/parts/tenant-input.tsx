import type { TenantRow } from '@gatehouse/contract/office/tenants';
import { tenantName } from '@gatehouse/contract/tenant-name';
import { useState } from 'react';
import { AutocompleteInput, required, useGetList } from 'react-admin';

const MOST_OFFERED = 50;

/** Another tenant record of a facility, found by a part of its name or address. */
export function TenantInput({
  source,
  label,
  locationCode,
  exceptId,
}: {
  source: string;
  label: string;
  locationCode: string;
  exceptId: string;
}) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<TenantRow | null>(null);
  const { data = [], isPending } = useGetList<TenantRow>('tenants', {
    pagination: { page: 1, perPage: MOST_OFFERED },
    sort: { field: 'name', order: 'ASC' },
    filter: { locationCode, ...(typed.trim().length >= 2 && { q: typed.trim() }) },
  });
  const found = data.filter(({ id }) => id !== exceptId && id !== chosen?.id);
  return (
    <AutocompleteInput
      source={source}
      label={label}
      choices={chosen === null ? found : [chosen, ...found]}
      optionText={(tenant: TenantRow) => `${tenantName(tenant)}, ${tenant.email}`}
      setFilter={setTyped}
      onChange={(value: unknown) => setChosen(data.find(({ id }) => id === value) ?? null)}
      isPending={isPending}
      helperText="A record of this facility."
      noOptionsText="No record fits."
      validate={required('Choose the tenant.')}
    />
  );
}
