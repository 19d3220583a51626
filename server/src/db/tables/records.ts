import type { ImportRun } from '@gatehouse/contract/office/imports';
import type { ColumnType, Generated } from 'kysely';
import type { CalendarDate, Cents } from './values.ts';

export type RecordTables = {
  /** The operator's own ids of what was imported; `row_id` of an entry for a charge or payment. */
  external_ids: {
    facility_id: string;
    kind: ExternalKind;
    external_id: string;
    row_id: string;
  };
  /** The address that the operator's files said of a tenant when they were last taken over. */
  imported_tenants: { tenant_id: string; email: string };
  /** What the operator's files said of a rental when they were last taken over. */
  imported_ledgers: {
    ledger_id: string;
    rental_rate_cents: Cents;
    scheduled_rate_cents: Cents | null;
    scheduled_rate_on: CalendarDate | null;
    balance_cents: Cents;
    moved_out_on: CalendarDate | null;
  };
  /** What the columns of lease sheets hold, by their headings. */
  import_maps: {
    form_hash: string;
    columns: ColumnType<Record<string, string | null>, string, string>;
    kept_at: Date;
  };
  /** Imports of lease sheets in the office; `given` and `report` are sealed. */
  lease_imports: {
    id: string;
    staff_id: string;
    /** The import that this one undoes. */
    undoes: string | null;
    by_name: string;
    is_preview: boolean;
    given: string | null;
    report: string | null;
    state: ImportRun['state'];
    tries: Generated<number>;
    step: string | null;
    step_done: number | null;
    step_total: number | null;
    says: string | null;
    created_at: Date;
    ended_at: Date | null;
  };
  /** What an import has brought, by facility. */
  lease_import_places: {
    import_id: string;
    facility_id: string;
    leases: number;
    imported_at: Date;
    undone_at: Date | null;
  };
  /** What was done to accounts and shown of secrets; place and hash are the database's own. */
  audit_events: {
    id: Generated<number>;
    at: Date;
    kind: string;
    user_id: string | null;
    tenant_id: string | null;
    facility_id: string | null;
    ledger_id: string | null;
    account: Buffer | null;
    ip: string | null;
    request_id: string | null;
    staff_id: string | null;
    device: string | null;
    details: ColumnType<Record<string, string> | null, string | null, never>;
    position: Generated<number | null>;
    hash: Generated<Buffer | null>;
  };
  /** The head of the audit chain, which a trigger moves: one row. */
  audit_chain: {
    is_only: Generated<boolean>;
    position: Generated<number>;
    hash: Generated<Buffer>;
    base_position: Generated<number>;
    base_hash: Generated<Buffer>;
  };
  /** When each key was first given to a server; its id gives nothing of it away. */
  known_keys: { kind: 'data' | 'secret'; key_id: string; first_seen_at: Generated<Date> };
  backups: { id: Generated<number>; made_at: Date; place: string; rows: number; bytes: number };
};

/** What an imported id is the id of. */
type ExternalKind =
  | 'charge'
  | 'discount_plan'
  | 'document'
  | 'ledger'
  | 'payment'
  | 'payment_method'
  | 'plan_term'
  | 'private_policy'
  | 'protection_plan'
  | 'tenant';
