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

-- A refund is of a whole capture, or of one ledger's part of it, and in one of four ways. One that was made in the
-- gateway's dashboard has the gateway's id, so that it is posted once.
ALTER TABLE refunds
  ALTER COLUMN payment_entry_id DROP NOT NULL,
  ADD COLUMN intent_id uuid REFERENCES payment_intents,
  ADD COLUMN way text NOT NULL DEFAULT 'gateway' CHECK (way IN ('gateway', 'dashboard', 'cash', 'check')),
  ADD COLUMN check_number text,
  ADD COLUMN gateway_id text UNIQUE,
  ADD COLUMN posted_cents bigint,
  ADD COLUMN fault text,
  ADD COLUMN receipt_number text NOT NULL UNIQUE DEFAULT nextval('receipt_numbers')::text;
UPDATE refunds SET
  intent_id = (SELECT p.intent_id FROM payments p WHERE p.entry_id = payment_entry_id),
  posted_cents = CASE state WHEN 'succeeded' THEN amount_cents END;
ALTER TABLE refunds
  ALTER COLUMN intent_id SET NOT NULL,
  ADD CHECK ((state = 'succeeded') = (posted_cents IS NOT NULL)),
  ADD CHECK (posted_cents BETWEEN 0 AND amount_cents),
  ADD CHECK ((way = 'dashboard') = (gateway_id IS NOT NULL)),
  ADD CHECK ((way = 'check') = (check_number IS NOT NULL));
COMMENT ON COLUMN refunds.payment_entry_id IS 'the part that it is of; null for all parts of the capture, the last first';
COMMENT ON COLUMN refunds.posted_cents IS 'what the reversals take back: less than was given back where less was left';
COMMENT ON COLUMN refunds.fault IS 'why the gateway refused it';
DROP INDEX one_open_refund;
CREATE UNIQUE INDEX one_open_refund ON refunds (intent_id) WHERE state = 'submitted';
CREATE INDEX ON refunds (intent_id);

-- A dispute of a card payment. Opened, the amount is taken back from the ledgers; won, credits restore it.
CREATE TABLE disputes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  gateway_id text NOT NULL UNIQUE,
  intent_id uuid NOT NULL REFERENCES payment_intents,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  posted_cents bigint NOT NULL CHECK (posted_cents BETWEEN 0 AND amount_cents),
  state text NOT NULL CHECK (state IN ('opened', 'won', 'lost')),
  evidence_due_at timestamptz,
  opened_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  CHECK ((state = 'opened') = (decided_at IS NULL))
);
COMMENT ON COLUMN disputes.opened_at IS 'by the gateway';
CREATE INDEX ON disputes (intent_id);
CREATE INDEX disputes_opened ON disputes (opened_at) WHERE state = 'opened';
CREATE TABLE dispute_parts (
  reversal_entry_id uuid PRIMARY KEY REFERENCES reversals,
  dispute_id uuid NOT NULL REFERENCES disputes,
  credit_entry_id uuid UNIQUE REFERENCES credits
);
CREATE INDEX ON dispute_parts (dispute_id);
GRANT SELECT, INSERT ON disputes, dispute_parts TO gatehouse_work;
GRANT UPDATE (state, decided_at) ON disputes TO gatehouse_work;
GRANT UPDATE (credit_entry_id) ON dispute_parts TO gatehouse_work;

ALTER TABLE mandate_ends DROP CONSTRAINT mandate_ends_reason_check,
  ADD CONSTRAINT mandate_ends_reason_check
    CHECK (reason IN ('replaced', 'switched_off', 'returned', 'moved_out', 'disputed'));

-- What the comparison finds that went back at the gateway and was not in the books.
ALTER TABLE differences DROP CONSTRAINT differences_class_check,
  ADD CONSTRAINT differences_class_check
    CHECK (class IN ('gateway_only', 'ledger_only', 'amount', 'status', 'duplicate', 'refund', 'dispute'));
