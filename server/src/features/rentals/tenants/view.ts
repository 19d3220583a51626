import type { Tenant } from '@gatehouse/contract/tenants';
import type { Vault } from '#crypto/vault.ts';
import { maskTail } from './mask-tail.ts';
import type { TenantRow } from './tenants.ts';

/** A tenant record as its owner sees it; the license number is masked to its last four. */
export function tenantView(vault: Vault, row: TenantRow): Tenant {
  const { street1, street2, city, region, drivers_license_number: license } = row;
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: { primary: row.phone },
    address: { street1, street2, city, region, postalCode: row.postal_code },
    driversLicenseNumber:
      license === null ? null : maskTail(vault.open('license', row.id, license)),
    driversLicenseState: row.drivers_license_state,
    alternateContact: alternateContactView(row),
  };
}

function alternateContactView(row: TenantRow): Tenant['alternateContact'] {
  const { alternate_first_name: firstName, alternate_last_name: lastName } = row;
  const { alternate_email: email, alternate_phone: phone } = row;
  if (firstName === null || lastName === null || email === null || phone === null) return null;
  return { firstName, lastName, email, phone };
}
