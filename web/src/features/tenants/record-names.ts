import type { Ledger } from '@gatehouse/contract/ledgers';
import { tenantName, type TenantNames } from '@gatehouse/contract/tenant-name';
import { t } from '@gatehouse/language/t';

/** A tenant record by its id, and what it is called. */
export type RecordName = { id: string; name: string };

type Rental = Pick<Ledger, 'tenantId' | 'unitName'>;

/** The tenant records that no unit can name. */
export function recordsWithoutUnits(tenantIds: string[], ledgers: Rental[]): string[] {
  return tenantIds.filter((id) => !ledgers.some(({ tenantId }) => tenantId === id));
}

/**
 * What each tenant record is called: the names of its units, or the tenant's own where it rents
 * none.
 */
export function recordNames(
  tenantIds: string[],
  ledgers: Rental[],
  tenants: ({ id: string } & TenantNames)[],
): RecordName[] {
  return tenantIds.map((id) => {
    const units = ledgers.filter(({ tenantId }) => tenantId === id).map(({ unitName }) => unitName);
    const tenant = tenants.find((candidate) => candidate.id === id);
    return { id, name: units.join(', ') || (tenant ? tenantName(tenant) : '') };
  });
}

/** A tenant record by its id, with what the switcher calls it. */
export type RecordTitle = { id: string; title: string };

/**
 * Each tenant record by its tenant's name, such as `Reyes Marine LLC`; those of one name by their
 * units too, of many units the first three.
 */
export function recordTitles(
  tenants: ({ id: string } & TenantNames)[],
  ledgers: Rental[],
): RecordTitle[] {
  const names = tenants.map(tenantName);
  return tenants.map(({ id }, index) => {
    const name = names[index]!;
    const isUnique = names.filter((one) => one === name).length === 1;
    return { id, title: isUnique ? name : [name, ...unitsOf(id, ledgers)].join(', ') };
  });
}

function unitsOf(tenantId: string, ledgers: Rental[]): string[] {
  const units = ledgers.filter((one) => one.tenantId === tenantId).map(({ unitName }) => unitName);
  const more = units.length > 3 ? [t('{n} more', { n: units.length - 3 })] : [];
  return [...units.slice(0, 3), ...more];
}
