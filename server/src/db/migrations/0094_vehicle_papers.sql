-- Registration and insurance of the vehicle or vessel of a rental: a file with its number and last day. One that is filed
-- in place of another leaves that one as replaced; one that the tenant removes is deleted with its file.
CREATE TABLE vehicle_papers (
  id uuid PRIMARY KEY,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  facility_id uuid NOT NULL REFERENCES facilities,
  kind text NOT NULL CHECK (kind IN ('registration', 'insurance')),
  number text NOT NULL CHECK (starts_with(number, 'sealed:1:')),
  expires_on date NOT NULL,
  file_name text,
  content_type text NOT NULL CHECK (content_type IN ('application/pdf', 'image/jpeg', 'image/webp')),
  bytes integer NOT NULL CHECK (bytes > 0),
  file_key uuid NOT NULL UNIQUE,
  user_id uuid REFERENCES users,
  created_at timestamptz NOT NULL,
  replaced_at timestamptz
);
COMMENT ON COLUMN vehicle_papers.number IS 'sealed (vault.ts)';
COMMENT ON COLUMN vehicle_papers.file_name IS 'the name on the tenant''s device, as it was sent: a text, never a path';
-- Of each kind one is on file.
CREATE UNIQUE INDEX ON vehicle_papers (ledger_id, kind) WHERE replaced_at IS NULL;
CREATE INDEX ON vehicle_papers (ledger_id);
CREATE INDEX ON vehicle_papers (expires_on) WHERE replaced_at IS NULL;
CREATE INDEX ON vehicle_papers (replaced_at) WHERE replaced_at IS NOT NULL;
GRANT SELECT, INSERT, DELETE, UPDATE (replaced_at) ON vehicle_papers TO gatehouse_app;

ALTER TABLE vehicle_papers ENABLE ROW LEVEL SECURITY;
ALTER TABLE vehicle_papers FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON vehicle_papers TO gatehouse_app USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON vehicle_papers TO gatehouse_work USING (true);
-- By a column of its own: the owner, who looks through the sealed numbers at each start, then needs no other table.
CREATE POLICY office ON vehicle_papers FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
-- The office needs no number: it is on the paper.
GRANT SELECT (id, ledger_id, facility_id, kind, expires_on, content_type, bytes, file_key, created_at, replaced_at)
  ON vehicle_papers TO gatehouse_office;

-- That a tenant was reminded of a paper so many days before its last day: each once, whoever asks.
CREATE TABLE vehicle_paper_reminders (
  paper_id uuid NOT NULL REFERENCES vehicle_papers ON DELETE CASCADE,
  days integer NOT NULL CHECK (days IN (60, 30, 7)),
  reminded_at timestamptz NOT NULL,
  PRIMARY KEY (paper_id, days)
);
GRANT SELECT, INSERT ON vehicle_paper_reminders TO gatehouse_work;

-- Every file in the store that has a row: what a backup takes with it, and what no sweep removes.
CREATE VIEW kept_files WITH (security_invoker = true) AS
  SELECT file_key, bytes FROM images UNION ALL SELECT file_key, bytes FROM vehicle_papers;
GRANT SELECT ON kept_files TO gatehouse_work;

-- The papers of rentals that ended long ago, and those that were replaced long ago; their files are removed by whoever asks.
CREATE FUNCTION forget_old_vehicle_papers(most integer) RETURNS SETOF uuid
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM vehicle_papers WHERE id IN (
    SELECT p.id FROM vehicle_papers p JOIN ledgers l ON l.id = p.ledger_id
    WHERE p.replaced_at < now() - interval '2 years' OR l.moved_out_on < now() - interval '2 years'
    LIMIT most FOR UPDATE OF p SKIP LOCKED)
  RETURNING file_key
$$;
REVOKE EXECUTE ON FUNCTION forget_old_vehicle_papers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_old_vehicle_papers TO gatehouse_work;
