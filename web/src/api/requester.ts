import { useGetFacilityQuery } from './facilities.ts';
import { skipToken } from './hooks.ts';
import { useGetTenantQuery } from './tenants.ts';

/**
 * Who asks, for whom and where: the copies that every message to staff carries. The server goes by
 * its own records, so what is not loaded is left out.
 */
export function useRequester(rental: { tenantId: string; unitName?: string } | undefined) {
  const { data: facility } = useGetFacilityQuery();
  const { currentData: tenant } = useGetTenantQuery(rental?.tenantId ?? skipToken);
  return {
    tenantId: rental?.tenantId,
    unitName: rental?.unitName,
    facilityName: facility?.name,
    firstName: tenant?.firstName,
    lastName: tenant?.lastName,
    emailAddress: tenant?.email,
  };
}
