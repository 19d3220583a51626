-- The browsers in which members of staff have signed in. Each has a count of wrong passwords of its
-- own, so that no stranger keeps a member out. Only the token's hash is kept.
CREATE TABLE staff_devices (
  token_hash bytea PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
CREATE INDEX ON staff_devices (staff_id, last_used_at);
CREATE INDEX ON staff_devices (last_used_at);
ALTER TABLE staff_devices ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON staff_devices TO gatehouse_work USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON staff_devices TO gatehouse_work;

-- Counts the locks of a day of an account, known or not.
CREATE INDEX audit_events_of_staff_sign_in
  ON audit_events (account, at) WHERE kind IN ('staff_sign_in_failed', 'staff_second_step_asked');

ALTER TABLE staff_sessions ADD COLUMN browser text;
COMMENT ON COLUMN staff_sessions.browser IS
  'the browser as it named itself, for the member''s list; null where it did not';
