import type { ColumnType, Generated, Selectable } from 'kysely';

/** Text `YYYY-MM-DD`; the driver is told to leave dates alone (D16). */
type CalendarDate = string;
/** Integer cents; `bigint` in the table, a safe integer here. */
type Cents = number;
type Instant = ColumnType<Date, Date | undefined, Date>;

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
  };
  discount_plans: { id: Generated<string>; facility_id: string; name: string };
  protection_plans: {
    id: Generated<string>;
    facility_id: string;
    description: string;
    coverage_cents: Cents;
    premium_cents: Cents;
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
    disabled_at: Instant | null;
    created_at: Instant;
  };
  user_tenants: { user_id: string; tenant_id: string; position: Generated<number> };
  sessions: {
    token_hash: Buffer;
    user_id: string;
    facility_id: string;
    created_at: Instant;
    last_seen_at: Instant;
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
    moved_out_on: CalendarDate | null;
    balance_cents: Generated<Cents>;
    paid_through: CalendarDate;
  };
  gate_codes: { ledger_id: string; access_code: string };
  vehicles: { ledger_id: string; license_plate: string; description: string };
  unit_contents: { ledger_id: string; contents: string };
  ledger_insurance: {
    ledger_id: string;
    protection_plan_id: string | null;
    policy_company: string | null;
    policy_number: string | null;
    coverage_cents: Cents | null;
    starts_on: CalendarDate;
    ends_on: CalendarDate | null;
  };
  envelope_statuses: { id: number; name: string };
  esign_documents: { id: Generated<string>; ledger_id: string; form_name: string; envelope_status_id: number };
  entries: {
    id: Generated<string>;
    position: Generated<number>;
    ledger_id: string;
    kind: 'charge' | 'payment' | 'credit' | 'reversal';
    amount_cents: Cents;
    posted_on: CalendarDate;
    created_at: Instant;
  };
  charges: ChargesTable;
  open_charges: ChargesTable & { position: number; owed_cents: Cents };
  allocations: {
    id: Generated<number>;
    credit_entry_id: string;
    charge_entry_id: string;
    amount_cents: Cents;
  };
  payment_methods: {
    id: Generated<string>;
    tenant_id: string;
    type: MethodType;
    gateway_token: string;
    brand: string;
    last_four: string;
    routing_last_four: string | null;
    expires_on: string | null;
    holder_name: string | null;
    street_address: string | null;
    postal_code: string | null;
    created_at: Instant;
  };
  autopays: { ledger_id: string; payment_method_id: string; active: boolean; updated_at: Instant };
  payment_intents: {
    id: Generated<string>;
    tenant_id: string;
    user_id: string | null;
    type: MethodType;
    method_description: string;
    amount_cents: Cents;
    state: IntentState;
    idempotency_key: string | null;
    request_hash: Buffer | null;
    debt_key: Buffer;
    attempt: number;
    decline_message: string | null;
    receipt_number: string | null;
    created_at: Instant;
    updated_at: Instant;
  };
  payment_intent_ledgers: { intent_id: string; ledger_id: string; amount_cents: Cents; state: IntentState };
  payments: {
    entry_id: string;
    intent_id: string;
    ledger_id: string;
    description: string;
    receipt_number: string;
  };
  'sandbox_gateway.methods': { token: string; type: string; last_four: string; behaviour: string };
  'sandbox_gateway.charges': {
    reference: string;
    amount_cents: Cents;
    type: string;
    last_four: string;
    outcome: 'captured' | 'accepted' | 'declined' | 'voided';
    decline_message: string | null;
    created_at: Instant;
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
};

export type MethodType = 'creditCard' | 'ach';
export type ChargeCategory = 'rent' | 'service' | 'insurance' | 'fee';
/** The order in which a payment settles charges: a facility setting (domain.md section 5). */
export type PaymentOrder = 'oldest_first' | 'rent_first' | 'fees_first';
/** Where an attempt at a capture stands (D4); `submitted` and `unknown` are open: the gateway may have captured. */
export type IntentState =
  'submitted' | 'unknown' | 'succeeded' | 'pending' | 'settled' | 'declined' | 'never_sent' | 'returned';
export type FacilityRow = Selectable<Tables['facilities']>;
