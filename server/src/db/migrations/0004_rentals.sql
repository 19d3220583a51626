-- The rentals, and what belongs to one besides its money. A rental is a row of ledgers.

-- A ledger is a current rental on a day until the day of its move-out, the first day that is not
-- rented. The planner sees the expression in place of the call.
CREATE FUNCTION is_current_on(moved_out_on date, day date) RETURNS boolean IMMUTABLE PARALLEL SAFE
  LANGUAGE sql
  RETURN moved_out_on IS NULL OR moved_out_on > day;
COMMENT ON FUNCTION is_current_on IS
  'as isCurrentOn of db/current-rental.ts; day is today in the facility''s calendar';

-- The days that are rented. A move-out before the move-in, which imported rows may have, is none.
CREATE FUNCTION rented_days(moved_in_on date, moved_out_on date)
  RETURNS daterange IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN daterange(moved_in_on,
    CASE WHEN moved_out_on < moved_in_on THEN moved_in_on ELSE moved_out_on END);

-- The rentals, each of one unit by one tenant. A rental may continue in another unit of its
-- facility.
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
  paid_through date NOT NULL,
  billing_day smallint NOT NULL CHECK (billing_day BETWEEN 1 AND 31),
  billed_through date NOT NULL,
  is_taxed boolean NOT NULL DEFAULT false,
  is_on_hold boolean NOT NULL DEFAULT false,
  version bigint NOT NULL DEFAULT 0,
  overlocked_at timestamptz,
  unit_since date,
  transfer_unit_id uuid REFERENCES units,
  transfer_on date,
  transfer_rate_cents bigint,
  rate_since date,
  owed_since date,
  CONSTRAINT whole_transfer CHECK ((transfer_unit_id IS NULL) = (transfer_on IS NULL))
);
COMMENT ON COLUMN ledgers.balance_cents IS
  'the sum of the ledger''s entries, written in the transaction that posts them';
COMMENT ON COLUMN ledgers.billing_day IS
  'the day of the month on which anniversary billing begins a period; the 29th to 31st fall back '
  'to the month''s end';
COMMENT ON COLUMN ledgers.billed_through IS
  'the last day that has been billed; the day before move-in until something is';
COMMENT ON COLUMN ledgers.is_taxed IS
  'whether the facility''s taxes apply, as staff decided it from the unit''s contents';
COMMENT ON COLUMN ledgers.is_on_hold IS
  'staff stopped collecting: billed on, but no autopay, no late fee and no late notice';
COMMENT ON COLUMN ledgers.version IS
  'counts the postings: what was computed from an older reading is not written (postings.ts)';
COMMENT ON COLUMN ledgers.overlocked_at IS
  'staff have locked the unit: no code, also at a balance of 0';
COMMENT ON COLUMN ledgers.unit_since IS
  'the first day in this unit; null where that is the move-in';
COMMENT ON COLUMN ledgers.transfer_on IS
  'the first day in the unit transfer_unit_id, which the facility''s day makes unit_id then';
COMMENT ON COLUMN ledgers.transfer_rate_cents IS
  'the rent that was scheduled with the transfer for its day; null for none';
COMMENT ON COLUMN ledgers.rate_since IS
  'the first day billed at the rent, written with each change of it; null where no other was '
  'billed, which means the move-in';
COMMENT ON COLUMN ledgers.owed_since IS
  'the due date of the first charge that something is owed of, written with the balance; null '
  'where nothing is owed. No open charge is due before it';
CREATE INDEX ON ledgers (tenant_id);
CREATE INDEX ledgers_to_bill ON ledgers (billed_through, id)
  WHERE moved_out_on IS NULL OR moved_out_on > billed_through + 1;
CREATE INDEX ledgers_unit ON ledgers (unit_id);
CREATE INDEX ledgers_transfer_unit ON ledgers (transfer_unit_id) WHERE transfer_unit_id IS NOT NULL;
CREATE INDEX ledgers_by_move_in ON ledgers (moved_in_on);
CREATE INDEX ledgers_by_move_out ON ledgers (moved_out_on);
CREATE INDEX ledgers_by_transfer ON ledgers (transfer_on) WHERE transfer_on IS NOT NULL;
CREATE INDEX ledgers_by_unit_since ON ledgers (unit_since) WHERE unit_since IS NOT NULL;
CREATE INDEX ledgers_by_owed_since ON ledgers (owed_since, id) WHERE owed_since IS NOT NULL;
CREATE INDEX ledgers_by_rate_since
  ON ledgers (coalesce(rate_since, moved_in_on), id) WHERE moved_out_on IS NULL;
ALTER TABLE ledgers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON ledgers TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON ledgers TO gatehouse_work USING (true);
CREATE POLICY office ON ledgers FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id));
GRANT SELECT, UPDATE (rental_rate_cents, scheduled_rate_cents, scheduled_rate_on, balance_cents,
  paid_through, billed_through, owed_since, version) ON ledgers TO gatehouse_app;
GRANT INSERT, UPDATE (unit_id, moved_out_on, is_on_hold, overlocked_at, unit_since,
  transfer_unit_id, transfer_on, transfer_rate_cents, rate_since) ON ledgers TO gatehouse_work;
GRANT SELECT ON ledgers TO gatehouse_office;

CREATE VIEW office_ledgers AS
  SELECT l.id FROM ledgers l JOIN tenants t ON t.id = l.tenant_id
  WHERE t.facility_id = ANY ((SELECT office_facilities())::uuid[]);
GRANT SELECT ON office_ledgers TO gatehouse_office;

-- The former units of rentals, so that papers of that time name them.
CREATE TABLE past_units (
  ledger_id uuid NOT NULL REFERENCES ledgers,
  unit_id uuid NOT NULL REFERENCES units,
  from_on date NOT NULL,
  until_on date NOT NULL,
  left_at timestamptz NOT NULL,
  PRIMARY KEY (ledger_id, left_at)
);
COMMENT ON COLUMN past_units.until_on IS 'the first day in the next unit';
CREATE INDEX ON past_units (unit_id);
ALTER TABLE past_units ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON past_units TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON past_units TO gatehouse_work USING (true);
CREATE POLICY office ON past_units FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT ON past_units TO gatehouse_app, gatehouse_office;
GRANT INSERT ON past_units TO gatehouse_work;

-- The name of the unit that a ledger was in at an instant; `now_in` where it still is there.
CREATE FUNCTION unit_name_at(of_ledger uuid, at timestamptz, now_in text)
  RETURNS text STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce((
    SELECT u.name FROM past_units p JOIN units u ON u.id = p.unit_id
    WHERE p.ledger_id = of_ledger AND p.left_at > at ORDER BY p.left_at LIMIT 1
  ), now_in);

-- Which days of which unit are rented, by which rental: now, after a transfer that is planned, and
-- before one.
CREATE VIEW unit_days WITH (security_invoker = true) AS
  SELECT id AS ledger_id, unit_id,
    rented_days(coalesce(unit_since, moved_in_on), least(transfer_on, moved_out_on)) AS days
  FROM ledgers
  UNION ALL
  SELECT id, transfer_unit_id, rented_days(transfer_on, moved_out_on)
  FROM ledgers WHERE transfer_unit_id IS NOT NULL
  UNION ALL
  SELECT ledger_id, unit_id, rented_days(from_on, until_on) FROM past_units;
GRANT SELECT ON unit_days TO gatehouse_app, gatehouse_work, gatehouse_office;

-- Two rentals of one unit never overlap in time. An exclusion constraint would need btree_gist,
-- which not every server has, and cannot look into three tables. The unit's row is locked, so that
-- of two writers at once the second sees what the first has written. It does not matter whose rows
-- they are: the function has the rights of its owner.
CREATE FUNCTION check_rental_overlap() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  mine record;
BEGIN
  FOR mine IN
    SELECT * FROM (VALUES
      (NEW.unit_id, rented_days(coalesce(NEW.unit_since, NEW.moved_in_on),
        least(NEW.transfer_on, NEW.moved_out_on)),
        CASE WHEN TG_OP = 'UPDATE' AND OLD.unit_id = NEW.unit_id
          THEN rented_days(coalesce(OLD.unit_since, OLD.moved_in_on),
            least(OLD.transfer_on, OLD.moved_out_on))
          ELSE 'empty' END),
      (NEW.transfer_unit_id, rented_days(NEW.transfer_on, NEW.moved_out_on), 'empty')
    ) AS place (unit_id, days, before) WHERE place.unit_id IS NOT NULL ORDER BY place.unit_id
  LOOP
    PERFORM FROM units WHERE id = mine.unit_id FOR NO KEY UPDATE;
    IF EXISTS (
      SELECT FROM unit_days other WHERE other.unit_id = mine.unit_id AND other.ledger_id <> NEW.id
        AND other.days && mine.days AND NOT other.days && mine.before
    ) THEN
      RAISE EXCEPTION 'the unit % is rented in these days', mine.unit_id
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ledgers_overlap', TABLE = 'ledgers';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER rental_begins AFTER INSERT ON ledgers FOR EACH ROW
  EXECUTE FUNCTION check_rental_overlap();
CREATE TRIGGER rental_moves
  AFTER UPDATE OF unit_id, moved_in_on, moved_out_on, unit_since, transfer_unit_id, transfer_on
  ON ledgers FOR EACH ROW
  WHEN (
    (OLD.unit_id, OLD.moved_in_on, OLD.moved_out_on,
      OLD.unit_since, OLD.transfer_unit_id, OLD.transfer_on)
    IS DISTINCT FROM (NEW.unit_id, NEW.moved_in_on, NEW.moved_out_on,
      NEW.unit_since, NEW.transfer_unit_id, NEW.transfer_on))
  EXECUTE FUNCTION check_rental_overlap();

-- A move-out that staff have entered, and when its settlement was posted: once, by the first that
-- comes to it. A move-out without a row came with an import, and was settled where it came from.
CREATE TABLE move_outs (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  credit text NOT NULL CHECK (credit IN ('refund', 'keep')),
  planned_at timestamptz NOT NULL,
  settled_at timestamptz,
  statement jsonb
);
COMMENT ON COLUMN move_outs.credit IS
  'what becomes of a credit: it goes back through the gateway, or stays on the ledger';
COMMENT ON COLUMN move_outs.statement IS
  'the sums of the final statement in cents, as it was mailed';
CREATE INDEX move_outs_planned ON move_outs (ledger_id) WHERE settled_at IS NULL;
ALTER TABLE move_outs ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON move_outs TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON move_outs FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON move_outs TO gatehouse_work;
GRANT SELECT ON move_outs TO gatehouse_office;

-- A hold (ledgers.is_on_hold) that staff set by the verb has its end, its reason and its author
-- here; one that was imported has none of these and ends when staff end it.
CREATE TABLE rental_holds (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  until_on date,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  why text NOT NULL CHECK (length(why) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE rental_holds IS 'the holds that last now';
COMMENT ON COLUMN rental_holds.until_on IS
  'the first day that is not on hold; null until staff end it';
ALTER TABLE rental_holds ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON rental_holds TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON rental_holds FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON rental_holds TO gatehouse_work;
GRANT SELECT ON rental_holds TO gatehouse_office;

-- The vehicle or vessel of a rental.
CREATE TABLE vehicles (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  license_plate text NOT NULL,
  description text NOT NULL
);
CREATE INDEX vehicles_by_plate
  ON vehicles (upper(regexp_replace(license_plate, '[^A-Za-z0-9]', '', 'g')));
ALTER TABLE vehicles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON vehicles TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON vehicles TO gatehouse_work USING (true);
CREATE POLICY office ON vehicles FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT, UPDATE ON vehicles TO gatehouse_app;
GRANT SELECT ON vehicles TO gatehouse_office;

-- Registration and insurance of the vehicle or vessel of a rental: a file with its number and last
-- day. One that is filed in place of another leaves that one as replaced; one that the tenant
-- removes is deleted with its file.
CREATE TABLE vehicle_papers (
  id uuid PRIMARY KEY,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  facility_id uuid NOT NULL REFERENCES facilities,
  kind text NOT NULL CHECK (kind IN ('registration', 'insurance')),
  number text NOT NULL CHECK (starts_with(number, 'sealed:1:')),
  expires_on date NOT NULL,
  file_name text,
  content_type text NOT NULL
    CHECK (content_type IN ('application/pdf', 'image/jpeg', 'image/webp')),
  bytes integer NOT NULL CHECK (bytes > 0),
  file_key uuid NOT NULL UNIQUE,
  user_id uuid REFERENCES users,
  created_at timestamptz NOT NULL,
  replaced_at timestamptz
);
COMMENT ON COLUMN vehicle_papers.number IS 'sealed (vault.ts)';
COMMENT ON COLUMN vehicle_papers.file_name IS
  'the name on the tenant''s device, as it was sent: a text, never a path';
-- Of each kind one is on file.
CREATE UNIQUE INDEX ON vehicle_papers (ledger_id, kind) WHERE replaced_at IS NULL;
CREATE INDEX ON vehicle_papers (ledger_id);
CREATE INDEX ON vehicle_papers (expires_on) WHERE replaced_at IS NULL;
CREATE INDEX ON vehicle_papers (replaced_at) WHERE replaced_at IS NOT NULL;
ALTER TABLE vehicle_papers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON vehicle_papers TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON vehicle_papers TO gatehouse_work USING (true);
-- By a column of its own: the owner, who looks through the sealed numbers at each start, then needs
-- no other table.
CREATE POLICY office ON vehicle_papers FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT, DELETE, UPDATE (replaced_at) ON vehicle_papers TO gatehouse_app;
GRANT SELECT (id, ledger_id, facility_id, kind, expires_on, content_type, bytes, file_key,
  created_at, replaced_at) ON vehicle_papers TO gatehouse_office;

-- That a tenant was reminded of a paper this many days before its last day: once each.
CREATE TABLE vehicle_paper_reminders (
  paper_id uuid NOT NULL REFERENCES vehicle_papers ON DELETE CASCADE,
  days integer NOT NULL CHECK (days IN (60, 30, 7)),
  reminded_at timestamptz NOT NULL,
  PRIMARY KEY (paper_id, days)
);
GRANT SELECT, INSERT ON vehicle_paper_reminders TO gatehouse_work;

-- What a tenant keeps in the unit, as the lease asks it.
CREATE TABLE unit_contents (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  contents text NOT NULL CHECK (contents ~ '^(vehicle|boat|none):')
);
ALTER TABLE unit_contents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON unit_contents TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON unit_contents TO gatehouse_work USING (true);
GRANT SELECT, INSERT, UPDATE ON unit_contents TO gatehouse_app;

-- What tenants changed of it. Append-only.
CREATE TABLE unit_contents_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  user_id uuid NOT NULL REFERENCES users,
  changed_at timestamptz NOT NULL,
  contents text NOT NULL
);
CREATE INDEX ON unit_contents_changes (ledger_id);
ALTER TABLE unit_contents_changes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON unit_contents_changes TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON unit_contents_changes TO gatehouse_work USING (true);
GRANT SELECT, INSERT ON unit_contents_changes TO gatehouse_app;

-- The protection plan of a rental. A rental may have proof of private insurance as well: private
-- insurance can be updated while a plan is active (specification, section 5).
CREATE TABLE ledger_protection_plans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  protection_plan_id uuid NOT NULL REFERENCES protection_plans,
  starts_on date NOT NULL,
  ends_on date,
  user_id uuid REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (ends_on >= starts_on)
);
COMMENT ON COLUMN ledger_protection_plans.user_id IS
  'the sign-in that added it; null for the facility''s staff';
CREATE UNIQUE INDEX one_protection_plan
  ON ledger_protection_plans (ledger_id) WHERE ends_on IS NULL;
CREATE INDEX ON ledger_protection_plans (ledger_id);
ALTER TABLE ledger_protection_plans ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON ledger_protection_plans TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON ledger_protection_plans TO gatehouse_work USING (true);
CREATE POLICY office ON ledger_protection_plans FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT ON ledger_protection_plans TO gatehouse_app;
GRANT SELECT ON ledger_protection_plans TO gatehouse_office;

-- Proof of private insurance. What was given stays: a later policy marks the earlier one as
-- replaced.
CREATE TABLE private_policies (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  company text NOT NULL,
  policy_number text NOT NULL,
  coverage_cents bigint CHECK (coverage_cents > 0),
  starts_on date NOT NULL,
  ends_on date,
  user_id uuid REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  replaced_at timestamptz
);
COMMENT ON COLUMN private_policies.ends_on IS
  'the last day of the policy, by the facility''s calendar';
COMMENT ON COLUMN private_policies.user_id IS
  'the sign-in that gave it; null for the facility''s staff';
CREATE UNIQUE INDEX one_private_policy ON private_policies (ledger_id) WHERE replaced_at IS NULL;
CREATE INDEX ON private_policies (ledger_id);
CREATE INDEX private_policies_by_end ON private_policies (ends_on) WHERE replaced_at IS NULL;
ALTER TABLE private_policies ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON private_policies TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON private_policies TO gatehouse_work USING (true);
CREATE POLICY office ON private_policies FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT, UPDATE (replaced_at) ON private_policies TO gatehouse_app;
GRANT SELECT ON private_policies TO gatehouse_office;

-- How far a document is signed.
CREATE TABLE envelope_statuses (
  id integer PRIMARY KEY,
  name text NOT NULL
);
GRANT SELECT ON envelope_statuses TO gatehouse_app;

INSERT INTO envelope_statuses VALUES (1, 'Sent'), (2, 'Completed'), (3, 'Declined'), (4, 'Expired');

-- The documents of a rental that are signed electronically.
CREATE TABLE esign_documents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  form_name text NOT NULL,
  envelope_status_id integer NOT NULL REFERENCES envelope_statuses
);
CREATE INDEX ON esign_documents (ledger_id);
ALTER TABLE esign_documents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON esign_documents TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON esign_documents TO gatehouse_work USING (true);
GRANT SELECT ON esign_documents TO gatehouse_app;
