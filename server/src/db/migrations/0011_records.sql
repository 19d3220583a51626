-- Sealed values (D25): nothing plain may be written from now on. What is plain already is sealed by the start that
-- migrates (seal.ts), which is why the checks do not look at it.
ALTER TABLE tenants ADD CONSTRAINT license_is_sealed
  CHECK (starts_with(drivers_license_number, 'sealed:1:')) NOT VALID;
ALTER TABLE gate_codes ADD CONSTRAINT access_code_is_sealed CHECK (starts_with(access_code, 'sealed:1:')) NOT VALID;
ALTER TABLE payment_methods ADD CONSTRAINT gateway_token_is_sealed
  CHECK (starts_with(gateway_token, 'sealed:1:')) NOT VALID;
COMMENT ON COLUMN tenants.drivers_license_number IS 'sealed (vault.ts)';
COMMENT ON COLUMN gate_codes.access_code IS 'sealed (vault.ts)';
COMMENT ON COLUMN payment_methods.gateway_token IS 'sealed (vault.ts)';

-- The operator's own move-out form, to which the portal points (spec section 2).
ALTER TABLE facilities ADD COLUMN move_out_url text CHECK (move_out_url ~ '^https://');

-- What tenants changed of their records, by whom and when: a notice is owed to the contact that was last given in
-- writing, and what is stored decides the tax. Append-only.
CREATE TABLE tenant_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  tenant_id uuid NOT NULL REFERENCES tenants,
  user_id uuid NOT NULL REFERENCES users,
  changed_at timestamptz NOT NULL,
  part text NOT NULL CHECK (part IN ('license', 'phone', 'alternateContact')),
  value jsonb
);
CREATE INDEX ON tenant_changes (tenant_id);
COMMENT ON COLUMN tenant_changes.value IS 'what was given; null for a license, which is sealed in the record';

CREATE TABLE unit_contents_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  user_id uuid NOT NULL REFERENCES users,
  changed_at timestamptz NOT NULL,
  contents text NOT NULL
);
CREATE INDEX ON unit_contents_changes (ledger_id);

GRANT SELECT, INSERT ON tenant_changes, unit_contents_changes TO gatehouse_app;
GRANT UPDATE (drivers_license_number, drivers_license_state, phone, alternate_first_name, alternate_last_name,
  alternate_email, alternate_phone) ON tenants TO gatehouse_app;
GRANT INSERT, UPDATE ON vehicles, unit_contents TO gatehouse_app;
