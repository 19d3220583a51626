-- The browsers from which a user signed in. A token counts at the sign-in of its own user alone; only its hash is kept.
CREATE TABLE devices (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
CREATE INDEX ON devices (user_id, last_used_at);
CREATE INDEX ON devices (last_used_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON devices TO gatehouse_work;
