-- What the gateway has paid out to the operator's bank, and the payments that each payout holds.
CREATE TABLE gateway_payouts (
  id text PRIMARY KEY,
  arrives_on date NOT NULL,
  standing text NOT NULL CHECK (standing IN ('underWay', 'paid', 'failed')),
  listed_at timestamptz
);
COMMENT ON COLUMN gateway_payouts.id IS 'the gateway''s own';
COMMENT ON COLUMN gateway_payouts.listed_at IS 'when payout_payments had all of its payments';
CREATE TABLE payout_payments (
  intent_id uuid PRIMARY KEY REFERENCES payment_intents,
  payout_id text NOT NULL REFERENCES gateway_payouts
);
CREATE INDEX ON payout_payments (payout_id);
GRANT SELECT, INSERT ON gateway_payouts, payout_payments TO gatehouse_work;
GRANT UPDATE (arrives_on, standing, listed_at) ON gateway_payouts TO gatehouse_work;
