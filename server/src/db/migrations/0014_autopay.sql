-- The tenant's consent, word for word (D13). Append-only; its end is a row of its own.
CREATE TABLE mandates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  user_id uuid REFERENCES users,
  payment_method_id uuid NOT NULL REFERENCES payment_methods,
  text_version text NOT NULL,
  text text NOT NULL,
  text_hash bytea NOT NULL,
  agreed_at timestamptz NOT NULL,
  ip text,
  user_agent text
);
CREATE INDEX ON mandates (ledger_id, agreed_at);
CREATE TABLE mandate_ends (
  mandate_id uuid PRIMARY KEY REFERENCES mandates,
  ended_at timestamptz NOT NULL,
  reason text NOT NULL CHECK (reason IN ('replaced', 'switched_off', 'returned', 'moved_out')),
  user_id uuid REFERENCES users
);

-- Active means: there is a live mandate. Autopay set up before mandates were kept stays as it is, without one.
ALTER TABLE autopays ADD COLUMN mandate_id uuid REFERENCES mandates;

-- One item a ledger and due date, whatever runs how often (D11, I8). Each attempt is a payment intent, and while one is open
-- the item is `trying`, so that no other worker takes it up.
CREATE TABLE autopay_items (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  due_on date NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'trying', 'paid', 'skipped', 'failed')),
  try_on date,
  first_try_on date,
  amount_cents bigint CHECK (amount_cents > 0),
  declines integer NOT NULL DEFAULT 0 CHECK (declines BETWEEN 0 AND 4),
  re_presentments integer NOT NULL DEFAULT 0 CHECK (re_presentments <= 2),
  note text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (ledger_id, due_on),
  CHECK ((state IN ('waiting', 'trying')) = (try_on IS NOT NULL)),
  CHECK (state NOT IN ('trying', 'paid', 'failed') OR (first_try_on IS NOT NULL AND amount_cents IS NOT NULL))
);
CREATE INDEX autopay_items_open ON autopay_items (ledger_id) WHERE state IN ('waiting', 'trying');
COMMENT ON COLUMN autopay_items.try_on IS 'the facility''s day of the next attempt, or of the one under way';
COMMENT ON COLUMN autopay_items.amount_cents IS 'what the first attempt was for: a later one takes no more';
COMMENT ON COLUMN autopay_items.note IS 'why it was skipped or failed, in words for the tenant';
ALTER TABLE payment_intents ADD COLUMN autopay_item_id uuid REFERENCES autopay_items;
CREATE INDEX ON payment_intents (autopay_item_id) WHERE autopay_item_id IS NOT NULL;

-- One setting of autopay under an Idempotency-Key: the row comes before the gateway is asked to keep a method. Without a
-- mandate it is under way, or was given up.
CREATE TABLE autopay_updates (
  user_id uuid NOT NULL REFERENCES users,
  idempotency_key text NOT NULL,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  request_hash bytea NOT NULL,
  mandate_id uuid REFERENCES mandates,
  begun_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, idempotency_key)
);
COMMENT ON COLUMN autopay_updates.begun_at IS 'when the try under way began; null where it was refused';

CREATE TABLE card_warnings (
  payment_method_id uuid NOT NULL REFERENCES payment_methods,
  days integer NOT NULL CHECK (days IN (30, 7)),
  warned_at timestamptz NOT NULL,
  PRIMARY KEY (payment_method_id, days)
);

GRANT SELECT, INSERT ON mandates, mandate_ends, card_warnings TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE ON autopay_items, autopay_updates TO gatehouse_app;
