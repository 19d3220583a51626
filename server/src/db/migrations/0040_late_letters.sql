-- Late letters, printed by staff: one a tenant record and day, kept as it was printed.
CREATE TABLE late_letters (
  tenant_id uuid NOT NULL REFERENCES tenants,
  on_day date NOT NULL,
  printing_id uuid NOT NULL,
  letter jsonb NOT NULL,
  owed_cents bigint NOT NULL CHECK (owed_cents > 0),
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, on_day)
);
COMMENT ON TABLE late_letters IS 'late letters, as they were printed';
COMMENT ON COLUMN late_letters.printing_id IS 'what was printed at once, in one PDF';
COMMENT ON COLUMN late_letters.letter IS 'addresses, subject, text and sums';
CREATE INDEX ON late_letters (printing_id);
ALTER TABLE late_letters ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON late_letters TO gatehouse_app, gatehouse_work USING (true);
CREATE POLICY office ON late_letters FOR SELECT TO gatehouse_office USING ((SELECT office_is_all())
  OR EXISTS (SELECT FROM office_tenants reach WHERE reach.id = tenant_id));
GRANT SELECT, INSERT ON late_letters TO gatehouse_work;
GRANT SELECT ON late_letters TO gatehouse_office;
