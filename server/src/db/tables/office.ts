import type { ColumnType, Generated } from 'kysely';
import type { CounterType, MethodType } from './payments.ts';
import type { CalendarDate, Cents } from './values.ts';

/** A late letter as it is printed; `from` and `to` are lines. */
export type Letter = {
  from: string[];
  to: string[];
  /** The facility's day. */
  on: string;
  subject: string;
  text: string;
  units: { unitName: string; since: string; cents: number }[];
};

export type OfficeTables = {
  alarms: {
    id: Generated<string>;
    kind: string;
    key: string;
    facility_id: string | null;
    ledger_id: Generated<string | null>;
    sentence: string;
    /** JSON text on the way in. */
    facts: ColumnType<unknown, string, never>;
    raised_at: Date;
    closed_at: Date | null;
    closed_by: string | null;
    closed_why: string | null;
  };
  /** What staff did, under the key of its caller: repeated, it answers the same again. */
  staff_actions: {
    key: string;
    verb: string;
    request_hash: Buffer;
    by_name: string;
    why: string;
    facility_id: string | null;
    staff_id: string | null;
    ip: string | null;
    device: string | null;
    at: Date;
    /** JSON text on the way in. */
    answer: ColumnType<unknown, string | null, string>;
  };
  /** Who signs in to the office; without a password the invitation is not accepted yet. */
  staff_members: {
    id: Generated<string>;
    corporation_id: string;
    email: string;
    name: string | null;
    role: StaffRole;
    is_for_all: Generated<boolean>;
    password_hash: string | null;
    /** Sealed, both. */
    totp_secret: string | null;
    new_totp_secret: string | null;
    totp_step: Generated<number>;
    disabled_at: Date | null;
    last_sign_in_at: Date | null;
    created_at: Date;
  };
  staff_facilities: { staff_id: string; facility_id: string };
  staff_sessions: {
    token_hash: Buffer;
    staff_id: string;
    created_at: Date;
    last_seen_at: Date;
    browser: Generated<string | null>;
    ip: Generated<string | null>;
  };
  staff_devices: { token_hash: Buffer; staff_id: string; created_at: Date; last_used_at: Date };
  staff_invitations: { token_hash: Buffer; staff_id: string; created_at: Date };
  staff_passkeys: {
    id: string;
    staff_id: string;
    credential_id: Buffer;
    public_key: Buffer;
    counter: number;
    is_synced: boolean;
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  };
  /** Mails to who is late: one a tenant record and day. */
  late_notices: {
    tenant_id: string;
    on_day: CalendarDate;
    subject: string;
    owed_cents: Cents;
    by_name: string;
    created_at: Date;
  };
  /** Printed late letters: one a tenant record and day. */
  late_letters: {
    tenant_id: string;
    on_day: CalendarDate;
    printing_id: string;
    /** JSON text on the way in. */
    letter: ColumnType<Letter, string, never>;
    owed_cents: Cents;
    by_name: string;
    created_at: Date;
  };
  late_templates: {
    id: string;
    facility_id: string;
    name: string;
    subject: string;
    text: string;
    by_name: string;
    created_at: Date;
    removed_at: Date | null;
  };
  /** Changes of settings; one with a later day waits for the facility's day. */
  facility_changes: {
    id: string;
    facility_id: string;
    /** JSON text on the way in. */
    changes: ColumnType<unknown, string, never>;
    on_day: CalendarDate;
    by_name: string;
    why: string;
    created_at: Date;
    applied_at: Date | null;
    cancelled_at: Date | null;
  };
  /** A view: what came in and went back, by the entries. */
  takings: {
    entry_id: string;
    facility_id: string;
    posted_on: string;
    type: MethodType | CounterType;
    via: 'gateway' | 'counter' | 'import' | 'dispute' | null;
    reason: string | null;
    intent_id: string;
    payout_id: string | null;
    cents: Cents;
  };
  drawer_entries: {
    entry_id: string;
    facility_id: string;
    deposit_on: string;
    type: CounterType;
    cents: Cents;
    staff_id: string | null;
    by_name: string | null;
  };
  drawer_closings: {
    facility_id: string;
    on_day: string;
    staff_id: string;
    by_name: string;
    why: string;
    closed_at: Date;
  };
  drawer_counts: {
    facility_id: string;
    on_day: string;
    type: CounterType;
    count: number;
    expected_cents: Cents;
    counted_cents: Cents;
  };
  /** Who is mailed what at seven in the morning of a facility. */
  morning_recipients: {
    id: Generated<string>;
    facility_id: string;
    kind: 'morning_late' | 'morning_deposit' | 'morning_alarms';
    address: string;
  };
  morning_runs: { facility_id: string; on_day: CalendarDate; mails: number; created_at: Date };
};

/** What a member of staff may do, each more than the one before. */
export type StaffRole = 'clerk' | 'manager' | 'owner';
