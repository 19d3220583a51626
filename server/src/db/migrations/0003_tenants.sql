-- Who rents, who signs in for them, and what they rent.

CREATE TABLE tenants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text NOT NULL,
  phone text,
  street1 text NOT NULL,
  street2 text,
  city text NOT NULL,
  region text NOT NULL,
  postal_code text NOT NULL,
  drivers_license_number text,
  drivers_license_state text,
  alternate_first_name text,
  alternate_last_name text,
  alternate_email text,
  alternate_phone text,
  CHECK ((drivers_license_number IS NULL) = (drivers_license_state IS NULL)),
  CHECK (num_nulls(alternate_first_name, alternate_last_name, alternate_email, alternate_phone) IN (0, 4))
);
CREATE INDEX ON tenants (facility_id);

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  corporation_id uuid NOT NULL REFERENCES corporations,
  email text NOT NULL,
  password_hash text NOT NULL,
  disabled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX ON users (corporation_id, lower(email));

CREATE TABLE user_tenants (
  user_id uuid NOT NULL REFERENCES users,
  tenant_id uuid NOT NULL REFERENCES tenants,
  position integer NOT NULL DEFAULT 1,
  PRIMARY KEY (user_id, tenant_id)
);
CREATE INDEX ON user_tenants (tenant_id);

-- A session is bound to a user and a location; only the token's SHA-256 is kept (D17).
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  facility_id uuid NOT NULL REFERENCES facilities,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON sessions (user_id, created_at);

CREATE TABLE ledgers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id uuid NOT NULL REFERENCES tenants,
  unit_id uuid NOT NULL REFERENCES units,
  rental_rate_cents bigint NOT NULL CHECK (rental_rate_cents >= 0),
  scheduled_rate_cents bigint CHECK (scheduled_rate_cents >= 0),
  scheduled_rate_on date,
  discount_plan_id uuid REFERENCES discount_plans,
  gate_schedule_id integer NOT NULL REFERENCES gate_schedules,
  moved_in_on date NOT NULL,
  moved_out_on date,
  balance_cents bigint NOT NULL DEFAULT 0,
  paid_through date NOT NULL
);
CREATE UNIQUE INDEX ledgers_current_unit ON ledgers (unit_id) WHERE moved_out_on IS NULL;
CREATE INDEX ON ledgers (tenant_id);
COMMENT ON COLUMN ledgers.balance_cents IS 'the sum of the ledger''s entries, written in the transaction that posts them (D1)';

CREATE TABLE gate_codes (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  access_code text NOT NULL
);

CREATE TABLE vehicles (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  license_plate text NOT NULL,
  description text NOT NULL
);

CREATE TABLE unit_contents (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  contents text NOT NULL CHECK (contents ~ '^(vehicle|boat|none):')
);

-- A protection plan or proof of private insurance; a ledger has one of them at most.
CREATE TABLE ledger_insurance (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  protection_plan_id uuid REFERENCES protection_plans,
  policy_company text,
  policy_number text,
  coverage_cents bigint,
  starts_on date NOT NULL,
  ends_on date,
  CHECK ((protection_plan_id IS NULL) = (policy_number IS NOT NULL))
);

CREATE TABLE envelope_statuses (
  id integer PRIMARY KEY,
  name text NOT NULL
);
INSERT INTO envelope_statuses VALUES (1, 'Sent'), (2, 'Completed'), (3, 'Declined'), (4, 'Expired');

CREATE TABLE esign_documents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  form_name text NOT NULL,
  envelope_status_id integer NOT NULL REFERENCES envelope_statuses
);
CREATE INDEX ON esign_documents (ledger_id);

GRANT SELECT ON tenants, users, user_tenants, ledgers, gate_codes, vehicles, unit_contents, ledger_insurance,
  envelope_statuses, esign_documents TO gatehouse_app;
GRANT UPDATE (balance_cents, paid_through) ON ledgers TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO gatehouse_app;
