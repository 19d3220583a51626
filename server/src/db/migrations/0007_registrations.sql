-- The open registration of an address at a location: a repeat replaces it (spec section 4), but not one that is verified,
-- else anybody who knows an address could keep its owner from setting a password. Of token and code only hashes are kept
-- (D19, D22). An address that is not on file has a row too, with a code that nobody has (T6).
CREATE TABLE registrations (
  facility_id uuid NOT NULL REFERENCES facilities,
  email text NOT NULL CHECK (email = lower(email)),
  token_hash bytea PRIMARY KEY,
  code_hash bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  verified_at timestamptz
);
CREATE UNIQUE INDEX one_unverified_registration ON registrations (facility_id, email) WHERE verified_at IS NULL;
CREATE INDEX ON registrations (email);
CREATE INDEX ON registrations (created_at);

CREATE INDEX ON tenants (facility_id, lower(email));

GRANT SELECT, INSERT, UPDATE, DELETE ON registrations TO gatehouse_app;
GRANT INSERT ON users, user_tenants TO gatehouse_app;
GRANT UPDATE (password_hash) ON users TO gatehouse_app;
