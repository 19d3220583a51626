import type { Language } from '@gatehouse/language/language';
import type { ColumnType, Generated } from 'kysely';
import type { StaffRole } from './office.ts';

export type PeopleTables = {
  tenants: {
    id: Generated<string>;
    /** The import of the office that made it. */
    import_id: string | null;
    facility_id: string;
    /** Of a company, whose contact the first and last name are. */
    company: string | null;
    first_name: string;
    last_name: string;
    /** The company, or the person. */
    name: Generated<string>;
    email: string;
    phone: string | null;
    street1: string;
    street2: string | null;
    city: string;
    region: string;
    postal_code: string;
    /** Sealed. */
    drivers_license_number: string | null;
    drivers_license_state: string | null;
    alternate_first_name: string | null;
    alternate_last_name: string | null;
    alternate_email: string | null;
    alternate_phone: string | null;
    first_key: Generated<string>;
    last_key: Generated<string>;
    phone_digits: Generated<string | null>;
    joined_at: Date | null;
    is_military: Generated<boolean>;
    tags: Generated<string[]>;
    do_not_rent: string | null;
    tax_exempt_paper: string | null;
  };
  /** Of a tenant who died, with the executor. */
  estates: {
    tenant_id: string;
    facility_id: string;
    closed_email: string;
    name: string;
    relation: string | null;
    phone: string | null;
    email: string | null;
    note: string | null;
    by_name: string;
    created_at: Date;
  };
  users: {
    id: Generated<string>;
    corporation_id: string;
    email: string;
    password_hash: string;
    disabled_at: Date | null;
    created_at: Generated<Date>;
    language: Language | null;
    language_chosen: Generated<boolean>;
  };
  /** The rest of a name from each of its later words on, as `search_key`, for the search. */
  tenant_name_parts: { tenant_id: string; facility_id: string; part: string };
  user_tenants: { user_id: string; tenant_id: string; position: Generated<number> };
  sessions: {
    token_hash: Buffer;
    user_id: string;
    facility_id: string;
    created_at: Generated<Date>;
    last_seen_at: Generated<Date>;
    proof_key: Buffer | null;
    browser: string | null;
    kept_by: string | null;
    kept_until: Date | null;
    confirmed_at: Date | null;
  };
  passkeys: {
    id: string;
    user_id: string;
    credential_id: Buffer;
    public_key: Buffer;
    counter: number;
    is_synced: boolean;
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  };
  used_challenges: { challenge: Buffer; used_at: Date };
  account_lookups: {
    token_hash: Buffer;
    key: Buffer;
    facility_id: string;
    email: string;
    code_hash: Buffer;
    tries: Generated<number>;
    created_at: Date;
    verified_at: Date | null;
  };
  /** The ids in reach of the office, for its policies. */
  office_tenants: { id: string };
  tenant_notes: {
    id: string;
    tenant_id: string;
    text: string;
    by_name: string;
    created_at: Date;
    removed_at: Date | null;
    removed_by: Generated<string | null>;
    staff_id: string | null;
    by_role: StaffRole | null;
  };
  tenant_changes: {
    id: Generated<number>;
    tenant_id: string;
    user_id: string;
    changed_at: Date;
    part: TenantPart;
    /** JSON text on the way in; null for a license, which is sealed in the record. */
    value: ColumnType<unknown, string | null, never>;
  };
  calendar_feeds: { id: string; user_id: string; tenant_id: string; created_at: Date };
  limit_counts: { name: string; key: Buffer; count: number; ends_at: Date };
  sign_in_tries: { key: Buffer; account: Buffer; tries: number; next_at: Date };
  devices: { token_hash: Buffer; user_id: string; created_at: Date; last_used_at: Date };
  known_networks: { account: Buffer; network: Buffer; last_sign_in_at: Date };
};

/** What a tenant can change of a record by PATCH. */
export type TenantPart = 'license' | 'phone' | 'alternateContact';
