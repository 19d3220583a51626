-- The passkeys (WebAuthn) that are a second step of a member of staff. Requests of tenants and
-- readings of the office have no right here.
CREATE TABLE staff_passkeys (
  id uuid PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members,
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  is_synced boolean NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
COMMENT ON COLUMN staff_passkeys.public_key IS 'a COSE key (RFC 9052)';
CREATE INDEX ON staff_passkeys (staff_id, created_at);
GRANT SELECT, INSERT, DELETE, UPDATE (name, counter, is_synced, last_used_at) ON staff_passkeys TO gatehouse_work;

ALTER TABLE staff_passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff_passkeys FORCE ROW LEVEL SECURITY;
CREATE POLICY work ON staff_passkeys TO gatehouse_work USING (true);

-- Whether a member of staff has a second step: an authenticator app or a passkey.
CREATE FUNCTION has_second_step(member uuid) RETURNS boolean STABLE PARALLEL SAFE LANGUAGE sql
  RETURN EXISTS (SELECT FROM staff_members m WHERE m.id = member AND m.totp_secret IS NOT NULL)
    OR EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = member);
