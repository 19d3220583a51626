-- Two roles from the start: whoever runs this owns the tables; gatehouse_app serves and owns nothing, so that
-- append-only tables and row-level security bind it. Roles belong to the cluster, so another database may have made it.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_app') THEN
    CREATE ROLE gatehouse_app NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;

-- The owner's connections take the app role on when they serve (database.ts).
DO $$
BEGIN
  IF NOT pg_has_role(current_user, 'gatehouse_app', 'MEMBER') OR NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    EXECUTE format('GRANT gatehouse_app TO %I', current_user);
  END IF;
END $$;

GRANT USAGE ON SCHEMA public TO gatehouse_app;

GRANT SELECT ON kysely_migration TO gatehouse_app;
