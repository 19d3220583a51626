import type { Tenant, TenantRecord } from '@gatehouse/contract/tenants';
import { sql, type Selectable } from 'kysely';
import type { Vault } from '#crypto/vault.ts';
import type { Tables } from '#db/tables.ts';
import { maskTail } from './mask-tail.ts';

type Columns = Selectable<Tables['tenants']>;

const recordNames = [
  'id',
  'facility_id',
  'company',
  'first_name',
  'last_name',
  'email',
  'phone',
  'street1',
  'street2',
  'city',
  'region',
  'postal_code',
  'alternate_first_name',
  'alternate_last_name',
  'alternate_email',
  'alternate_phone',
] as const satisfies (keyof Columns)[];

/** The columns of a row of `tenants`, as `t`, that the tenant and staff may read. */
export const recordColumns = sql.raw(recordNames.map((name) => `t.${name}`).join(', '));
export type RecordRow = Pick<Columns, (typeof recordNames)[number]>;
/** With the license, whose number is sealed. */
export type TenantRow = RecordRow &
  Pick<Columns, 'drivers_license_number' | 'drivers_license_state'>;

/** What the tenant and staff see alike of a record. */
export function recordView(row: RecordRow): TenantRecord {
  const { street1, street2, city, region } = row;
  return {
    company: row.company,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    address: { street1, street2, city, region, postalCode: row.postal_code },
    alternateContact: alternateContactView(row),
  };
}

/** A tenant record as its owner sees it; the license number is masked to its last four. */
export function tenantView(vault: Vault, row: TenantRow): Tenant {
  const license = row.drivers_license_number;
  return {
    id: row.id,
    ...recordView(row),
    phone: { primary: row.phone },
    driversLicenseNumber:
      license === null ? null : maskTail(vault.open('license', row.id, license)),
    driversLicenseState: row.drivers_license_state,
  };
}

function alternateContactView(row: RecordRow): TenantRecord['alternateContact'] {
  const { alternate_first_name: firstName, alternate_last_name: lastName } = row;
  const { alternate_email: email, alternate_phone: phone } = row;
  if (firstName === null || lastName === null || email === null || phone === null) return null;
  return { firstName, lastName, email, phone };
}
