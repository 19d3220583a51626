import type { ColumnType, Generated } from 'kysely';
import type { CalendarDate, Cents } from './values.ts';

export type BookTables = {
  billing_runs: {
    id: Generated<string>;
    facility_id: string;
    run_on: CalendarDate;
    started_at: Date;
    finished_at: Date | null;
    /** When the day's reminders were queued. */
    reminded_at: ColumnType<Date | null, Date | null | undefined>;
  };
  billed_periods: {
    ledger_id: string;
    due_on: CalendarDate;
    period_end: CalendarDate;
    rate_cents: Cents;
    posted_at: Date;
  };
  rate_notices: {
    id: Generated<string>;
    ledger_id: string;
    from_cents: Cents;
    to_cents: Cents;
    effective_on: CalendarDate;
    mail_id: string;
    created_at: Date;
    /** Null for the last notice of its ledger. */
    replaced_at: Date | null;
  };
  rate_changes: {
    id: Generated<string>;
    ledger_id: string;
    rate_notice_id: string;
    from_cents: Cents;
    to_cents: Cents;
    effective_on: CalendarDate;
    applied_on: CalendarDate;
  };
  office_entries: { id: string };
  entries: {
    id: Generated<string>;
    position: Generated<number>;
    ledger_id: string;
    facility_id: string;
    kind: 'charge' | 'payment' | 'credit' | 'reversal';
    amount_cents: Cents;
    posted_on: CalendarDate;
    created_at: Generated<Date>;
  };
  charges: ChargesTable;
  /** A view: what is owed of each charge with something owed. */
  open_charges: Omit<ChargesTable, 'late_for'> & { position: number; owed_cents: Cents };
  allocations: {
    id: Generated<number>;
    credit_entry_id: string;
    charge_entry_id: string;
    amount_cents: Cents;
    reversal_entry_id: string | null;
    made_on: CalendarDate | null;
  };
  /** A view: each allocation with the day from which it counts. */
  dated_allocations: {
    credit_entry_id: string;
    charge_entry_id: string;
    amount_cents: Cents;
    counts_on: string;
    reversal_entry_id: string | null;
  };
  reversals: {
    entry_id: string;
    payment_entry_id: string;
    ledger_id: string;
    reason: ReversalReason;
    description: string;
    owed_on: CalendarDate | null;
  };
  /** A charge of what went back of a payment that had less left. */
  owed_again: {
    entry_id: string;
    payment_entry_id: string;
    ledger_id: string;
    reason: Exclude<ReversalReason, 'moved' | 'correction'>;
    description: string;
  };
  taken_back: {
    entry_id: string;
    payment_entry_id: string;
    ledger_id: string;
    reason: ReversalReason;
    description: string;
  };
  /**
   * What went back of a payment by `taken_back`, and below 0 what counts again since a dispute was
   * won.
   */
  money_back: {
    payment_entry_id: string;
    position: number;
    posted_on: string;
    created_at: Date;
    cents: number;
    reason: string;
    description: string;
  };
  /**
   * `charge_entry_id` of a waiver: the charge that it falls on, with the part of the waiver that is
   * tax.
   */
  credits: {
    entry_id: string;
    ledger_id: string;
    description: string;
    charge_entry_id: string | null;
    tax1_cents: Generated<Cents>;
    tax2_cents: Generated<Cents>;
    moved_by: string | null;
    /** Of a waiver: what the tenant will not pay. */
    is_write_off: Generated<boolean>;
    /** Of a waiver: what another tenant is charged instead. */
    is_assigned: Generated<boolean>;
  };
  journal_accounts: { corporation_id: string; account: string; number: string; name: string };
  /** The months of a facility that the journal has closed, with all before them. */
  closed_months: {
    facility_id: string;
    last_day: CalendarDate;
    entries_through: number;
    allocations_through: number;
    by_name: string;
    why: string;
    closed_at: Date;
  };
  open_credits: { entry_id: string; ledger_id: string; position: number; left_cents: Cents };
  statements: {
    id: Generated<string>;
    number: Generated<string>;
    tenant_id: string;
    /** Null for one of the days of `first_on` to `last_on`. */
    month: string | null;
    first_on: CalendarDate | null;
    last_on: CalendarDate | null;
    created_at: Date;
    entries_through: number;
    ledger_ids: string[];
    follows: string | null;
  };
};

type ChargesTable = {
  entry_id: string;
  ledger_id: string;
  category: ChargeCategory;
  description: string;
  due_on: CalendarDate;
  period_end: CalendarDate | null;
  price_cents: Cents;
  discount_cents: Generated<Cents>;
  tax1_cents: Generated<Cents>;
  tax2_cents: Generated<Cents>;
  late_for: string | null;
};
export type ChargeCategory = 'rent' | 'service' | 'insurance' | 'fee' | 'deposit';
/**
 * `nsf`: a check that bounced; `moved`: an open credit that went to another ledger; `correction`:
 * as an import said it.
 */
export type ReversalReason =
  | 'return'
  | 'refund'
  | 'correction'
  | 'nsf'
  | 'chargeback'
  | 'mistake'
  | 'moved';
/** Why a payment was taken back, or how the dispute ended that took it. */
export type TakenBackReason = ReversalReason | 'won' | 'lost';
