-- What the gateway tells by itself: kept once, answered at once, then looked up at the gateway (D8).
CREATE TABLE gateway_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  reference uuid,
  amount_cents bigint,
  body jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'done', 'parked')),
  handled_at timestamptz,
  fault text
);
CREATE INDEX gateway_events_new ON gateway_events (received_at) WHERE state = 'new';
COMMENT ON COLUMN gateway_events.body IS 'scrubbed: no number of a card or account, no address';

-- Our books held against the gateway's list (D9).
CREATE TABLE reconciliations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('open_intents', 'daily')),
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  compared bigint NOT NULL DEFAULT 0
);
CREATE TABLE differences (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  class text NOT NULL CHECK (class IN ('gateway_only', 'ledger_only', 'amount', 'status', 'duplicate')),
  reference text NOT NULL,
  ours jsonb,
  theirs jsonb,
  found_at timestamptz NOT NULL,
  UNIQUE (class, reference)
);
-- The gateway's list while it is being compared: emptied at the end of a run, and worth nothing after a crash.
CREATE UNLOGGED TABLE gateway_lines (
  reconciliation_id uuid NOT NULL,
  place bigint NOT NULL,
  reference text NOT NULL,
  amount_cents bigint NOT NULL,
  standing text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (reconciliation_id, place)
);
CREATE INDEX ON gateway_lines (reconciliation_id, reference);
GRANT SELECT, INSERT, DELETE ON gateway_lines TO gatehouse_app;
GRANT SELECT, INSERT ON gateway_events, differences TO gatehouse_app;
GRANT UPDATE (state, handled_at, fault) ON gateway_events TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE ON reconciliations TO gatehouse_app;
