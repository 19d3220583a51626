-- Who is mailed what at seven in the morning of a facility: what is late, what was taken yesterday, open alarms.
CREATE TABLE morning_recipients (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  facility_id uuid NOT NULL REFERENCES facilities,
  kind text NOT NULL CHECK (kind IN ('morning_late', 'morning_deposit', 'morning_alarms')),
  address text NOT NULL CHECK (length(address) BETWEEN 3 AND 254)
);
CREATE UNIQUE INDEX ON morning_recipients (facility_id, kind, lower(address));
GRANT SELECT, INSERT, DELETE ON morning_recipients TO gatehouse_work;
ALTER TABLE morning_recipients ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON morning_recipients TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON morning_recipients FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
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
