-- Gate codes, and the controllers of the gates.

-- Whether the gate is suspended and the code withheld on a day: locked by hand, or owing as much
-- and for as long as the facility says. With the defaults, 0 days and 1 cent, that is anything owed
-- (specification, section 4).
CREATE FUNCTION is_gate_suspended(balance_cents bigint, owed_since date, overlocked_at timestamptz,
  grace_days integer, least_cents bigint, day date)
  RETURNS boolean IMMUTABLE PARALLEL SAFE LANGUAGE sql
  RETURN overlocked_at IS NOT NULL
    OR (balance_cents >= least_cents
      AND (grace_days = 0 OR owed_since IS NULL OR day - owed_since >= grace_days));
COMMENT ON FUNCTION is_gate_suspended IS
  'as isSuspended of features/service/gate-access/suspension.ts';

-- The code of a rental at the gate, sealed.
CREATE TABLE gate_codes (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  access_code text NOT NULL,
  CONSTRAINT access_code_is_sealed CHECK (starts_with(access_code, 'sealed:1:'))
);
COMMENT ON COLUMN gate_codes.access_code IS 'sealed (vault.ts)';
ALTER TABLE gate_codes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON gate_codes TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON gate_codes TO gatehouse_work USING (true);
GRANT SELECT ON gate_codes TO gatehouse_app;
GRANT INSERT, UPDATE (access_code) ON gate_codes TO gatehouse_work;

-- The gate codes that were shown in a kept session, as digests under the server's key: one that has
-- changed since needs the passkey again.
CREATE TABLE shown_gate_codes (
  token_hash bytea NOT NULL REFERENCES sessions ON DELETE CASCADE,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  PRIMARY KEY (token_hash, ledger_id)
);
ALTER TABLE shown_gate_codes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON shown_gate_codes TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[])
    AND token_hash IN (SELECT s.token_hash FROM sessions s));
CREATE POLICY work ON shown_gate_codes TO gatehouse_work USING (true);
GRANT SELECT, INSERT, UPDATE (digest) ON shown_gate_codes TO gatehouse_app;

-- What the controller of each facility's gate knows. What it should know is compared with that,
-- again and again, so that no change of a rental can be missed (features/service/gate-controllers).
CREATE TABLE gate_controllers (
  facility_id uuid PRIMARY KEY REFERENCES facilities,
  sequence bigint NOT NULL DEFAULT 0,
  target text,
  is_whole_due boolean NOT NULL DEFAULT true,
  next_at timestamptz NOT NULL,
  leased_until timestamptz,
  failures integer NOT NULL DEFAULT 0,
  synced_at timestamptz NOT NULL
);
COMMENT ON COLUMN gate_controllers.sequence IS
  'the number of the last message; an outcome is written only while it is still that';
COMMENT ON COLUMN gate_controllers.target IS
  'which controller was updated; another one knows nothing yet';
COMMENT ON COLUMN gate_controllers.is_whole_due IS 'everything is sent, not only what changed';
COMMENT ON COLUMN gate_controllers.synced_at IS
  'when the controller last knew everything that it should';
GRANT SELECT, INSERT, UPDATE, DELETE ON gate_controllers TO gatehouse_work;

-- What was last sent to the controller of each unit.
CREATE TABLE gate_pushes (
  unit_id uuid PRIMARY KEY REFERENCES units,
  facility_id uuid NOT NULL REFERENCES facilities,
  unit_name text NOT NULL,
  ledger_id uuid NOT NULL,
  gate_schedule_id integer NOT NULL,
  is_suspended boolean NOT NULL,
  code_digest bytea NOT NULL,
  pushed_at timestamptz NOT NULL
);
COMMENT ON COLUMN gate_pushes.code_digest IS 'SHA-256 of the sealed code';
CREATE INDEX ON gate_pushes (facility_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON gate_pushes TO gatehouse_work;
