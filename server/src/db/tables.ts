import type { ReminderKind } from '@gatehouse/contract/reminders';
import type { RequestEventKind } from '@gatehouse/contract/tracked-requests';
import type { PaperFileType, PaperKind } from '@gatehouse/contract/vehicle-papers';
import type { Language } from '@gatehouse/language/language';
import type { ColumnType, Generated, Selectable } from 'kysely';

/** Text `YYYY-MM-DD`; the driver is configured not to parse dates (D16). */
type CalendarDate = string;
/** Integer cents; `bigint` in the table, a safe integer here. */
type Cents = number;

/** The tables that the server reads and writes, as the migrations made them. */
export type Tables = {
  corporations: { id: Generated<string>; code: string; name: string };
  facilities: {
    id: Generated<string>;
    corporation_id: string;
    location_code: string;
    name: string;
    phone: string | null;
    email: string | null;
    street1: string;
    street2: string | null;
    city: string;
    region: string;
    postal_code: string;
    time_zone: string;
    payment_order: Generated<PaymentOrder>;
    card_fee_cents: Generated<Cents>;
    billing_kind: Generated<BillingKind>;
    rent_tax1_basis_points: Generated<number>;
    rent_tax2_basis_points: Generated<number>;
    insurance_tax1_basis_points: Generated<number>;
    insurance_tax2_basis_points: Generated<number>;
    late_fee_cents: Generated<Cents>;
    late_fee_after_days: Generated<number>;
    return_fee_cents: Generated<Cents>;
    rate_notice_days: Generated<number>;
    deposit_cents: Generated<Cents>;
    move_out_proration: Generated<boolean>;
    gate_grace_days: Generated<number>;
    gate_least_cents: Generated<Cents>;
    gate_waits_for_settlement: Generated<boolean>;
    least_payment_cents: Generated<Cents>;
    pay_once: Generated<boolean>;
    part_payments: Generated<boolean>;
    pay_ahead: Generated<boolean>;
    sends_reminders: Generated<boolean>;
    sends_texts: Generated<boolean>;
    /** The operator's own move-out form, an https address. */
    move_out_url: string | null;
  };
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
  /** Takes a share (basis points) or a sum off the rent; with neither, its terms are not known. */
  discount_plans: {
    id: Generated<string>;
    facility_id: string;
    name: string;
    basis_points: number | null;
    amount_cents: Cents | null;
    ended_on: CalendarDate | null;
  };
  protection_plans: {
    id: Generated<string>;
    facility_id: string;
    description: string;
    coverage_cents: Cents;
    premium_cents: Cents;
    ended_on: CalendarDate | null;
  };
  gate_schedules: { id: number; name: string };
  units: {
    id: Generated<string>;
    facility_id: string;
    name: string;
    width_feet: number;
    length_feet: number;
    type_name: string;
  };
  tenants: {
    id: Generated<string>;
    facility_id: string;
    first_name: string;
    last_name: string;
    email: string;
    phone: string | null;
    street1: string;
    street2: string | null;
    city: string;
    region: string;
    postal_code: string;
    /** Sealed (D25). */
    drivers_license_number: string | null;
    drivers_license_state: string | null;
    alternate_first_name: string | null;
    alternate_last_name: string | null;
    alternate_email: string | null;
    alternate_phone: string | null;
  };
  users: {
    id: Generated<string>;
    corporation_id: string;
    email: string;
    password_hash: string;
    disabled_at: Date | null;
    created_at: Generated<Date>;
    language: Language | null;
  };
  /** The rest of a name from each of its later words on, in lower case, for the search. */
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
  /** Digests of the gate codes that were shown in kept sessions. */
  shown_gate_codes: { token_hash: Buffer; ledger_id: string; digest: Buffer };
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
  /**
   * What was done to accounts and shown of secrets (D28); place and hash are the database's own.
   */
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
  mails: {
    id: Generated<string>;
    position: Generated<number>;
    to_address: string;
    subject: string;
    /** Sealed (D25); empty once deleted. `features/mail/bodies.ts` opens it. */
    text_body: string;
    html_body: string;
    created_at: Generated<Date>;
    sent_at: Date | null;
    body_until: Generated<Date>;
    paper_kind: 'receipt' | 'statement' | null;
    paper_id: string | null;
    kind: string;
    about: Generated<string>;
    tenant_id: string | null;
    /** Sealed (D25). */
    blocks: string | null;
    held_until: Date | null;
    decided_at: Date | null;
    merged_into: string | null;
    /** Not sent, and not to be sent; with `fault`, because it could not be delivered. */
    is_dropped: Generated<boolean>;
    language: Language;
    failing_since: Date | null;
    failing_as: string | null;
    fault: string | null;
  };
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
  ledgers: {
    id: Generated<string>;
    tenant_id: string;
    unit_id: string;
    rental_rate_cents: Cents;
    scheduled_rate_cents: Cents | null;
    scheduled_rate_on: CalendarDate | null;
    discount_plan_id: string | null;
    gate_schedule_id: number;
    moved_in_on: CalendarDate;
    /** Written by triggers alone. */
    rate_since: CalendarDate | null;
    moved_out_on: CalendarDate | null;
    balance_cents: Generated<Cents>;
    paid_through: CalendarDate;
    billing_day: number;
    billed_through: CalendarDate;
    is_taxed: Generated<boolean>;
    is_on_hold: Generated<boolean>;
    /** Staff have locked the unit. */
    overlocked_at: Date | null;
    /** The first day in this unit; null where that is the move-in. */
    unit_since: CalendarDate | null;
    transfer_unit_id: string | null;
    transfer_on: CalendarDate | null;
    /** The rent that was scheduled with the transfer for its day. */
    transfer_rate_cents: Cents | null;
    version: Generated<number>;
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
    /** Sealed (D25), both. */
    totp_secret: string | null;
    new_totp_secret: string | null;
    totp_step: Generated<number>;
    disabled_at: Date | null;
    last_sign_in_at: Date | null;
    created_at: Date;
  };
  staff_facilities: { staff_id: string; facility_id: string };
  staff_sessions: { token_hash: Buffer; staff_id: string; created_at: Date; last_seen_at: Date };
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
  /** The ids in reach of the office, for its policies. */
  office_tenants: { id: string };
  office_ledgers: { id: string };
  office_entries: { id: string };
  office_intents: { id: string };
  tenant_notes: {
    id: string;
    tenant_id: string;
    text: string;
    by_name: string;
    created_at: Date;
    removed_at: Date | null;
  };
  /** The holds that last now; one that was imported has no row. */
  rental_holds: {
    ledger_id: string;
    until_on: CalendarDate | null;
    by_name: string;
    why: string;
    created_at: Date;
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
  /** The access code is sealed (D25). */
  gate_codes: { ledger_id: string; access_code: string };
  gate_controllers: {
    facility_id: string;
    sequence: Generated<number>;
    target: string | null;
    is_whole_due: Generated<boolean>;
    next_at: Date;
    leased_until: Date | null;
    failures: Generated<number>;
    synced_at: Date;
  };
  gate_pushes: {
    unit_id: string;
    facility_id: string;
    unit_name: string;
    ledger_id: string;
    gate_schedule_id: number;
    is_suspended: boolean;
    code_digest: Buffer;
    pushed_at: Date;
  };
  vehicles: { ledger_id: string; license_plate: string; description: string };
  unit_contents: { ledger_id: string; contents: string };
  unit_contents_changes: {
    id: Generated<number>;
    ledger_id: string;
    user_id: string;
    changed_at: Date;
    contents: string;
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
  };
  envelope_statuses: { id: number; name: string };
  esign_documents: {
    id: Generated<string>;
    ledger_id: string;
    form_name: string;
    envelope_status_id: number;
  };
  entries: {
    id: Generated<string>;
    position: Generated<number>;
    ledger_id: string;
    kind: 'charge' | 'payment' | 'credit' | 'reversal';
    amount_cents: Cents;
    posted_on: CalendarDate;
    created_at: Generated<Date>;
  };
  charges: ChargesTable;
  /**
   * What is owed of each charge with something owed; the database's own triggers write it, and
   * everything reads it as `open_charges`.
   */
  owed_charges: {
    entry_id: string;
    ledger_id: string;
    owed_cents: Cents;
    facility_id: string;
    due_on: string;
    is_rent: boolean;
  };
  open_charges: Omit<ChargesTable, 'late_for'> & { position: number; owed_cents: Cents };
  allocations: {
    id: Generated<number>;
    credit_entry_id: string;
    charge_entry_id: string;
    amount_cents: Cents;
    reversal_entry_id: string | null;
  };
  reversals: {
    entry_id: string;
    payment_entry_id: string;
    ledger_id: string;
    reason: ReversalReason;
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
  };
  open_credits: { entry_id: string; ledger_id: string; position: number; left_cents: Cents };
  payment_methods: {
    id: Generated<string>;
    tenant_id: string;
    type: MethodType;
    /** Sealed (D25). */
    gateway_token: string;
    brand: string;
    last_four: string;
    routing_last_four: string | null;
    expires_on: string | null;
    holder_name: string | null;
    street_address: string | null;
    postal_code: string | null;
    created_at: Generated<Date>;
    funding: Generated<Funding>;
    refused_at: Date | null;
    fingerprint: string | null;
    token_version: Generated<number>;
  };
  autopays: {
    ledger_id: string;
    payment_method_id: string;
    active: boolean;
    updated_at: Generated<Date>;
    mandate_id: string | null;
  };
  mandates: {
    id: Generated<string>;
    ledger_id: string;
    user_id: string | null;
    payment_method_id: string;
    text_version: string;
    text: string;
    text_hash: Buffer;
    agreed_at: Date;
    ip: string | null;
    user_agent: string | null;
    fingerprint: string | null;
  };
  stopped_accounts: { fingerprint: string; return_code: string; stopped_at: Date };
  mandate_ends: {
    mandate_id: string;
    ended_at: Date;
    reason: MandateEnd;
    user_id: string | null;
  };
  autopay_items: {
    id: Generated<string>;
    ledger_id: string;
    due_on: CalendarDate;
    state: AutopayItemState;
    try_on: CalendarDate | null;
    first_try_on: CalendarDate | null;
    amount_cents: Cents | null;
    declines: Generated<number>;
    re_presentments: Generated<number>;
    note: string | null;
    created_at: Date;
    updated_at: Date;
  };
  autopay_updates: {
    user_id: string;
    idempotency_key: string;
    ledger_id: string;
    request_hash: Buffer;
    mandate_id: string | null;
    begun_at: Date | null;
    created_at: Date;
  };
  vehicle_papers: {
    id: string;
    ledger_id: string;
    /** The facility of the rental. */
    facility_id: string;
    kind: PaperKind;
    /** Sealed (D25). */
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
  /**
   * What a rental was reminded of, by which mail or text message, or by a mail after its text;
   * `place` is of the facts of one of them.
   */
  reminders: {
    ledger_id: string;
    kind: ReminderKind;
    about_on: CalendarDate;
    reminded_on: CalendarDate;
    amount_cents: Cents;
    mail_id: string | null;
    text_id: string | null;
    place: number;
  };
  /** Text messages; `body` is sealed (D25), and empty once deleted. Phones are E.164 here. */
  texts: {
    id: string;
    position: Generated<number>;
    tenant_id: string;
    to_phone: string;
    kind: TextKind;
    body: string;
    body_until: Date;
    state: Generated<TextState>;
    created_at: Date;
    tried_at: Date | null;
    failing_since: Date | null;
    provider_id: string | null;
    code: string | null;
  };
  text_codes: {
    tenant_id: string;
    user_id: string;
    phone: string;
    code_hash: Buffer;
    tries: Generated<number>;
    consent: string;
    ip: string;
    user_agent: string | null;
    created_at: Date;
  };
  text_consents: {
    id: string;
    tenant_id: string;
    user_id: string;
    phone: string;
    text: string;
    text_hash: Buffer;
    agreed_at: Date;
    confirmed_at: Date;
    ip: string | null;
    user_agent: string | null;
    renews: string | null;
  };
  text_consent_ends: {
    consent_id: string;
    ended_at: Date;
    reason: 'switched_off' | 'stopped' | 'phone_changed' | 'replaced';
    user_id: string | null;
  };
  /** What recipients answered; `body` of those that stop or start alone. */
  text_replies: {
    id: string;
    position: Generated<number>;
    from_phone: string;
    word: 'stop' | 'start' | 'help' | 'other';
    body: string | null;
    received_at: Date;
  };
  reminder_stops: { tenant_id: string; kind: ReminderKind; stopped_at: Date };
  /** The files that have a row, with their bytes. */
  kept_files: { file_key: string; bytes: number };
  card_warnings: { payment_method_id: string; days: 30 | 7; warned_at: Date };
  payment_intents: {
    id: Generated<string>;
    tenant_id: string;
    user_id: string | null;
    type: MethodType | CounterType;
    method_description: string;
    amount_cents: Cents;
    state: IntentState;
    idempotency_key: string | null;
    request_hash: Buffer | null;
    debt_key: Buffer;
    attempt: number;
    decline_message: string | null;
    receipt_number: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    initiator: Generated<'tenant' | 'autopay' | 'import' | 'staff'>;
    payment_method_id: string | null;
    autopay_item_id: string | null;
    told_at: Date | null;
    not_found: Generated<number>;
    looked_up_at: Date | null;
    is_hard_decline: boolean | null;
    return_code: string | null;
    fingerprint: string | null;
    method_expires_on: string | null;
    token_version: number | null;
  };
  payment_intent_ledgers: {
    intent_id: string;
    ledger_id: string;
    amount_cents: Cents;
    state: IntentState;
    gate_waits_for: GateWaitsFor | null;
  };
  /** Written by triggers alone. */
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
  /** Written by triggers alone; the sum of a facility's rows is what it has. */
  occupancy_changes: {
    id: Generated<number>;
    facility_id: string;
    units: number;
    rentals: number;
  };
  /** A view: what the sums of `occupancy_changes` must be. */
  reckoned_occupancy: { facility_id: string; units: number; rentals: number };
  /** Views: what `takings` must be, by the books; payments, and all else, apart. */
  reckoned_takings: ReckonedTakings;
  reckoned_payment_takings: ReckonedTakings;
  reckoned_other_takings: ReckonedTakings;
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
  calendar_feeds: { id: string; user_id: string; tenant_id: string; created_at: Date };
  /** `token_hash` is the digest of the link's token, which is stored nowhere. */
  pay_links: {
    id: string;
    ledger_id: string;
    token_hash: Buffer;
    amount_cents: Cents;
    through_position: number;
    by_name: string;
    created_at: Date;
    revoked_at: Date | null;
    revoked_by: string | null;
  };
  pay_link_payments: { intent_id: string; pay_link_id: string; idempotency_key: string };
  payments: {
    entry_id: string;
    intent_id: string;
    ledger_id: string;
    description: string;
    receipt_number: string;
  };
  requests: {
    id: Generated<string>;
    reference: Generated<string>;
    facility_id: string;
    tenant_id: string;
    ledger_id: string | null;
    user_id: string | null;
    kind: RequestKind;
    /** JSON text on the way in. */
    details: ColumnType<unknown, string, never>;
    image_id: string | null;
    idempotency_key: string | null;
    request_hash: Buffer | null;
    created_at: Generated<Date>;
    status: Generated<RequestStatus>;
    version: Generated<number>;
  };
  request_events: {
    id: Generated<string>;
    position: Generated<number>;
    request_id: string;
    kind: RequestEventKind;
    status: RequestStatus;
    text: string | null;
    via: 'portal' | 'server' | 'link' | 'cli' | 'office';
    author: string | null;
    form_id: string | null;
    created_at: Date;
  };
  webhook_deliveries: {
    event_id: string;
    begun_at: Date;
    tries: Generated<number>;
    fault: string | null;
    delivered_at: Date | null;
    dead_at: Date | null;
  };
  facility_recipients: {
    id: Generated<string>;
    facility_id: string;
    /** Null for every kind. */
    kind: RequestKind | null;
    address: string;
  };
  /** Who is mailed what at seven in the morning of a facility. */
  morning_recipients: {
    id: Generated<string>;
    facility_id: string;
    kind: 'morning_late' | 'morning_deposit' | 'morning_alarms';
    address: string;
  };
  morning_runs: { facility_id: string; on_day: CalendarDate; mails: number; created_at: Date };
  images: {
    id: Generated<string>;
    tenant_id: string;
    file_name: string | null;
    content_type: ImageType;
    bytes: number;
    width: number;
    height: number;
    file_key: string;
    created_at: Generated<Date>;
  };
  refunds: {
    id: Generated<string>;
    intent_id: string;
    /** The part that it is of; null for all parts of the capture. */
    payment_entry_id: string | null;
    amount_cents: Cents;
    state: 'submitted' | 'succeeded' | 'failed';
    reason: string;
    created_at: Date;
    updated_at: Date;
    way: Generated<RefundWay>;
    check_number: string | null;
    gateway_id: string | null;
    posted_cents: Cents | null;
    fault: string | null;
    receipt_number: Generated<string>;
  };
  disputes: {
    id: Generated<string>;
    gateway_id: string;
    intent_id: string;
    amount_cents: Cents;
    posted_cents: Cents;
    state: 'opened' | 'won' | 'lost';
    evidence_due_at: Date | null;
    opened_at: Date;
    created_at: Date;
    decided_at: Date | null;
  };
  dispute_parts: { reversal_entry_id: string; dispute_id: string; credit_entry_id: string | null };
  refund_parts: { reversal_entry_id: string; refund_id: string };
  gateway_customers: { tenant_id: string; customer: string; created_at: Generated<Date> };
  statements: {
    id: Generated<string>;
    number: Generated<string>;
    tenant_id: string;
    month: string;
    created_at: Date;
    entries_through: number;
    ledger_ids: string[];
    follows: string | null;
  };
  gateway_events: {
    id: string;
    type: string;
    reference: string | null;
    amount_cents: Cents | null;
    /** JSON text on the way in. */
    body: ColumnType<unknown, string, never>;
    received_at: Date;
    state: Generated<'new' | 'done' | 'parked'>;
    handled_at: Date | null;
    fault: string | null;
  };
  reconciliations: {
    id: Generated<string>;
    kind: 'open_intents' | 'daily';
    from_at: Date;
    to_at: Date;
    started_at: Date;
    finished_at: Date | null;
    compared: Generated<number>;
  };
  differences: {
    id: Generated<string>;
    reconciliation_id: string;
    class: DifferenceClass;
    reference: string;
    /** JSON text on the way in. */
    ours: ColumnType<unknown, string | null, never>;
    theirs: ColumnType<unknown, string | null, never>;
    found_at: Date;
  };
  gateway_payouts: {
    /** The gateway's own. */
    id: string;
    arrives_on: string;
    standing: 'underWay' | 'paid' | 'failed';
    listed_at: Date | null;
  };
  payout_payments: { intent_id: string; payout_id: string };
  limit_counts: { name: string; key: Buffer; count: number; ends_at: Date };
  sign_in_tries: { key: Buffer; account: Buffer; tries: number; next_at: Date };
  devices: { token_hash: Buffer; user_id: string; created_at: Date; last_used_at: Date };
  known_networks: { account: Buffer; network: Buffer; last_sign_in_at: Date };
  gateway_lines: {
    reconciliation_id: string;
    place: number;
    reference: string;
    amount_cents: Cents;
    standing: string;
    at: Date;
  };
  'sandbox_gateway.gate_units': {
    facility: string;
    unit_id: string;
    unit_name: string;
    gate_schedule_id: number;
    is_suspended: boolean;
    code_digest: Buffer;
    sequence: number;
  };
  'sandbox_gateway.methods': {
    token: string;
    type: string;
    last_four: string;
    behaviour: string;
    funding: Generated<Funding>;
    fingerprint: string | null;
  };
  'sandbox_gateway.refunds': {
    reference: string;
    charge_reference: string;
    amount_cents: Cents;
    created_at: Generated<Date>;
    is_outside: Generated<boolean>;
    outcome: Generated<'succeeded' | 'failed'>;
  };
  'sandbox_gateway.disputes': {
    id: string;
    charge_reference: string;
    amount_cents: Cents;
    standing: 'inquiry' | 'opened' | 'won' | 'lost';
    evidence_due_at: Date | null;
    created_at: Date;
  };
  'sandbox_gateway.charges': {
    reference: string;
    amount_cents: Cents;
    type: string;
    last_four: string;
    outcome: 'captured' | 'accepted' | 'declined' | 'voided';
    decline_message: string | null;
    created_at: Generated<Date>;
    return_code: string | null;
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

/** What an imported id is the id of. */
export type ExternalKind =
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
/** What a member of staff may do, each more than the one before. */
export type StaffRole = 'clerk' | 'manager' | 'owner';
/** What a tenant can change of a record by PATCH. */
export type TenantPart = 'license' | 'phone' | 'alternateContact';
/** A code for a number, what is said once it is confirmed, and a reminder. */
export type TextKind = 'code' | 'welcome' | 'reminder';
/**
 * Where a text message stands. `sending`: the provider was called and has not answered; `unknown`:
 * nor will it be known; `sent`: it took it.
 */
export type TextState =
  | 'waiting'
  | 'sending'
  | 'sent'
  | 'delivered'
  | 'refused'
  | 'unknown'
  | 'dropped';
/** What a message to staff is about: the spec's form types, and the move-out, which has none. */
export type RequestKind =
  | 'maintenance_request_form'
  | 'insurance_request'
  | 'request_gate_access_form'
  | 'resend_esign_documents_form'
  | 'request_tenant_update'
  | 'autopayCreditCardToAch'
  | 'notifyAchPayment'
  | 'move_out';
/** Where a message to staff stands. */
export type RequestStatus = 'new' | 'in_progress' | 'done';
/** What a photo is kept as. */
export type ImageType = 'image/jpeg' | 'image/webp';
export type MethodType = 'creditCard' | 'ach';
/** The counter's payment methods, in addition to those of a gateway. */
export type CounterType = 'cash' | 'check' | 'moneyOrder';

type ReckonedTakings = {
  entry_id: string;
  ledger_id: string;
  facility_id: string;
  posted_on: string;
  type: string;
  via: string | null;
  reason: string | null;
  intent_id: string;
  payout_id: string | null;
  cents: Cents;
};

export type ChargeCategory = 'rent' | 'service' | 'insurance' | 'fee' | 'deposit';
/** The order in which a payment settles charges: a facility setting (domain.md section 5). */
export type PaymentOrder = 'oldest_first' | 'rent_first' | 'fees_first';
/**
 * Where an attempt at a capture stands (D4); `submitted` and `unknown` are open: the gateway may
 * have captured.
 */
export type IntentState =
  | 'submitted'
  | 'unknown'
  | 'succeeded'
  | 'pending'
  | 'settled'
  | 'declined'
  | 'never_sent'
  | 'returned';
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
/** How long a billed period is (domain.md section 5): a facility setting. */
export type BillingKind = 'anniversary' | 'first_of_month' | 'twenty_eight_days';
/** What kind of money a card moves; the card fee is for credit alone. */
export type Funding = 'credit' | 'debit' | 'prepaid' | 'unknown';
/**
 * Why a gate waits for a bank payment to settle: the unit was locked out when it was paid, or an
 * earlier bank payment of the tenant was returned.
 */
export type GateWaitsFor = 'lockout' | 'return';

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
export type MandateEnd = 'replaced' | 'switched_off' | 'returned' | 'moved_out' | 'disputed';
/** How a refund is given back; `dashboard`: in the gateway's own, not by us. */
export type RefundWay = 'gateway' | 'dashboard' | 'cash' | 'check';
export type AutopayItemState = 'waiting' | 'trying' | 'paid' | 'skipped' | 'failed';
/** How our books and the gateway's list can differ (D9). */
export type DifferenceClass =
  | 'gateway_only'
  | 'ledger_only'
  | 'amount'
  | 'status'
  | 'duplicate'
  | 'refund'
  | 'dispute';
export type FacilityRow = Selectable<Tables['facilities']>;
