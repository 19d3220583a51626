-- What the controller of each facility's gate was told. What it should know is compared with that, again and again, so that
-- no change of a rental can be missed (features/gate-controllers).
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
COMMENT ON COLUMN gate_controllers.sequence IS 'the number of the last message; whoever writes what came of one must still have it';
COMMENT ON COLUMN gate_controllers.target IS 'which controller was told; another one knows nothing yet';
COMMENT ON COLUMN gate_controllers.is_whole_due IS 'everything is told, not only what changed';
COMMENT ON COLUMN gate_controllers.synced_at IS 'when the controller last knew everything that it should';

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
CREATE INDEX ON gate_pushes (facility_id);
COMMENT ON COLUMN gate_pushes.code_digest IS 'SHA-256 of the sealed code';

GRANT SELECT, INSERT, UPDATE, DELETE ON gate_controllers, gate_pushes TO gatehouse_work;

-- The stand-in for a gate in the sandbox.
CREATE TABLE sandbox_gateway.gate_units (
  facility text NOT NULL,
  unit_id uuid NOT NULL,
  unit_name text NOT NULL,
  gate_schedule_id integer NOT NULL,
  is_suspended boolean NOT NULL,
  code_digest bytea NOT NULL,
  sequence bigint NOT NULL,
  PRIMARY KEY (facility, unit_id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox_gateway.gate_units TO gatehouse_work;

-- `users disable` and `users enable` of the command line.
GRANT UPDATE (disabled_at) ON users TO gatehouse_work;
