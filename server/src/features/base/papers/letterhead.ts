import { sql } from 'kysely';
import type { Letterhead } from '#papers/letterhead.ts';

export type FacilityColumns = { issuer: string; facility: Letterhead['facility'] };
export type TenantColumns = {
  tenantName: string;
  tenantAddress: Omit<Letterhead['facility'], 'name' | 'phone'>;
};

/** What a paper says of tenant `t`, facility `f` and corporation `corp`, as columns of a query. */
export const issuerOf = sql`corp.name AS issuer, t.name AS "tenantName",
  json_build_object('street1', t.street1, 'street2', t.street2, 'city', t.city, 'region', t.region,
    'postalCode', t.postal_code) AS "tenantAddress",
  json_build_object('name', f.name, 'phone', f.phone, 'street1', f.street1, 'street2', f.street2, 'city', f.city,
    'region', f.region, 'postalCode', f.postal_code) AS facility`;
