import type { Generated } from 'kysely';
import type { CalendarDate, Cents } from './values.ts';

export type OperatorTables = {
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
    /** As `weekHours` of the contract writes them; null where none are said. */
    office_hours: string | null;
    gate_hours: Generated<string>;
    gate_holidays: Generated<string>;
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
    payment_days_back: Generated<number>;
    /** The operator's own move-out form, an https address. */
    move_out_url: string | null;
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
    /** What a move-in is offered for; null: the rent of the last rental. */
    street_rate_cents: Cents | null;
    /** Why it cannot be let; null where it can. */
    out_of_service: string | null;
    name_key: Generated<string>;
    /** The import of the office that made it. */
    import_id: string | null;
  };
};

/** The order in which a payment settles charges: a facility setting. */
export type PaymentOrder = 'oldest_first' | 'rent_first' | 'fees_first';
/** How long a billed period is: a facility setting. */
export type BillingKind = 'anniversary' | 'first_of_month' | 'twenty_eight_days';
