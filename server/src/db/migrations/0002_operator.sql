-- The operator, its facilities, and what they offer.

-- The companies that operate facilities.
CREATE TABLE corporations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code text NOT NULL UNIQUE,
  name text NOT NULL
);
GRANT SELECT ON corporations TO gatehouse_app, gatehouse_office;

-- The locations, and what each bills and how. A tax or fee of 0 is none.
CREATE TABLE facilities (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  corporation_id uuid NOT NULL REFERENCES corporations,
  location_code text NOT NULL,
  name text NOT NULL,
  phone text,
  email text,
  street1 text NOT NULL,
  street2 text,
  city text NOT NULL,
  region text NOT NULL CHECK (region ~ '^[A-Z]{2}$'),
  postal_code text NOT NULL,
  time_zone text NOT NULL,
  payment_order text NOT NULL DEFAULT 'oldest_first'
    CHECK (payment_order IN ('oldest_first', 'rent_first', 'fees_first')),
  card_fee_cents bigint NOT NULL DEFAULT 0 CHECK (card_fee_cents >= 0),
  move_out_url text CHECK (move_out_url ~ '^https://'),
  billing_kind text NOT NULL DEFAULT 'anniversary'
    CHECK (billing_kind IN ('anniversary', 'first_of_month', 'twenty_eight_days')),
  rent_tax1_basis_points integer NOT NULL DEFAULT 0
    CHECK (rent_tax1_basis_points BETWEEN 0 AND 10000),
  rent_tax2_basis_points integer NOT NULL DEFAULT 0
    CHECK (rent_tax2_basis_points BETWEEN 0 AND 10000),
  insurance_tax1_basis_points integer NOT NULL DEFAULT 0
    CHECK (insurance_tax1_basis_points BETWEEN 0 AND 10000),
  insurance_tax2_basis_points integer NOT NULL DEFAULT 0
    CHECK (insurance_tax2_basis_points BETWEEN 0 AND 10000),
  late_fee_cents bigint NOT NULL DEFAULT 0 CHECK (late_fee_cents >= 0),
  late_fee_after_days integer NOT NULL DEFAULT 5 CHECK (late_fee_after_days > 0),
  return_fee_cents bigint NOT NULL DEFAULT 0 CHECK (return_fee_cents >= 0),
  rate_notice_days integer NOT NULL DEFAULT 30 CHECK (rate_notice_days >= 10),
  deposit_cents bigint NOT NULL DEFAULT 0 CHECK (deposit_cents >= 0),
  move_out_proration boolean NOT NULL DEFAULT false,
  gate_grace_days integer NOT NULL DEFAULT 0 CHECK (gate_grace_days >= 0),
  gate_least_cents bigint NOT NULL DEFAULT 1 CHECK (gate_least_cents > 0),
  least_payment_cents bigint NOT NULL DEFAULT 100 CHECK (least_payment_cents > 0),
  gate_waits_for_settlement boolean NOT NULL DEFAULT false,
  pay_once boolean NOT NULL DEFAULT true,
  part_payments boolean NOT NULL DEFAULT false,
  pay_ahead boolean NOT NULL DEFAULT false,
  sends_reminders boolean NOT NULL DEFAULT false,
  sends_texts boolean NOT NULL DEFAULT false,
  UNIQUE (corporation_id, location_code)
);
COMMENT ON COLUMN facilities.card_fee_cents IS
  'billed with each period while autopay charges a credit card; 0 is off';
COMMENT ON COLUMN facilities.late_fee_cents IS
  'posted once a rent period that is still open after late_fee_after_days; 0 is off';
COMMENT ON COLUMN facilities.return_fee_cents IS
  'posted once a bank payment that is returned; 0 is off';
COMMENT ON COLUMN facilities.rate_notice_days IS
  'how many days before a rate change its notice must have been mailed';
COMMENT ON COLUMN facilities.deposit_cents IS
  'charged at a move-in and given back at the move-out; 0 is off';
COMMENT ON COLUMN facilities.move_out_proration IS
  'whether rent of the days after a move-out is given back';
COMMENT ON COLUMN facilities.gate_grace_days IS
  'a unit is suspended this many days after what it owes was due, posted or opened again, '
  'whichever is last; 0 is at once';
COMMENT ON COLUMN facilities.gate_least_cents IS 'a unit is suspended from this sum owed on';
COMMENT ON COLUMN facilities.least_payment_cents IS
  'the least part of a unit''s balance that a tenant may pay';
COMMENT ON COLUMN facilities.gate_waits_for_settlement IS
  'a bank payment after a lock-out, or after an earlier return, opens the gate once it has '
  'settled; off: at once';
COMMENT ON COLUMN facilities.sends_reminders IS
  'mails tenants about rent that is due and a gate that is about to be suspended; off until the '
  'operator says so';
COMMENT ON COLUMN facilities.sends_texts IS
  'sends reminders by text message to tenants who have agreed';
COMMENT ON COLUMN facilities.part_payments IS
  'whether the portal offers to pay a part of what is owed';
COMMENT ON COLUMN facilities.pay_ahead IS
  'whether the portal offers to pay bills before they are due';
COMMENT ON COLUMN facilities.move_out_url IS
  'the operator''s own move-out form, to which the portal points';
COMMENT ON COLUMN facilities.pay_once IS 'whether tenants may pay without switching autopay on';
GRANT SELECT ON facilities TO gatehouse_app, gatehouse_office;
GRANT UPDATE (phone, email, payment_order, card_fee_cents, rent_tax1_basis_points,
  rent_tax2_basis_points, insurance_tax1_basis_points, insurance_tax2_basis_points, late_fee_cents,
  late_fee_after_days, return_fee_cents, rate_notice_days, deposit_cents, move_out_proration,
  gate_grace_days, gate_least_cents, least_payment_cents, gate_waits_for_settlement, pay_once,
  part_payments, pay_ahead, sends_reminders, sends_texts) ON facilities TO gatehouse_work;

-- Discounts on the rent: a share or a sum, before tax. One that has ended bills nothing any more.
CREATE TABLE discount_plans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  name text NOT NULL,
  basis_points integer CHECK (basis_points BETWEEN 1 AND 10000),
  amount_cents bigint CHECK (amount_cents > 0),
  ended_on date,
  CHECK (num_nonnulls(basis_points, amount_cents) <= 1)
);
CREATE INDEX ON discount_plans (facility_id);
GRANT SELECT ON discount_plans TO gatehouse_app, gatehouse_office;

-- The insurance that a facility offers by the month. One that has ended bills nothing any more.
CREATE TABLE protection_plans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  description text NOT NULL,
  coverage_cents bigint NOT NULL CHECK (coverage_cents > 0),
  premium_cents bigint NOT NULL CHECK (premium_cents >= 0),
  ended_on date
);
CREATE INDEX ON protection_plans (facility_id);
GRANT SELECT ON protection_plans TO gatehouse_app, gatehouse_office;

-- The specification's "time zones": when a gate code opens the gate, not a clock's zone.
CREATE TABLE gate_schedules (
  id integer PRIMARY KEY,
  name text NOT NULL
);
GRANT SELECT ON gate_schedules TO gatehouse_app, gatehouse_office;

INSERT INTO gate_schedules VALUES (0, 'Business Hours'), (1, 'Business Hours'), (2, '24 Hours');

-- What a facility rents.
CREATE TABLE units (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  name text NOT NULL,
  width_feet integer NOT NULL CHECK (width_feet > 0),
  length_feet integer NOT NULL CHECK (length_feet > 0),
  type_name text NOT NULL,
  UNIQUE (facility_id, name)
);
CREATE INDEX units_by_name ON units (lower(name));
CREATE INDEX units_here_by_name ON units (facility_id, lower(name));
-- The units of all facilities by size, as the office lists them.
CREATE INDEX units_by_size
  ON units (((width_feet * length_feet)::bigint), (width_feet::bigint), name, id);
GRANT SELECT ON units TO gatehouse_app, gatehouse_office;
