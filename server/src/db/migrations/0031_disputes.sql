-- The sandbox gateway's side of refunds in its dashboard and of disputes.
ALTER TABLE sandbox_gateway.refunds
  ADD COLUMN is_outside boolean NOT NULL DEFAULT false,
  ADD COLUMN outcome text NOT NULL DEFAULT 'succeeded' CHECK (outcome IN ('succeeded', 'failed'));
COMMENT ON COLUMN sandbox_gateway.refunds.is_outside IS 'made in the dashboard: the reference is the gateway''s own';
CREATE INDEX ON sandbox_gateway.refunds (charge_reference);
CREATE INDEX ON sandbox_gateway.refunds (created_at, reference);

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
