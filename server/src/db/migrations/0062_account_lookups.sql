-- Lookups of an address, up to three open ones for each count: a lookup does not end another's code. `key` is the count
-- that it belongs to, a digest of the address or of its owner's device. Of token and code only hashes are kept (D19, D22).
-- An address that is not on file has rows too, with codes that nobody has (T6). `registrations` allows one open row for an
-- address; servers of the release before this one still need it, and a later migration drops it.
CREATE TABLE account_lookups (
  token_hash bytea PRIMARY KEY,
  key bytea NOT NULL,
  facility_id uuid NOT NULL REFERENCES facilities,
  email text NOT NULL CHECK (email = lower(email)),
  code_hash bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  verified_at timestamptz
);
CREATE INDEX ON account_lookups (key);
CREATE INDEX ON account_lookups (email);
CREATE INDEX ON account_lookups (created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON account_lookups TO gatehouse_work;
