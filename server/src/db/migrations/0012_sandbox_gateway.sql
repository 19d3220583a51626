-- The sandbox's own payment gateway and gate, apart from our books: what it captured can be asked
-- without asking our ledger.
CREATE SCHEMA sandbox_gateway;
GRANT USAGE ON SCHEMA sandbox_gateway TO gatehouse_work;

-- The cards and accounts that it keeps.
CREATE TABLE sandbox_gateway.methods (
  token text PRIMARY KEY,
  type text NOT NULL,
  last_four text NOT NULL,
  behaviour text NOT NULL,
  funding text NOT NULL DEFAULT 'unknown',
  fingerprint text
);
GRANT SELECT, INSERT ON sandbox_gateway.methods TO gatehouse_work;

-- What it was asked to take, and what came of it.
CREATE TABLE sandbox_gateway.charges (
  reference uuid PRIMARY KEY,
  amount_cents bigint NOT NULL,
  type text NOT NULL,
  last_four text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('captured', 'accepted', 'declined', 'voided')),
  decline_message text,
  created_at timestamptz NOT NULL DEFAULT now(),
  return_code text
);
COMMENT ON COLUMN sandbox_gateway.charges.outcome IS
  'captured: a card was charged; accepted: a bank debit was taken in; voided: nothing was charged '
  'and nothing ever will be';
COMMENT ON COLUMN sandbox_gateway.charges.return_code IS
  'a bank debit that will come back, two days after it was taken in';
GRANT SELECT, INSERT ON sandbox_gateway.charges TO gatehouse_work;

-- What it gave back, also in its dashboard.
CREATE TABLE sandbox_gateway.refunds (
  reference uuid PRIMARY KEY,
  charge_reference uuid NOT NULL REFERENCES sandbox_gateway.charges,
  amount_cents bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  is_outside boolean NOT NULL DEFAULT false,
  outcome text NOT NULL DEFAULT 'succeeded' CHECK (outcome IN ('succeeded', 'failed'))
);
COMMENT ON COLUMN sandbox_gateway.refunds.is_outside IS
  'made in the dashboard: the reference is the gateway''s own';
CREATE INDEX ON sandbox_gateway.refunds (charge_reference);
CREATE INDEX ON sandbox_gateway.refunds (created_at, reference);
GRANT SELECT, INSERT ON sandbox_gateway.refunds TO gatehouse_work;

-- Disputes of its card payments.
CREATE TABLE sandbox_gateway.disputes (
  id text PRIMARY KEY,
  charge_reference uuid NOT NULL REFERENCES sandbox_gateway.charges,
  amount_cents bigint NOT NULL,
  standing text NOT NULL CHECK (standing IN ('inquiry', 'opened', 'won', 'lost')),
  evidence_due_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX ON sandbox_gateway.disputes (charge_reference);
CREATE INDEX ON sandbox_gateway.disputes (created_at, id);
GRANT SELECT ON sandbox_gateway.disputes TO gatehouse_work;

-- What the stand-in for a gate's controller knows.
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
