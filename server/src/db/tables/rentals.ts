import type { Strokes } from '@gatehouse/contract/signing';
import type { PaperFileType, PaperKind } from '@gatehouse/contract/vehicle-papers';
import type { ColumnType, Generated } from 'kysely';
import type { CalendarDate, Cents } from './values.ts';

export type RentalTables = {
  ledgers: {
    id: Generated<string>;
    /** Null only of an import that was undone, as `unit_id`. */
    tenant_id: string | null;
    unit_id: string | null;
    /** The import of the office that made it. */
    import_id: string | null;
    rental_rate_cents: Cents;
    scheduled_rate_cents: Cents | null;
    scheduled_rate_on: CalendarDate | null;
    discount_plan_id: string | null;
    gate_schedule_id: number;
    moved_in_on: CalendarDate;
    rate_since: CalendarDate | null;
    moved_out_on: CalendarDate | null;
    balance_cents: Generated<Cents>;
    paid_through: CalendarDate;
    billing_day: number;
    billed_through: CalendarDate;
    /** No open charge is due before it; null where nothing is owed. */
    owed_since: CalendarDate | null;
    is_taxed: Generated<boolean>;
    /** What `is_taxed` is for bills that are due on that day or later. */
    scheduled_tax: boolean | null;
    scheduled_tax_on: CalendarDate | null;
    is_on_hold: Generated<boolean>;
    /** Nothing is done before this day because the rental is late. */
    late_from: CalendarDate | null;
    /** Staff have locked the unit. */
    overlocked_at: Date | null;
    /** The first day in this unit; null where that is the move-in. */
    unit_since: CalendarDate | null;
    transfer_unit_id: string | null;
    transfer_on: CalendarDate | null;
    /** The rent that was scheduled with the transfer for its day. */
    transfer_rate_cents: Cents | null;
    version: Generated<number>;
    /** The ended ledger of the tenant before. */
    continues_ledger_id: string | null;
  };
  /** A move-out that staff have entered; `settled_at` once its settlement is posted. */
  move_outs: {
    ledger_id: string;
    credit: 'refund' | 'keep';
    planned_at: Date;
    settled_at: Date | null;
    /** What the settlement came to, as it was mailed. */
    statement: ColumnType<FinalSums | null, string | undefined, string>;
  };
  /** Where a ledger was before a transfer; `until_on` is the first day in the next unit. */
  past_units: {
    ledger_id: string;
    unit_id: string;
    from_on: CalendarDate;
    until_on: CalendarDate;
    left_at: Date;
  };
  /** The days on which a rental has each of its units, as a `daterange`. */
  unit_days: { ledger_id: string; unit_id: string; days: string };
  office_ledgers: { id: string };
  /** The holds that last now; one that was imported has no row. */
  rental_holds: {
    ledger_id: string;
    until_on: CalendarDate | null;
    by_name: string;
    why: string;
    created_at: Date;
  };
  /** The first vehicle or vessel of a rental; kind and number are in its `unit_contents`. */
  vehicles: {
    id: Generated<string>;
    ledger_id: string;
    license_plate: string;
    description: string;
    plate_key: Generated<string>;
  };
  /** The others of a rental. */
  further_vehicles: {
    id: Generated<string>;
    ledger_id: string;
    contents: string;
    license_plate: string;
    description: string;
    plate_key: Generated<string>;
    created_at: Generated<Date>;
  };
  /** All of a rental; `further_id` is null of the first. */
  rental_vehicles: {
    id: string;
    ledger_id: string;
    further_id: string | null;
    license_plate: string;
    description: string;
    plate_key: string;
  };
  unit_contents: { ledger_id: string; contents: string };
  unit_contents_changes: {
    id: Generated<number>;
    ledger_id: string;
    user_id: string;
    changed_at: Date;
    contents: string;
  };
  ledger_protection_plans: {
    id: Generated<string>;
    ledger_id: string;
    protection_plan_id: string;
    starts_on: CalendarDate;
    ends_on: CalendarDate | null;
    user_id: string | null;
    created_at: Generated<Date>;
  };
  private_policies: {
    id: Generated<string>;
    ledger_id: string;
    company: string;
    policy_number: string;
    coverage_cents: Cents | null;
    starts_on: CalendarDate;
    ends_on: CalendarDate | null;
    user_id: string | null;
    created_at: Generated<Date>;
    replaced_at: Date | null;
    decided_at: Date | null;
    decided_by: string | null;
    /** Why it was refused, for the tenant. */
    refusal: string | null;
  };
  envelope_statuses: { id: number; name: string };
  esign_documents: {
    id: Generated<string>;
    ledger_id: string;
    form_name: string;
    envelope_status_id: number;
    /** Null of what is not signed here, as the rest is. */
    form_id: string | null;
    body: string | null;
    made_at: Date | null;
    ends_at: Date | null;
    voided_at: Date | null;
    file_key: string | null;
    file_hash: Buffer | null;
    bytes: number | null;
    pdf_key: string | null;
    pdf_hash: Buffer | null;
    pdf_bytes: number | null;
  };
  document_forms: {
    id: Generated<string>;
    facility_id: string;
    name: string;
    body: string;
    /** Of a PDF; null of a text. */
    pages: number | null;
    pdf: Buffer | null;
    is_at_move_in: boolean;
    second_name: string | null;
    second_email: string | null;
    created_at: Date;
    by_name: string;
    retired_at: Date | null;
    retired_by: string | null;
  };
  document_signers: {
    id: Generated<string>;
    document_id: string;
    /** 1 of the tenant, who signs first. */
    position: 1 | 2;
    name: string;
    email: string;
    linked_at: Date | null;
    consented_at: Date | null;
    consent: string | null;
    signed_at: Date | null;
    signed_name: string | null;
    strokes: ColumnType<Strokes | null, string | null | undefined, string | null>;
    declined_at: Date | null;
    decline_reason: string | null;
  };
  document_events: {
    id: Generated<number>;
    document_id: string;
    at: Date;
    kind: DocumentEventKind;
    who: string;
    via: 'link' | 'portal' | null;
    ip: string | null;
    device: string | null;
  };
  vehicle_papers: {
    id: string;
    ledger_id: string;
    /** Of `further_vehicles`; null of the first. */
    vehicle_id: string | null;
    /** The facility of the rental. */
    facility_id: string;
    kind: PaperKind;
    /** Sealed. */
    number: string;
    expires_on: CalendarDate;
    file_name: string | null;
    content_type: PaperFileType;
    bytes: number;
    file_key: string;
    user_id: string | null;
    created_at: Date;
    replaced_at: Date | null;
  };
  vehicle_paper_reminders: { paper_id: string; days: 60 | 30 | 7; reminded_at: Date };
};

export type DocumentEventKind =
  | 'made'
  | 'mailed'
  | 'resent'
  | 'consented'
  | 'signed'
  | 'declined'
  | 'completed'
  | 'voided';

/** The sums of a final statement, in cents; `lines` are below 0 in the tenant's favour. */
export type FinalSums = {
  beforeCents: Cents;
  lines: { description: string; cents: Cents }[];
  balanceCents: Cents;
  /** Goes back to the cards and accounts that it came from. */
  refundedCents: Cents;
  /** Is given back by the facility, not by a card. */
  byHandCents: Cents;
};
