-- The passkeys (WebAuthn) that a user signs in with. The private half never leaves the authenticator.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  is_synced boolean NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
COMMENT ON COLUMN passkeys.public_key IS 'a COSE key (RFC 9052)';
CREATE INDEX ON passkeys (user_id, created_at);
GRANT SELECT, DELETE, INSERT, UPDATE (name) ON passkeys TO gatehouse_app;
GRANT SELECT, DELETE, UPDATE (counter, is_synced, last_used_at) ON passkeys TO gatehouse_work;

ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkeys FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON passkeys TO gatehouse_app USING (user_id = (SELECT own_user()));
CREATE POLICY work ON passkeys TO gatehouse_work USING (true);

-- The challenges that a passkey has answered, until they expire: each answer counts once.
CREATE TABLE used_challenges (
  challenge bytea PRIMARY KEY,
  used_at timestamptz NOT NULL
);
CREATE INDEX ON used_challenges (used_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON used_challenges TO gatehouse_work;
GRANT INSERT ON used_challenges TO gatehouse_app;

ALTER TABLE sessions ADD COLUMN browser text CHECK (length(browser) BETWEEN 1 AND 60);
COMMENT ON COLUMN sessions.browser IS 'what the browser called itself at the sign-in, such as Chrome on Android; null for what is not known';
