-- Further persons of a rental, each with a gate code of their own.
CREATE TABLE authorized_persons (
  id uuid PRIMARY KEY,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  facility_id uuid NOT NULL REFERENCES facilities,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  phone text,
  access_code text NOT NULL,
  last_on date,
  ended_at timestamptz,
  by_name text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT person_code_is_sealed CHECK (starts_with(access_code, 'sealed:1:'))
);
COMMENT ON TABLE authorized_persons IS
  'further persons of a rental, whose codes open while it lasts and is not locked out';
COMMENT ON COLUMN authorized_persons.access_code IS 'sealed (vault.ts)';
COMMENT ON COLUMN authorized_persons.last_on IS
  'the last day of the facility on which the code opens; null until staff end it';
CREATE INDEX ON authorized_persons (ledger_id);
ALTER TABLE authorized_persons ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON authorized_persons TO gatehouse_work USING (true);
-- By a column of its own: the owner, who looks through the sealed codes at each start, then needs
-- no other table.
CREATE POLICY office ON authorized_persons FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT, INSERT, UPDATE (ended_at, access_code) ON authorized_persons TO gatehouse_work;
GRANT SELECT (id, ledger_id, facility_id, name, phone, last_on, ended_at, by_name, created_at)
  ON authorized_persons TO gatehouse_office;
