-- A calendar that a tenant subscribes to by a private URL. Its token is computed from the id and the server's key, so that
-- the row alone opens nothing, and a deleted row ends it.
CREATE TABLE calendar_feeds (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  tenant_id uuid NOT NULL REFERENCES tenants,
  created_at timestamptz NOT NULL,
  UNIQUE (user_id, tenant_id)
);
CREATE INDEX ON calendar_feeds (tenant_id);
GRANT SELECT, INSERT, DELETE ON calendar_feeds TO gatehouse_app;

ALTER TABLE calendar_feeds ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendar_feeds FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON calendar_feeds TO gatehouse_app
  USING (user_id = (SELECT own_user()) AND tenant_id = ANY ((SELECT own_tenants())::uuid[]));
CREATE POLICY work ON calendar_feeds TO gatehouse_work USING (true);
