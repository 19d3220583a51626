-- The roles, and how the database knows for which caller it works.
--
-- The login of DATABASE_URL owns the tables and migrates them. What serves takes on one of three
-- roles that own nothing, so that append-only tables and row-level security bind them:
--   gatehouse_app     requests of tenants: the rows of the caller
--   gatehouse_work    jobs, verbs of staff, and what precedes a known caller: every row, and the
--                     rights of gatehouse_app
--   gatehouse_office  readings of staff: the rows of their facilities
-- A table's policies are named after them: "own" (app), "work", "office"; or "others" (app and
-- work) where only readings of staff are limited. They are a second wall behind the WHERE of each
-- query: a query that has lost its WHERE shows no other tenant's rows. What is sealed, and the
-- hashes of passwords, are not granted to the office.
-- Roles belong to the cluster, so another database may have made them.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['gatehouse_app', 'gatehouse_work', 'gatehouse_office'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE', name);
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
    -- The owner's connections take the role on when they serve (database.ts).
    IF NOT pg_has_role(current_user, name, 'MEMBER')
      OR NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
      EXECUTE format('GRANT %I TO %I', name, current_user);
    END IF;
  END LOOP;
  IF NOT pg_has_role('gatehouse_work', 'gatehouse_app', 'MEMBER') THEN
    GRANT gatehouse_app TO gatehouse_work;
  END IF;
END $$;

GRANT USAGE ON SCHEMA public TO gatehouse_app, gatehouse_office;
GRANT SELECT ON kysely_migration TO gatehouse_app;

-- The caller whose rows the connection reaches, as the guard found it (reach.ts); none where
-- it was not set. Policies read a setting once a statement, not once a row: hence the inner SELECT
-- of each.
CREATE FUNCTION own_user() RETURNS uuid STABLE PARALLEL SAFE LANGUAGE sql
  RETURN nullif(current_setting('app.user_id', true), '')::uuid;

CREATE FUNCTION own_tenants() RETURNS uuid[] STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce(nullif(current_setting('app.tenant_ids', true), ''), '{}')::uuid[];

CREATE FUNCTION own_ledgers() RETURNS uuid[] STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce(nullif(current_setting('app.ledger_ids', true), ''), '{}')::uuid[];

-- The facilities that the member of staff may read.
CREATE FUNCTION office_is_all() RETURNS boolean STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce(nullif(current_setting('app.is_all', true), '')::boolean, false);

CREATE FUNCTION office_facilities() RETURNS uuid[] STABLE PARALLEL SAFE LANGUAGE sql
  RETURN coalesce(nullif(current_setting('app.facility_ids', true), ''), '{}')::uuid[];
