-- Imports of lease sheets in the office, which run as jobs.
CREATE TABLE lease_imports (
  id uuid PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members,
  by_name text NOT NULL,
  is_preview boolean NOT NULL,
  given text CHECK (starts_with(given, 'sealed:1:')),
  report text CHECK (starts_with(report, 'sealed:1:')),
  state text NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
  tries integer NOT NULL DEFAULT 0,
  step text,
  step_done bigint,
  step_total bigint,
  says text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((ended_at IS NULL) = (state IN ('waiting', 'running'))),
  CHECK (given IS NULL OR ended_at IS NULL)
);
COMMENT ON TABLE lease_imports IS
  'imports of lease sheets that were asked for in the office, and previews of them for a day';
COMMENT ON COLUMN lease_imports.given IS
  'sealed: the files, how they are read and who asks, as JSON; only until it has ended';
COMMENT ON COLUMN lease_imports.report IS 'sealed: what came of it, as JSON; for a day';
COMMENT ON COLUMN lease_imports.tries IS 'how often a process has begun it';
COMMENT ON COLUMN lease_imports.step IS
  'what is done now, with how much of it is done and in sum';
COMMENT ON COLUMN lease_imports.says IS 'why it failed, in a sentence';
CREATE INDEX ON lease_imports (created_at);
CREATE TABLE lease_import_places (
  import_id uuid NOT NULL REFERENCES lease_imports,
  facility_id uuid NOT NULL REFERENCES facilities,
  leases integer NOT NULL,
  imported_at timestamptz NOT NULL,
  PRIMARY KEY (import_id, facility_id)
);
COMMENT ON TABLE lease_import_places IS
  'what an import has brought, written with it: one row a facility';
COMMENT ON COLUMN lease_import_places.leases IS 'how many rentals are new';
CREATE INDEX ON lease_import_places (facility_id);
ALTER TABLE lease_imports ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE lease_import_places ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON lease_imports TO gatehouse_work USING (true);
CREATE POLICY work ON lease_import_places TO gatehouse_work USING (true);
GRANT SELECT, INSERT, DELETE,
  UPDATE (given, report, state, tries, step, step_done, step_total, says, ended_at)
  ON lease_imports TO gatehouse_work;
GRANT SELECT ON lease_import_places TO gatehouse_work;
