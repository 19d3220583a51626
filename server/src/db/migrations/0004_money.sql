-- Money in integer cents. Entries and allocations are append-only: the app role may insert and read, nothing else (D1).

-- A debit is above 0 (charge, reversal of a payment), a credit below (payment, credit); a month that is discounted in
-- full is a charge of 0.
CREATE TABLE entries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  position bigint GENERATED ALWAYS AS IDENTITY,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  kind text NOT NULL CHECK (kind IN ('charge', 'payment', 'credit', 'reversal')),
  amount_cents bigint NOT NULL,
  posted_on date NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (CASE kind WHEN 'charge' THEN amount_cents >= 0 WHEN 'reversal' THEN amount_cents > 0 ELSE amount_cents < 0 END)
);
CREATE INDEX entries_ledger ON entries (ledger_id, position);

CREATE TABLE charges (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  category text NOT NULL CHECK (category IN ('rent', 'service', 'insurance', 'fee')),
  description text NOT NULL,
  due_on date NOT NULL,
  period_end date,
  price_cents bigint NOT NULL CHECK (price_cents >= 0),
  discount_cents bigint NOT NULL DEFAULT 0 CHECK (discount_cents >= 0 AND discount_cents <= price_cents),
  tax1_cents bigint NOT NULL DEFAULT 0 CHECK (tax1_cents >= 0),
  tax2_cents bigint NOT NULL DEFAULT 0 CHECK (tax2_cents >= 0),
  CHECK ((category = 'rent') = (period_end IS NOT NULL)),
  CHECK (period_end IS NULL OR period_end >= due_on)
);
CREATE INDEX charges_ledger ON charges (ledger_id, due_on);
CREATE UNIQUE INDEX charges_rent_period ON charges (ledger_id, due_on) WHERE category = 'rent';
COMMENT ON COLUMN charges.due_on IS 'the due date; for rent also the first day of the period that it covers';

-- What of a payment or credit settles which charge; below 0 where a reversal takes it back.
CREATE TABLE allocations (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  credit_entry_id uuid NOT NULL REFERENCES entries,
  charge_entry_id uuid NOT NULL REFERENCES charges,
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0)
);
CREATE INDEX ON allocations (charge_entry_id);
CREATE INDEX ON allocations (credit_entry_id);

-- What is still owed of each charge that has something owed.
CREATE VIEW open_charges WITH (security_invoker = true) AS
  SELECT c.*, e.position, e.amount_cents - coalesce(a.settled_cents, 0) AS owed_cents
  FROM charges c
  JOIN entries e ON e.id = c.entry_id
  LEFT JOIN LATERAL (
    SELECT sum(amount_cents)::bigint AS settled_cents FROM allocations WHERE charge_entry_id = c.entry_id
  ) a ON true
  WHERE e.amount_cents > coalesce(a.settled_cents, 0);

-- A card or bank account that the gateway keeps; here are its token and what a tenant may see (design section 2.7).
CREATE TABLE payment_methods (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id uuid NOT NULL REFERENCES tenants,
  type text NOT NULL CHECK (type IN ('creditCard', 'ach')),
  gateway_token text NOT NULL,
  brand text NOT NULL,
  last_four text NOT NULL,
  routing_last_four text,
  expires_on text,
  holder_name text,
  street_address text,
  postal_code text,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((type = 'creditCard') = (expires_on IS NOT NULL)),
  CHECK ((type = 'ach') = (routing_last_four IS NOT NULL))
);
CREATE INDEX ON payment_methods (tenant_id);
COMMENT ON COLUMN payment_methods.brand IS 'card type of a card, account type of a bank account';

CREATE TABLE autopays (
  ledger_id uuid PRIMARY KEY REFERENCES ledgers,
  payment_method_id uuid NOT NULL REFERENCES payment_methods,
  active boolean NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE SEQUENCE receipt_numbers START 1000001;

-- One attempt at one capture (D2-D6). The intent's id is its reference at the gateway.
CREATE TABLE payment_intents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id uuid NOT NULL REFERENCES tenants,
  user_id uuid REFERENCES users,
  type text NOT NULL CHECK (type IN ('creditCard', 'ach')),
  method_description text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  state text NOT NULL CHECK (state IN ('submitted', 'unknown', 'succeeded', 'pending', 'settled', 'declined', 'never_sent', 'returned')),
  idempotency_key text,
  request_hash bytea,
  debt_key bytea NOT NULL,
  attempt integer NOT NULL,
  decline_message text,
  receipt_number text UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((state IN ('succeeded', 'pending', 'settled', 'returned')) = (receipt_number IS NOT NULL)),
  CHECK ((state = 'declined') = (decline_message IS NOT NULL))
);
-- One live intent a key; an attempt that was never sent frees its key for a new one (design section 6).
CREATE UNIQUE INDEX payment_intents_key ON payment_intents (user_id, idempotency_key) WHERE state <> 'never_sent';
CREATE UNIQUE INDEX payment_intents_debt ON payment_intents (debt_key, attempt);
CREATE INDEX payment_intents_open ON payment_intents (created_at) WHERE state IN ('submitted', 'unknown');
CREATE INDEX ON payment_intents (tenant_id, created_at);

-- Only these steps are legal (D4); what is known is never unlearned.
CREATE FUNCTION check_payment_intent_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (
    ('submitted', 'unknown'), ('submitted', 'succeeded'), ('submitted', 'pending'), ('submitted', 'declined'),
    ('submitted', 'never_sent'), ('unknown', 'succeeded'), ('unknown', 'pending'), ('unknown', 'declined'),
    ('unknown', 'never_sent'), ('pending', 'settled'), ('pending', 'returned'), ('settled', 'returned')
  ) THEN
    RAISE EXCEPTION 'a payment intent cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_intent_step BEFORE UPDATE OF state ON payment_intents
  FOR EACH ROW EXECUTE FUNCTION check_payment_intent_step();

CREATE TABLE payment_intent_ledgers (
  intent_id uuid NOT NULL REFERENCES payment_intents,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  state text NOT NULL,
  PRIMARY KEY (intent_id, ledger_id)
);
-- At most one open intent a ledger (I5); `state` is the intent's, written in the same statement.
CREATE UNIQUE INDEX one_open_intent ON payment_intent_ledgers (ledger_id) WHERE state IN ('submitted', 'unknown');

CREATE TABLE payments (
  entry_id uuid PRIMARY KEY REFERENCES entries,
  intent_id uuid NOT NULL REFERENCES payment_intents,
  ledger_id uuid NOT NULL REFERENCES ledgers,
  description text NOT NULL,
  receipt_number text NOT NULL UNIQUE,
  UNIQUE (intent_id, ledger_id)
);
CREATE INDEX ON payments (ledger_id);

GRANT SELECT, INSERT ON entries, charges, allocations, payments, payment_methods TO gatehouse_app;
GRANT SELECT ON open_charges TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE ON autopays, payment_intents, payment_intent_ledgers TO gatehouse_app;
GRANT USAGE ON SEQUENCE receipt_numbers TO gatehouse_app;
