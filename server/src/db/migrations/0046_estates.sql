-- A tenant who died: whom the facility writes to instead. The address that the tenant had signs in
-- no more, and no mail or text goes to it.
CREATE TABLE estates (
  tenant_id uuid PRIMARY KEY REFERENCES tenants,
  facility_id uuid NOT NULL REFERENCES facilities,
  closed_email text NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  relation text CHECK (length(relation) BETWEEN 1 AND 100),
  phone text,
  email text,
  note text CHECK (length(note) BETWEEN 1 AND 500),
  by_name text NOT NULL,
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE estates IS 'the tenants who died, each with an executor';
COMMENT ON COLUMN estates.closed_email IS
  'the address of the record then, which signs in no more and gets no mail';
COMMENT ON COLUMN estates.name IS 'of the executor, as relation, phone, email and note';
ALTER TABLE estates ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- A mail to a tenant reads whether it goes to an executor.
CREATE POLICY own ON estates FOR SELECT TO gatehouse_app
  USING (tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON estates TO gatehouse_work USING (true);
CREATE POLICY office ON estates FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
GRANT SELECT (tenant_id, closed_email, name, email) ON estates TO gatehouse_app;
GRANT SELECT, INSERT, DELETE, UPDATE (name, relation, phone, email, note, by_name, created_at)
  ON estates TO gatehouse_work;
GRANT SELECT ON estates TO gatehouse_office;

-- Whether the address of a record is that of a tenant who died.
CREATE FUNCTION is_closed_by_death(of_tenant uuid) RETURNS boolean STABLE LANGUAGE sql
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM estates e JOIN tenants t ON t.id = e.tenant_id
    WHERE t.id = of_tenant AND lower(t.email) = lower(e.closed_email));
END;
