-- A hold (ledgers.is_on_hold) that staff set by the verb has its end, its reason and its author here; one that was imported
-- has none of these and ends when staff end it.
CREATE TABLE rental_holds (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  until_on date,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  why text NOT NULL CHECK (length(why) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE rental_holds IS 'the holds that last now';
COMMENT ON COLUMN rental_holds.until_on IS 'the first day that is not on hold; null until staff end it';
GRANT SELECT, INSERT, UPDATE, DELETE ON rental_holds TO gatehouse_work;
GRANT UPDATE (is_on_hold) ON ledgers TO gatehouse_work;
COMMENT ON COLUMN ledgers.is_on_hold IS 'staff stopped collecting: billed on, but no autopay, no late fee and no late notice';

-- What was mailed to whom because it was late: a tenant record is mailed once a day at most.
CREATE TABLE late_notices (
  tenant_id uuid NOT NULL REFERENCES tenants,
  on_day date NOT NULL,
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 150),
  owed_cents bigint NOT NULL CHECK (owed_cents > 0),
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, on_day)
);
GRANT SELECT, INSERT ON late_notices TO gatehouse_work;

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
GRANT SELECT, INSERT, UPDATE (removed_at) ON late_templates TO gatehouse_work;

DO $$
DECLARE
  walls text[][] := ARRAY[
    ['rental_holds', 'EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id)'],
    ['late_notices', 'EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id)'],
    ['late_templates', 'facility_id = ANY ((SELECT office_facilities())::uuid[])']
  ];
BEGIN
  FOR place IN 1 .. array_length(walls, 1) LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walls[place][1]);
    EXECUTE format('CREATE POLICY others ON %I TO gatehouse_app, gatehouse_work USING (true)', walls[place][1]);
    EXECUTE format('CREATE POLICY office ON %I FOR SELECT TO gatehouse_office USING ((SELECT office_is_all()) OR %s)',
      walls[place][1], walls[place][2]);
    EXECUTE format('GRANT SELECT ON %I TO gatehouse_office', walls[place][1]);
  END LOOP;
END $$;
