-- Staff, and what only they read and do.

-- The accounts of staff, who sign in to the office.
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
COMMENT ON COLUMN staff_members.totp_step IS
  'the last time step whose code was used: a code counts once';
CREATE UNIQUE INDEX ON staff_members (corporation_id, lower(email));
GRANT SELECT, INSERT, UPDATE (name, role, is_for_all, password_hash, totp_secret, new_totp_secret,
  totp_step, disabled_at, last_sign_in_at) ON staff_members TO gatehouse_work;

-- The facilities of a member of staff that has not all.
CREATE TABLE staff_facilities (
  staff_id uuid NOT NULL REFERENCES staff_members,
  facility_id uuid NOT NULL REFERENCES facilities,
  PRIMARY KEY (staff_id, facility_id)
);
GRANT SELECT, INSERT, DELETE ON staff_facilities TO gatehouse_work;

-- Whether an address signs in to the office and reaches a facility. As the owner: a tenant's
-- request, which is mailed to staff, may not read their accounts.
CREATE FUNCTION has_office_account(address text, facility uuid) RETURNS boolean STABLE
  SECURITY DEFINER LANGUAGE sql SET search_path = public, pg_temp
  RETURN EXISTS (
    SELECT FROM staff_members m JOIN facilities f ON f.corporation_id = m.corporation_id
    WHERE f.id = facility AND lower(m.email) = lower(address)
      AND m.password_hash IS NOT NULL AND m.disabled_at IS NULL
      AND (m.is_for_all OR EXISTS (
        SELECT FROM staff_facilities s WHERE s.staff_id = m.id AND s.facility_id = facility))
  );
REVOKE EXECUTE ON FUNCTION has_office_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_office_account TO gatehouse_app, gatehouse_work;

-- Invitations that are not yet accepted; only the token's hash is kept.
CREATE TABLE staff_invitations (
  token_hash bytea PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members,
  created_at timestamptz NOT NULL
);
CREATE INDEX ON staff_invitations (staff_id);
GRANT SELECT, INSERT, DELETE ON staff_invitations TO gatehouse_work;

-- The sessions of staff; only the token's hash is kept.
CREATE TABLE staff_sessions (
  token_hash bytea PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL
);
CREATE INDEX ON staff_sessions (staff_id);
CREATE INDEX ON staff_sessions (created_at);
GRANT SELECT, INSERT, DELETE, UPDATE (last_seen_at) ON staff_sessions TO gatehouse_work;

-- The passkeys (WebAuthn) that are a second step of a member of staff. Requests of tenants and
-- readings of the office have no right here.
CREATE TABLE staff_passkeys (
  id uuid PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members,
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  is_synced boolean NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
COMMENT ON COLUMN staff_passkeys.public_key IS 'a COSE key (RFC 9052)';
CREATE INDEX ON staff_passkeys (staff_id, created_at);
ALTER TABLE staff_passkeys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON staff_passkeys TO gatehouse_work USING (true);
GRANT SELECT, INSERT, DELETE, UPDATE (counter, is_synced, name, last_used_at)
  ON staff_passkeys TO gatehouse_work;

-- Whether a member of staff has a second step: an authenticator app or a passkey.
CREATE FUNCTION has_second_step(member uuid) RETURNS boolean STABLE PARALLEL SAFE LANGUAGE sql
  RETURN EXISTS (SELECT FROM staff_members m WHERE m.id = member AND m.totp_secret IS NOT NULL)
    OR EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = member);

-- One row for each action of staff (features/base/staff-actions): repeated under its key it answers
-- the same again.
CREATE TABLE staff_actions (
  key uuid PRIMARY KEY,
  verb text NOT NULL,
  request_hash bytea NOT NULL,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  why text NOT NULL CHECK (length(why) <= 500),
  facility_id uuid REFERENCES facilities,
  at timestamptz NOT NULL,
  answer json
);
COMMENT ON COLUMN staff_actions.answer IS 'null only inside the transaction that does the work';
CREATE INDEX ON staff_actions (at);
GRANT SELECT, INSERT, UPDATE (answer) ON staff_actions TO gatehouse_work;

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
COMMENT ON TABLE facility_changes IS
  'changes of a facility''s settings; the facility''s day applies one on its day';
CREATE INDEX ON facility_changes (facility_id, on_day);
ALTER TABLE facility_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON facility_changes TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON facility_changes FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT, UPDATE (applied_at, cancelled_at) ON facility_changes TO gatehouse_work;
GRANT SELECT ON facility_changes TO gatehouse_office;

-- What a person has to look at. `key` keeps one trouble from being reported twice; one that comes
-- back after its alarm was closed has another alarm.
CREATE TABLE alarms (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  key text NOT NULL,
  facility_id uuid REFERENCES facilities,
  sentence text NOT NULL,
  facts jsonb NOT NULL,
  raised_at timestamptz NOT NULL,
  closed_at timestamptz,
  closed_by text,
  closed_why text,
  ledger_id uuid REFERENCES ledgers,
  CONSTRAINT closed_by_somebody CHECK ((closed_at IS NULL) = (closed_by IS NULL))
);
COMMENT ON COLUMN alarms.ledger_id IS 'the ledger that it is about, where it is one';
CREATE INDEX ON alarms (kind, raised_at);
CREATE INDEX alarms_open ON alarms (raised_at) WHERE closed_at IS NULL;
-- A ledger whose books are not sound has an open alarm, and autopay does not charge it until a
-- person closes that.
CREATE INDEX alarms_books_fault
  ON alarms (ledger_id) WHERE kind = 'books_fault' AND closed_at IS NULL;
CREATE UNIQUE INDEX one_open_alarm ON alarms (key) WHERE closed_at IS NULL;
CREATE INDEX ON alarms (key);
ALTER TABLE alarms ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON alarms TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON alarms FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT INSERT, SELECT (id, key, closed_at) ON alarms TO gatehouse_app;
GRANT SELECT, UPDATE (closed_at, closed_by, closed_why) ON alarms TO gatehouse_work;
GRANT SELECT ON alarms TO gatehouse_office;

-- As the owner, because a tenant's request may not read alarms: it learns of a ledger's fault only
-- that there is one.
CREATE FUNCTION has_books_fault(ledger uuid) RETURNS boolean STABLE SECURITY DEFINER LANGUAGE sql
  SET search_path = public, pg_temp
  RETURN EXISTS (
    SELECT FROM alarms WHERE ledger_id = ledger AND kind = 'books_fault' AND closed_at IS NULL
  );
REVOKE EXECUTE ON FUNCTION has_books_fault FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_books_fault TO gatehouse_app, gatehouse_work;

-- What was mailed to a tenant because it was late: a tenant record is mailed once a day at most.
CREATE TABLE late_notices (
  tenant_id uuid NOT NULL REFERENCES tenants,
  on_day date NOT NULL,
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 150),
  owed_cents bigint NOT NULL CHECK (owed_cents > 0),
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, on_day)
);
ALTER TABLE late_notices ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON late_notices TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON late_notices FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id));
GRANT SELECT, INSERT ON late_notices TO gatehouse_work;
GRANT SELECT ON late_notices TO gatehouse_office;

-- The texts that a facility keeps for them; one that was replaced or removed is kept.
CREATE TABLE late_templates (
  id uuid PRIMARY KEY,
  facility_id uuid NOT NULL REFERENCES facilities,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 150),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 4000),
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  removed_at timestamptz
);
CREATE UNIQUE INDEX ON late_templates (facility_id, lower(name)) WHERE removed_at IS NULL;
ALTER TABLE late_templates ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON late_templates TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON late_templates FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT, UPDATE (removed_at) ON late_templates TO gatehouse_work;
GRANT SELECT ON late_templates TO gatehouse_office;

-- The addresses that are mailed at seven in the morning of a facility: what is late, what was taken
-- the day before, open alarms.
CREATE TABLE morning_recipients (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  kind text NOT NULL CHECK (kind IN ('morning_late', 'morning_deposit', 'morning_alarms')),
  address text NOT NULL CHECK (length(address) BETWEEN 3 AND 254)
);
CREATE UNIQUE INDEX ON morning_recipients (facility_id, kind, lower(address));
ALTER TABLE morning_recipients ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON morning_recipients TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON morning_recipients FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT, DELETE ON morning_recipients TO gatehouse_work;
GRANT SELECT ON morning_recipients TO gatehouse_office;

-- The mornings that were done: the row is written with the mails, so that each goes once.
CREATE TABLE morning_runs (
  facility_id uuid NOT NULL REFERENCES facilities,
  on_day date NOT NULL,
  mails integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (facility_id, on_day)
);
GRANT SELECT, INSERT, UPDATE (mails) ON morning_runs TO gatehouse_work;

-- What goes through the drawer of a facility's counter. An entry belongs to the first day from its
-- own on that is not closed, so that a closed day never changes.
CREATE TABLE drawer_entries (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  facility_id uuid NOT NULL REFERENCES facilities,
  deposit_on date NOT NULL,
  type text NOT NULL CHECK (type IN ('cash', 'check', 'moneyOrder')),
  cents bigint NOT NULL CHECK (cents <> 0),
  staff_id uuid REFERENCES staff_members,
  by_name text
);
COMMENT ON COLUMN drawer_entries.cents IS
  'below 0: taken out again, given back in cash or recorded by mistake';
COMMENT ON COLUMN drawer_entries.staff_id IS
  'null on the command line, where only by_name is known';
CREATE INDEX ON drawer_entries (facility_id, deposit_on);
CREATE INDEX drawer_entries_by_day ON drawer_entries (deposit_on, facility_id);
ALTER TABLE drawer_entries ENABLE ROW LEVEL SECURITY;
CREATE POLICY work ON drawer_entries TO gatehouse_work USING (true);
CREATE POLICY office ON drawer_entries FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT ON drawer_entries TO gatehouse_work;
GRANT SELECT ON drawer_entries TO gatehouse_office;

-- The days that were counted and closed.
CREATE TABLE drawer_closings (
  facility_id uuid NOT NULL REFERENCES facilities,
  on_day date NOT NULL,
  staff_id uuid NOT NULL REFERENCES staff_members,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  why text NOT NULL CHECK (length(why) BETWEEN 1 AND 500),
  closed_at timestamptz NOT NULL,
  PRIMARY KEY (facility_id, on_day)
);
CREATE INDEX drawer_closings_by_day ON drawer_closings (on_day, facility_id);
ALTER TABLE drawer_closings ENABLE ROW LEVEL SECURITY;
CREATE POLICY work ON drawer_closings TO gatehouse_work USING (true);
CREATE POLICY office ON drawer_closings FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT ON drawer_closings TO gatehouse_work;
GRANT SELECT ON drawer_closings TO gatehouse_office;

-- What was counted in the drawer, by type.
CREATE TABLE drawer_counts (
  facility_id uuid NOT NULL,
  on_day date NOT NULL,
  type text NOT NULL CHECK (type IN ('cash', 'check', 'moneyOrder')),
  count integer NOT NULL CHECK (count >= 0),
  expected_cents bigint NOT NULL,
  counted_cents bigint NOT NULL CHECK (counted_cents >= 0),
  PRIMARY KEY (facility_id, on_day, type),
  FOREIGN KEY (facility_id, on_day) REFERENCES drawer_closings
);
ALTER TABLE drawer_counts ENABLE ROW LEVEL SECURITY;
CREATE POLICY work ON drawer_counts TO gatehouse_work USING (true);
CREATE POLICY office ON drawer_counts FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT ON drawer_counts TO gatehouse_work;
GRANT SELECT ON drawer_counts TO gatehouse_office;

-- Days close in order, each once, with nothing under way.
CREATE FUNCTION check_drawer_closing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM facilities WHERE id = NEW.facility_id FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM drawer_closings WHERE facility_id = NEW.facility_id AND on_day >= NEW.on_day
  ) THEN
    RAISE EXCEPTION 'the drawer of % is closed until a later day or this one', NEW.on_day
      USING ERRCODE = 'unique_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER drawer_closes_in_order BEFORE INSERT ON drawer_closings FOR EACH ROW
  EXECUTE FUNCTION check_drawer_closing();

CREATE FUNCTION refuse_drawer_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON drawer_entries FOR EACH ROW
  EXECUTE FUNCTION refuse_drawer_change();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON drawer_closings FOR EACH ROW
  EXECUTE FUNCTION refuse_drawer_change();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON drawer_counts FOR EACH ROW
  EXECUTE FUNCTION refuse_drawer_change();

-- What came in and went back, computed from the entries: a row for each payment, credit of a won
-- dispute and reversal of either. `via` is who took it, null of what went back, of which `reason`
-- says why. `type` is how it was paid, or given back: a refund in cash is cash. A credit that was
-- moved to another rental is no money that went back.
CREATE VIEW takings WITH (security_invoker = true) AS
  SELECT e.id AS entry_id, e.facility_id, e.posted_on, i.type,
    CASE i.initiator
      WHEN 'staff' THEN 'counter' WHEN 'import' THEN 'import' ELSE 'gateway' END AS via,
    NULL::text AS reason, i.id AS intent_id, paid_out.payout_id, -e.amount_cents AS cents
  FROM entries e
  JOIN payments p ON p.entry_id = e.id
  JOIN payment_intents i ON i.id = p.intent_id
  LEFT JOIN payout_payments paid_out ON paid_out.intent_id = i.id
  WHERE e.kind = 'payment'
  UNION ALL
  SELECT e.id, e.facility_id, e.posted_on, i.type, 'dispute', NULL, i.id, NULL, -e.amount_cents
  FROM entries e
  JOIN dispute_parts won ON won.credit_entry_id = e.id
  JOIN disputes d ON d.id = won.dispute_id
  JOIN payment_intents i ON i.id = d.intent_id
  WHERE e.kind = 'credit'
  UNION ALL
  SELECT e.id, e.facility_id, e.posted_on,
    CASE WHEN r.way IN ('cash', 'check') THEN r.way ELSE i.type END,
    NULL, rev.reason, i.id, NULL, -e.amount_cents
  FROM entries e
  JOIN reversals rev ON rev.entry_id = e.id AND rev.reason <> 'moved'
  JOIN (
    SELECT entry_id, intent_id FROM payments
    UNION ALL
    SELECT won.credit_entry_id, d.intent_id
    FROM dispute_parts won JOIN disputes d ON d.id = won.dispute_id
  ) taken ON taken.entry_id = rev.payment_entry_id
  JOIN payment_intents i ON i.id = taken.intent_id
  LEFT JOIN refund_parts part ON part.reversal_entry_id = e.id
  LEFT JOIN refunds r ON r.id = part.refund_id
  WHERE e.kind = 'reversal';
GRANT SELECT ON takings TO gatehouse_work, gatehouse_office;
