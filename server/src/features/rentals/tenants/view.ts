import type { Tenant, TenantRecord } from '@gatehouse/contract/tenants';
import { sql, type Selectable } from 'kysely';
import type { Vault } from '#crypto/vault.ts';
import type { Tables } from '#db/tables.ts';
import { maskTail } from './mask-tail.ts';

/** Without the keys that searches read, and what registration does. */
export type TenantRow = Omit<
  Selectable<Tables['tenants']>,
  | 'name'
  | 'is_military'
  | 'tags'
  | 'do_not_rent'
  | 'tax_exempt_paper'
  | 'first_key'
  | 'last_key'
  | 'phone_digits'
  | 'joined_at'
>;

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
] as const satisfies (keyof TenantRow)[];

/** The columns of a row of `tenants`, as `t`, that the tenant and staff may read. */
export const recordColumns = sql.raw(recordNames.map((name) => `t.${name}`).join(', '));
export type RecordRow = Pick<TenantRow, (typeof recordNames)[number]>;

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
