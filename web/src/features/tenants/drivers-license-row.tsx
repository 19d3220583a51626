import { stateName } from '@gatehouse/contract/states';
import { useGetTenantQuery } from '#api/tenants.ts';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';

/** The tenant's driver's license, its number masked by the server. */
export function DriversLicenseRow({ tenantId }: { tenantId: string }) {
  const load = useGetTenantQuery(tenantId);
  return (
    <Fact label="Driver's License (Required)" missing={load.data?.driversLicenseNumber === null}>
      <Loadable load={load} failure="The driver's license could not be loaded.">
        {({ driversLicenseNumber: number, driversLicenseState: state }) =>
          number === null ? 'None on file' : `${number}${state === null ? '' : `, ${stateName(state)}`}`
        }
      </Loadable>
    </Fact>
  );
}
