-- The sandbox gateway's own books, apart from ours: what it captured can be asked without asking our ledger.
CREATE SCHEMA sandbox_gateway;

CREATE TABLE sandbox_gateway.methods (
  token text PRIMARY KEY,
  type text NOT NULL,
  last_four text NOT NULL,
  behaviour text NOT NULL
);

CREATE TABLE sandbox_gateway.charges (
  reference uuid PRIMARY KEY,
  amount_cents bigint NOT NULL,
  type text NOT NULL,
  last_four text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('captured', 'accepted', 'declined', 'voided')),
  decline_message text,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN sandbox_gateway.charges.outcome IS
  'captured: a card was charged; accepted: a bank debit was taken in; voided: nothing was charged and nothing ever will be';

GRANT USAGE ON SCHEMA sandbox_gateway TO gatehouse_app;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA sandbox_gateway TO gatehouse_app;
