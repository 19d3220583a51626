import type { ColumnType, Generated } from 'kysely';
import type { CalendarDate, Cents } from './values.ts';

export type PaymentTables = {
  office_intents: { id: string };
  payment_methods: {
    id: Generated<string>;
    tenant_id: string;
    type: MethodType;
    /** Sealed. */
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
    through_position: number | null;
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
  card_warnings: { payment_method_id: string; days: 30 | 7; warned_at: Date };
  payment_intents: {
    id: Generated<string>;
    tenant_id: string | null;
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
  refunds: {
    id: Generated<string>;
    /** The payment that it is of; null of the open credits of a ledger, which is named then. */
    intent_id: string | null;
    ledger_id: string | null;
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
  gateway_lines: {
    reconciliation_id: string;
    place: number;
    reference: string;
    amount_cents: Cents;
    standing: string;
    at: Date;
  };
};

export type MethodType = 'creditCard' | 'ach';
/** The counter's payment methods, in addition to those of a gateway. */
export type CounterType = 'cash' | 'check' | 'moneyOrder';
/**
 * The state of an attempt at a capture; `submitted` and `unknown` are open: the gateway may have
 * captured.
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
/** What kind of money a card moves; the card fee is for credit only. */
export type Funding = 'credit' | 'debit' | 'prepaid' | 'unknown';
/**
 * Why a gate waits for a bank payment to settle: the unit was locked out when it was paid, or an
 * earlier bank payment of the tenant was returned.
 */
export type GateWaitsFor = 'lockout' | 'return';
export type MandateEnd = 'replaced' | 'switched_off' | 'returned' | 'moved_out' | 'disputed';
/** How a refund is given back; `dashboard`: in the gateway's own, not by us. */
type RefundWay = 'gateway' | 'dashboard' | 'cash' | 'check';
type AutopayItemState = 'waiting' | 'trying' | 'paid' | 'skipped' | 'failed';
/** How our books and the gateway's list can differ. */
export type DifferenceClass =
  | 'gateway_only'
  | 'ledger_only'
  | 'amount'
  | 'status'
  | 'duplicate'
  | 'refund'
  | 'dispute';
