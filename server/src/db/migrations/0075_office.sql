-- Staff sign in to the office by accounts of their own. What they read there, they read as gatehouse_office, which is limited
-- by row-level security to the facilities of the member of staff.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_office') THEN
    CREATE ROLE gatehouse_office NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;
DO $$
BEGIN
  IF NOT pg_has_role(current_user, 'gatehouse_office', 'MEMBER') OR NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    EXECUTE format('GRANT gatehouse_office TO %I', current_user);
  END IF;
END $$;
GRANT USAGE ON SCHEMA public TO gatehouse_office;

CREATE TABLE staff_members (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  corporation_id uuid NOT NULL REFERENCES corporations,
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  name text CHECK (length(name) BETWEEN 1 AND 100),
  role text NOT NULL CHECK (role IN ('clerk', 'manager', 'owner')),
  is_for_all boolean NOT NULL DEFAULT false,
  password_hash text,
  totp_secret text CHECK (totp_secret LIKE 'sealed:1:%'),
  new_totp_secret text CHECK (new_totp_secret LIKE 'sealed:1:%'),
  totp_step bigint NOT NULL DEFAULT 0,
  disabled_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz NOT NULL,
  CHECK ((name IS NULL) = (password_hash IS NULL)),
  CHECK (role <> 'owner' OR is_for_all)
);
COMMENT ON COLUMN staff_members.password_hash IS 'null until the invitation is accepted';
COMMENT ON COLUMN staff_members.new_totp_secret IS 'counts once a code of it is confirmed';
COMMENT ON COLUMN staff_members.totp_step IS 'the last time step whose code was used: a code counts once';
CREATE UNIQUE INDEX ON staff_members (corporation_id, lower(email));
CREATE TABLE staff_facilities (
  staff_id uuid NOT NULL REFERENCES staff_members,
  facility_id uuid NOT NULL REFERENCES facilities,
  PRIMARY KEY (staff_id, facility_id)
);
CREATE TABLE staff_sessions (
  token_hash bytea PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL
);
CREATE INDEX ON staff_sessions (staff_id);
CREATE INDEX ON staff_sessions (created_at);
CREATE TABLE staff_invitations (
  token_hash bytea PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members,
  created_at timestamptz NOT NULL
);
CREATE INDEX ON staff_invitations (staff_id);
GRANT SELECT, INSERT ON staff_members TO gatehouse_work;
GRANT UPDATE (name, role, is_for_all, password_hash, totp_secret, new_totp_secret, totp_step, disabled_at, last_sign_in_at)
  ON staff_members TO gatehouse_work;
GRANT SELECT, INSERT, DELETE ON staff_facilities, staff_invitations TO gatehouse_work;
GRANT SELECT, INSERT, DELETE, UPDATE (last_seen_at) ON staff_sessions TO gatehouse_work;

CREATE TABLE tenant_notes (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  removed_at timestamptz
);
COMMENT ON TABLE tenant_notes IS 'of staff, about a tenant record; a tenant never sees them';
CREATE INDEX ON tenant_notes (tenant_id, created_at);
GRANT SELECT, INSERT, UPDATE (removed_at) ON tenant_notes TO gatehouse_work;

CREATE TABLE facility_changes (
  id uuid PRIMARY KEY,
  facility_id uuid NOT NULL REFERENCES facilities,
  changes jsonb NOT NULL,
  on_day date NOT NULL,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  why text NOT NULL CHECK (length(why) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL,
  applied_at timestamptz,
  cancelled_at timestamptz,
  CHECK (applied_at IS NULL OR cancelled_at IS NULL)
);
COMMENT ON TABLE facility_changes IS 'changes of a facility''s settings; the facility''s day applies one on its day';
CREATE INDEX ON facility_changes (facility_id, on_day);
GRANT SELECT, INSERT, UPDATE (applied_at, cancelled_at) ON facility_changes TO gatehouse_work;
GRANT UPDATE (phone, email, payment_order, card_fee_cents, rent_tax1_basis_points, rent_tax2_basis_points,
  insurance_tax1_basis_points, insurance_tax2_basis_points, late_fee_cents, late_fee_after_days, return_fee_cents,
  rate_notice_days, deposit_cents, move_out_proration, gate_grace_days, gate_least_cents, gate_waits_for_settlement,
  least_payment_cents, pay_once) ON facilities TO gatehouse_work;

ALTER TABLE request_events DROP CONSTRAINT request_events_via_check, DROP CONSTRAINT request_events_check1,
  ADD CONSTRAINT request_events_via_check CHECK (via IN ('portal', 'server', 'link', 'cli', 'office')),
  ADD CONSTRAINT staff_have_names CHECK ((via IN ('link', 'cli', 'office')) = (author IS NOT NULL));

-- Whose rows the connection may read, as the guard found it (connection.ts); none where it was not set.
CREATE FUNCTION office_is_all() RETURNS boolean STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce(nullif(current_setting('app.is_all', true), '')::boolean, false);
CREATE FUNCTION office_facilities() RETURNS uuid[] STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce(nullif(current_setting('app.facility_ids', true), ''), '{}')::uuid[];

-- The settings are read once a statement, hence the inner SELECT of each. What hangs on a row of another table goes with
-- that row, which has a policy of its own.
DO $$
DECLARE
  walls text[][] := ARRAY[
    ['tenants', 'facility_id = ANY ((SELECT office_facilities())::uuid[])'],
    ['alarms', 'facility_id = ANY ((SELECT office_facilities())::uuid[])'],
    ['facility_changes', 'facility_id = ANY ((SELECT office_facilities())::uuid[])'],
    ['facility_recipients', 'facility_id = ANY ((SELECT office_facilities())::uuid[])'],
    ['requests', 'facility_id = ANY ((SELECT office_facilities())::uuid[])'],
    ['audit_events', 'facility_id = ANY ((SELECT office_facilities())::uuid[])'],
    ['differences', 'false'],
    ['user_tenants', 'EXISTS (SELECT FROM tenants t WHERE t.id = tenant_id)'],
    ['users', 'EXISTS (SELECT FROM user_tenants ut WHERE ut.user_id = users.id)'],
    ['ledgers', 'EXISTS (SELECT FROM tenants t WHERE t.id = tenant_id)'],
    ['images', 'EXISTS (SELECT FROM tenants t WHERE t.id = tenant_id)'],
    ['payment_methods', 'EXISTS (SELECT FROM tenants t WHERE t.id = tenant_id)'],
    ['statements', 'EXISTS (SELECT FROM tenants t WHERE t.id = tenant_id)'],
    ['tenant_notes', 'EXISTS (SELECT FROM tenants t WHERE t.id = tenant_id)'],
    ['payment_intents', 'EXISTS (SELECT FROM tenants t WHERE t.id = tenant_id)'],
    ['request_events', 'EXISTS (SELECT FROM requests r WHERE r.id = request_id)'],
    ['vehicles', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['ledger_protection_plans', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['private_policies', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['entries', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['owed_charges', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['charges', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['payments', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['reversals', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['credits', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['payment_intent_ledgers', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['billed_periods', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['rate_notices', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['rate_changes', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['autopays', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['mandates', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['past_units', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['move_outs', 'EXISTS (SELECT FROM ledgers l WHERE l.id = ledger_id)'],
    ['allocations', 'EXISTS (SELECT FROM charges c WHERE c.entry_id = charge_entry_id)'],
    ['mandate_ends', 'EXISTS (SELECT FROM mandates m WHERE m.id = mandate_id)'],
    ['refunds', 'EXISTS (SELECT FROM payment_intents i WHERE i.id = intent_id)'],
    ['refund_parts', 'EXISTS (SELECT FROM reversals r WHERE r.entry_id = reversal_entry_id)'],
    ['disputes', 'EXISTS (SELECT FROM payment_intents i WHERE i.id = intent_id)'],
    ['dispute_parts', 'EXISTS (SELECT FROM reversals r WHERE r.entry_id = reversal_entry_id)'],
    ['payout_payments', 'EXISTS (SELECT FROM payment_intents i WHERE i.id = intent_id)']
  ];
BEGIN
  FOR place IN 1 .. array_length(walls, 1) LOOP
    -- A table that no tenant's request is limited in is limited for the office alone.
    IF NOT (SELECT relrowsecurity FROM pg_class WHERE oid = walls[place][1]::regclass) THEN
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walls[place][1]);
      EXECUTE format('CREATE POLICY others ON %I TO gatehouse_app, gatehouse_work USING (true)', walls[place][1]);
    END IF;
    EXECUTE format('CREATE POLICY office ON %I FOR SELECT TO gatehouse_office USING ((SELECT office_is_all()) OR %s)',
      walls[place][1], walls[place][2]);
    IF walls[place][1] NOT IN ('users', 'payment_methods', 'tenants') THEN
      EXECUTE format('GRANT SELECT ON %I TO gatehouse_office', walls[place][1]);
    END IF;
  END LOOP;
END $$;

-- What is sealed, and the hashes of passwords, no reading of the office needs.
GRANT SELECT (id, corporation_id, email, disabled_at, created_at) ON users TO gatehouse_office;
GRANT SELECT (id, facility_id, first_name, last_name, email, phone, street1, street2, city, region, postal_code,
  alternate_first_name, alternate_last_name, alternate_email, alternate_phone) ON tenants TO gatehouse_office;
GRANT SELECT (id, tenant_id, type, brand, last_four, expires_on, holder_name, created_at, funding, refused_at)
  ON payment_methods TO gatehouse_office;
-- The operator's own, without a tenant's data.
GRANT SELECT ON corporations, facilities, units, discount_plans, protection_plans, gate_schedules, gateway_payouts
  TO gatehouse_office;
GRANT SELECT ON open_charges, open_credits, unit_days TO gatehouse_office;
