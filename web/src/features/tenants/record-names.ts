import type { Ledger } from '@gatehouse/contract/ledgers';
import type { Tenant } from '@gatehouse/contract/tenants';

type Rental = Pick<Ledger, 'tenantId' | 'unitName'>;

/** The tenant records that no unit can name. */
export function recordsWithoutUnits(tenantIds: string[], ledgers: Rental[]): string[] {
  return tenantIds.filter((id) => !ledgers.some(({ tenantId }) => tenantId === id));
}

/** What each tenant record is called: the names of its units, or the tenant's own where it rents none. */
export function recordNames(
  tenantIds: string[],
  ledgers: Rental[],
  tenants: Pick<Tenant, 'id' | 'firstName' | 'lastName'>[],
): { id: string; name: string }[] {
  return tenantIds.map((id) => {
    const units = ledgers.filter(({ tenantId }) => tenantId === id).map(({ unitName }) => unitName);
    const tenant = tenants.find((candidate) => candidate.id === id);
    return { id, name: units.join(', ') || `${tenant?.firstName} ${tenant?.lastName}` };
  });
}
