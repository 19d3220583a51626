-- Who operates, where, and what stands there.

CREATE TABLE corporations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code text NOT NULL UNIQUE,
  name text NOT NULL
);

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
  payment_order text NOT NULL DEFAULT 'oldest_first' CHECK (payment_order IN ('oldest_first', 'rent_first', 'fees_first')),
  card_fee_cents bigint NOT NULL DEFAULT 0 CHECK (card_fee_cents >= 0),
  UNIQUE (corporation_id, location_code)
);

CREATE TABLE discount_plans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  name text NOT NULL
);
CREATE INDEX ON discount_plans (facility_id);

CREATE TABLE protection_plans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  description text NOT NULL,
  coverage_cents bigint NOT NULL CHECK (coverage_cents > 0),
  premium_cents bigint NOT NULL CHECK (premium_cents >= 0)
);
CREATE INDEX ON protection_plans (facility_id);

-- The spec's "time zones": when a gate code opens the gate, not a clock zone.
CREATE TABLE gate_schedules (
  id integer PRIMARY KEY,
  name text NOT NULL
);
INSERT INTO gate_schedules VALUES (0, 'Business Hours'), (1, 'Business Hours'), (2, '24 Hours');

CREATE TABLE units (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  name text NOT NULL,
  width_feet integer NOT NULL CHECK (width_feet > 0),
  length_feet integer NOT NULL CHECK (length_feet > 0),
  type_name text NOT NULL,
  UNIQUE (facility_id, name)
);

GRANT SELECT ON corporations, facilities, discount_plans, protection_plans, gate_schedules, units TO gatehouse_app;
