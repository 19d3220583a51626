-- A reversal takes a payment back, a return wholly and once, a refund in part or wholly. What the payment had settled is
-- open again by allocations below 0 under the same payment.
CREATE TABLE reversals (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  payment_entry_id uuid NOT NULL REFERENCES entries,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  reason text NOT NULL CHECK (reason IN ('return', 'refund', 'correction')),
  description text NOT NULL
);
CREATE UNIQUE INDEX one_return ON reversals (payment_entry_id) WHERE reason = 'return';
CREATE INDEX ON reversals (payment_entry_id);
CREATE INDEX ON reversals (ledger_id);

ALTER TABLE allocations ADD COLUMN reversal_entry_id uuid REFERENCES entries,
  ADD CONSTRAINT below_zero_is_reversed CHECK ((amount_cents < 0) = (reversal_entry_id IS NOT NULL));
COMMENT ON COLUMN allocations.credit_entry_id IS 'the payment or credit; also where a reversal takes some of it back';

-- A credit of the tenant that is no payment: an adjustment in the tenant's favour.
CREATE TABLE credits (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  description text NOT NULL
);

-- What of each payment or credit has settled no charge and was not taken back: it is used before anything is charged.
CREATE VIEW open_credits WITH (security_invoker = true) AS
  SELECT e.id AS entry_id, e.ledger_id, e.position,
    -e.amount_cents - coalesce(back.cents, 0) - coalesce(used.cents, 0) AS left_cents
  FROM entries e
  LEFT JOIN LATERAL (
    SELECT sum(r.amount_cents)::bigint AS cents
    FROM reversals rev JOIN entries r ON r.id = rev.entry_id WHERE rev.payment_entry_id = e.id
  ) back ON true
  LEFT JOIN LATERAL (
    SELECT sum(a.amount_cents)::bigint AS cents FROM allocations a WHERE a.credit_entry_id = e.id
  ) used ON true
  WHERE e.amount_cents < 0 AND -e.amount_cents > coalesce(back.cents, 0) + coalesce(used.cents, 0);

GRANT SELECT, INSERT ON reversals, credits TO gatehouse_app;
GRANT SELECT ON open_credits TO gatehouse_app;

-- The intent says who began it, with which saved method, and whether those it concerns have been told (told_at null: not
-- yet): the row is its own queue.
ALTER TABLE payment_intents
  ADD COLUMN initiator text NOT NULL DEFAULT 'tenant' CHECK (initiator IN ('tenant', 'autopay')),
  ADD COLUMN payment_method_id uuid REFERENCES payment_methods,
  ADD COLUMN told_at timestamptz,
  ADD COLUMN not_found integer NOT NULL DEFAULT 0,
  ADD COLUMN looked_up_at timestamptz,
  ADD COLUMN is_hard_decline boolean,
  ADD COLUMN return_code text;
UPDATE payment_intents SET told_at = updated_at;
CREATE INDEX payment_intents_untold ON payment_intents (updated_at)
  WHERE told_at IS NULL AND state NOT IN ('submitted', 'unknown', 'never_sent');
CREATE INDEX payment_intents_pending ON payment_intents (looked_up_at) WHERE state = 'pending';
CREATE INDEX ON payment_intents (created_at);
COMMENT ON COLUMN payment_intents.not_found IS 'how often the gateway did not know the reference (D4)';
COMMENT ON COLUMN payment_intents.return_code IS 'why a bank debit came back, as in R01';

ALTER TABLE payment_methods
  ADD COLUMN funding text NOT NULL DEFAULT 'unknown' CHECK (funding IN ('credit', 'debit', 'prepaid', 'unknown')),
  ADD COLUMN refused_at timestamptz;
COMMENT ON COLUMN payment_methods.refused_at IS 'a hard decline or a stopping return: autopay does not try this method again';
GRANT UPDATE (refused_at) ON payment_methods TO gatehouse_app;

-- A part of a posted payment that goes back to the tenant. The refund's id is its reference at the gateway.
CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_entry_id uuid NOT NULL REFERENCES entries,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  state text NOT NULL CHECK (state IN ('submitted', 'succeeded', 'failed')),
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX one_open_refund ON refunds (payment_entry_id) WHERE state = 'submitted';
GRANT SELECT, INSERT, UPDATE ON refunds TO gatehouse_app;

-- The tenant's number at the outside gateway, which keeps the saved methods under it.
CREATE TABLE gateway_customers (
  tenant_id uuid PRIMARY KEY REFERENCES tenants,
  customer text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT ON gateway_customers TO gatehouse_app;

-- The sandbox gateway's side of what happens later to a bank debit, and of refunds.
ALTER TABLE sandbox_gateway.charges ADD COLUMN return_code text;
COMMENT ON COLUMN sandbox_gateway.charges.return_code IS 'a bank debit that will come back, two days after it was taken in';
CREATE TABLE sandbox_gateway.refunds (
  reference uuid PRIMARY KEY,
  charge_reference uuid NOT NULL REFERENCES sandbox_gateway.charges,
  amount_cents bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE sandbox_gateway.methods ADD COLUMN funding text NOT NULL DEFAULT 'unknown';
GRANT SELECT, INSERT ON sandbox_gateway.refunds TO gatehouse_app;
