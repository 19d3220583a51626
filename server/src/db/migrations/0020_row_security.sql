-- The second wall (D35): what a tenant's request asks, it sees and writes the rows of its caller alone, even where a query
-- has lost its WHERE. gatehouse_app is bound by it; gatehouse_work, for jobs and for what happens before a caller is known,
-- has the rights of gatehouse_app, those that it alone needs, and every row. The owner takes either role on.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_work') THEN
    CREATE ROLE gatehouse_work NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;
DO $$
BEGIN
  IF NOT pg_has_role(current_user, 'gatehouse_work', 'MEMBER') OR NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    EXECUTE format('GRANT gatehouse_work TO %I', current_user);
  END IF;
  IF NOT pg_has_role('gatehouse_work', 'gatehouse_app', 'MEMBER') THEN
    GRANT gatehouse_app TO gatehouse_work;
  END IF;
END $$;

-- Who the connection serves, as the guard found it (connection.ts); nobody where it was not told.
CREATE FUNCTION own_user() RETURNS uuid STABLE PARALLEL SAFE LANGUAGE sql
  RETURN nullif(current_setting('app.user_id', true), '')::uuid;
CREATE FUNCTION own_tenants() RETURNS uuid[] STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce(nullif(current_setting('app.tenant_ids', true), ''), '{}')::uuid[];
CREATE FUNCTION own_ledgers() RETURNS uuid[] STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce(nullif(current_setting('app.ledger_ids', true), ''), '{}')::uuid[];

-- The settings are read once a statement, not once a row: hence the inner SELECT of each.
DO $$
DECLARE
  -- Each table that holds what is somebody's, and which rows of it are the caller's.
  walls text[][] := ARRAY[
    ['tenants', 'id = ANY ((SELECT own_tenants())::uuid[])'],
    ['users', 'id = (SELECT own_user())'],
    ['user_tenants', 'user_id = (SELECT own_user())'],
    ['sessions', 'user_id = (SELECT own_user())'],
    ['ledgers', 'tenant_id = ANY ((SELECT own_tenants())::uuid[])'],
    ['images', 'tenant_id = ANY ((SELECT own_tenants())::uuid[])'],
    ['payment_methods', 'tenant_id = ANY ((SELECT own_tenants())::uuid[])'],
    ['gateway_customers', 'tenant_id = ANY ((SELECT own_tenants())::uuid[])'],
    ['tenant_changes', 'tenant_id = ANY ((SELECT own_tenants())::uuid[])'],
    ['statements', 'tenant_id = ANY ((SELECT own_tenants())::uuid[])'],
    -- A user's keys are one's own at every facility, or a key would be taken by a row that is not seen.
    ['requests', 'tenant_id = ANY ((SELECT own_tenants())::uuid[]) OR user_id = (SELECT own_user())'],
    ['payment_intents', 'tenant_id = ANY ((SELECT own_tenants())::uuid[]) OR user_id = (SELECT own_user())'],
    ['autopay_updates', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[]) OR user_id = (SELECT own_user())'],
    ['gate_codes', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['vehicles', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['unit_contents', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['unit_contents_changes', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['ledger_protection_plans', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['private_policies', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['esign_documents', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['entries', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['charges', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['payments', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['reversals', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['credits', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['payment_intent_ledgers', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['billed_periods', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['rate_notices', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['rate_changes', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['autopays', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['autopay_items', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    ['mandates', 'ledger_id = ANY ((SELECT own_ledgers())::uuid[])'],
    -- What hangs on a row of another table goes with that row, which has a wall of its own.
    ['allocations', 'EXISTS (SELECT FROM charges c WHERE c.entry_id = charge_entry_id)'],
    ['mandate_ends', 'EXISTS (SELECT FROM mandates m WHERE m.id = mandate_id)']
  ];
BEGIN
  FOR place IN 1 .. array_length(walls, 1) LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walls[place][1]);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walls[place][1]);
    EXECUTE format('CREATE POLICY own ON %I TO gatehouse_app USING (%s)', walls[place][1], walls[place][2]);
    EXECUTE format('CREATE POLICY work ON %I TO gatehouse_work USING (true)', walls[place][1]);
  END LOOP;
END $$;

-- What no tenant's request has to read or change.
REVOKE ALL ON registrations, sign_in_tries, known_networks, card_warnings, refunds, gateway_events, gateway_lines,
  reconciliations, differences FROM gatehouse_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON registrations, sign_in_tries, known_networks TO gatehouse_work;
GRANT SELECT, INSERT ON card_warnings, gateway_events, differences TO gatehouse_work;
GRANT UPDATE (state, handled_at, fault) ON gateway_events TO gatehouse_work;
GRANT SELECT, INSERT, DELETE ON gateway_lines TO gatehouse_work;
GRANT SELECT, INSERT, UPDATE ON refunds, reconciliations TO gatehouse_work;
REVOKE INSERT, UPDATE ON billing_runs FROM gatehouse_app;
GRANT INSERT, UPDATE ON billing_runs TO gatehouse_work;
REVOKE ALL ON users, user_tenants, sessions, mails, alarms FROM gatehouse_app;
GRANT SELECT (id, corporation_id, email, disabled_at) ON users TO gatehouse_app;
GRANT SELECT ON user_tenants TO gatehouse_app;
GRANT SELECT, DELETE ON sessions TO gatehouse_app;
GRANT INSERT, SELECT (id, sent_at) ON mails TO gatehouse_app;
GRANT INSERT, SELECT (id, key) ON alarms TO gatehouse_app;
GRANT SELECT, INSERT ON users, user_tenants TO gatehouse_work;
GRANT SELECT ON mails, alarms TO gatehouse_work;
GRANT UPDATE (password_hash) ON users TO gatehouse_work;
GRANT INSERT, UPDATE ON sessions TO gatehouse_work;
GRANT UPDATE (sent_at) ON mails TO gatehouse_work;
REVOKE ALL ON ALL TABLES IN SCHEMA sandbox_gateway FROM gatehouse_app;
REVOKE USAGE ON SCHEMA sandbox_gateway FROM gatehouse_app;
GRANT USAGE ON SCHEMA sandbox_gateway TO gatehouse_work;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA sandbox_gateway TO gatehouse_work;
